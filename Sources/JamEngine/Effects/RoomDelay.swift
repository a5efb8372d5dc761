internal import JamCore

/// The room's delay. Its echoes come in beats and keep to the beat at every pass. They go from side
/// to side, and lose treble and bass on the way.
///
/// When the tempo or the length changes, a second head reads at the new place. The first one fades
/// out and the second one fades in, each within 50 ms, without a click and without a slide of the
/// pitch. When the delay becomes longer, the second head stays silent until it comes to the frame
/// at which the first one left. So each sound comes from the delay once, and the begin of a sound
/// is not heard again.
///
/// The delay is shortened by the lateness of the tone filter. A delay longer than `longest` is
/// halved until it fits.
/// Real-time safe except for `init` and `deinit`.
struct RoomDelay: ~Copyable {
  typealias Two = SIMD2<Float>

  /// 5 s.
  static var longest: Double { @_noLocks get { RoomEffectSettings.longestDelaySeconds * Double(Frames.perSecond) } }
  private static var capacity: Int { @_noLocks get { 1 << 18 } }
  private static var mask: Int { @_noLocks @inline(__always) get { (1 << 18) - 1 } }
  private static var fade: Int16 { @_noLocks get { 2_400 } }
  /// The feedback stays below 1, whatever is set, so that the content of the delay dies away.
  private static var mostFeedback: Float { @_noLocks get { 0.98 } }
  /// −126 dBFS.
  private static var quiet: Float { @_noLocks get { 5e-7 } }

  private let memory: EffectMemory
  /// The coefficients: feedback, low-pass and low-cut as shares per frame, ping-pong, level.
  private var shape = GlidingShape(SIMD8(0, 1, 0.01, 0, 1, 0, 0, 0))
  private var head = EchoHead(delay: 24_000)
  /// This head takes over from `head` while `isTurning`.
  private var nextHead = EchoHead(delay: 24_000)
  /// Frames left of the fade of `head` to silence.
  private var outLeft: Int16 = 0
  /// Frames left of the fade of `nextHead`, behind the frames for which that head stays silent.
  private var inLeft: Int16 = 0
  private var wait: Int32 = 0
  private var wanted = 24_000.0
  private var place = 0
  /// Frames written since the delay was at rest. Older frames are not read, so the memory need not
  /// be cleared.
  private var written = 0
  private var quietFrames = Int.max / 2
  private var treble = Two()
  private var bass = Two()

  init() {
    memory = EffectMemory(floats: 2 * RoomDelay.capacity)
    set(RoomEffectSettings(), beatsPerMinute: 120)
    arrive()
  }

  var isAtRest: Bool { @_noLocks get { quietFrames > RoomDelay.capacity } }

  /// Changes the settings from the coming block on. Also called when the tempo changes.
  @_noLocks mutating func set(_ settings: RoomEffectSettings, beatsPerMinute: Double) {
    let tone = EffectMath.onePole(hertz: EffectMath.bounded(settings.delayTone, 100, 20_000))
    let cut = EffectMath.onePole(hertz: EffectMath.bounded(settings.delayLowCut, 5, 5_000))
    shape.go(
      to: SIMD8(
        EffectMath.bounded(settings.delayFeedback, 0, RoomDelay.mostFeedback), tone, cut,
        settings.delayPingPong ? 1 : 0, Decibels.gain(settings.delayLevel), 0, 0, 0))
    let bpm = beatsPerMinute > 1 ? (beatsPerMinute < 10_000 ? beatsPerMinute : 10_000) : 1
    let beats = Double(EffectMath.bounded(settings.delayBeats, 0.001, 64))
    var frames = beats * 60 / bpm * Double(Frames.perSecond)
    while frames > RoomDelay.longest { frames /= 2 }
    let late = RoomDelay.lateness(Double(1 - tone)) + RoomDelay.lateness(Double(1 - cut)) + 0.5
    wanted = frames - late > 64 ? frames - late : 64
    if isAtRest { arrive() }
  }

  /// The delay of a one-pole filter around 1.5 kHz, where hits are heard, in frames. A low-cut's
  /// delay is half a frame more.
  @_noLocks private static func lateness(_ pole: Double) -> Double {
    let cosine = 0.980_785_280_403_230_4  // of 1/32 turn
    return pole * (cosine - pole) / (1 - 2 * pole * cosine + pole * pole)
  }

  /// Processes in place: the send comes in, the echoes come out.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    let isSilent = InsertBlock.clean(left, right, frames)
    if isSilent && isAtRest { return }
    if isAtRest { wake() }
    var loudest: Float = 0
    var i = 0
    while i < frames {
      turn()
      var now = shape.now
      let step = shape.isMoving ? shape.advance() : SIMD8()
      var n = 0
      while n < 4 {
        now += step
        let written = advance(Two(left[i + n], right[i + n]), now)
        left[i + n] = written.echo.x * now[4]
        right[i + n] = written.echo.y * now[4]
        if written.peak > loudest { loudest = written.peak }
        n &+= 1
      }
      treble = EffectMath.flushed(treble)
      bass = EffectMath.flushed(bass)
      i &+= 4
    }
    rest(frames, isQuiet: isSilent && loudest < RoomDelay.quiet)
  }

  @_noLocks private mutating func wake() {
    written = 0
    quietFrames = 0
    // The six frames of a head reach back behind the first frame that was written.
    var i = 1
    while i <= 8 {
      store(Two(), (place &- i) & RoomDelay.mask)
      i += 1
    }
    arrive()
  }

  @_noLocks private mutating func rest(_ frames: Int, isQuiet: Bool) {
    guard isQuiet else {
      quietFrames = 0
      return
    }
    quietFrames += frames
    // Everything that a head can still reach is quiet.
    let reach = Swift.max(head.delay, wanted) + 2_400
    guard quietFrames > Int(RoomDelay.longest) || Double(quietFrames) > reach else { return }
    reset()
  }

  /// Empties the delay.
  @_noLocks mutating func reset() {
    quietFrames = Int.max / 2
    treble = Two()
    bass = Two()
    written = 0
    shape.arrive()
  }

  /// Goes to the wanted place at once. For a delay in which nothing sounds.
  @_noLocks private mutating func arrive() {
    shape.arrive()
    head = EchoHead(delay: wanted)
    (outLeft, wait, inLeft) = (0, 0, 0)
  }

  private var isTurning: Bool {
    @_noLocks @inline(__always) get { outLeft > 0 || wait > 0 || inLeft > 0 }
  }

  /// Starts towards the wanted place. A head that is still silent changes its place at once.
  @_noLocks private mutating func turn() {
    let before: Double
    if isTurning {
      guard outLeft == 0, wait > 0, isElsewhere(than: nextHead) else { return }
      before = nextHead.delay
    } else {
      guard isElsewhere(than: head) else { return }
      before = head.delay
      outLeft = RoomDelay.fade
    }
    nextHead = EchoHead(delay: wanted)
    inLeft = RoomDelay.fade
    // At most 5 s.
    wait = Swift.max(0, wait + Int32(wanted) - Int32(before))
  }

  @_noLocks private func isElsewhere(than head: EchoHead) -> Bool {
    let difference = wanted - head.delay
    return difference > 0.01 || difference < -0.01
  }

  /// Reads both heads while one takes over from the other.
  @_noLocks private mutating func turned() -> Two {
    var sum = Two()
    if outLeft > 0 {
      sum = read(head) * Curve.rest(Int32(outLeft), of: Int32(RoomDelay.fade))
      outLeft -= 1
    }
    if wait > 0 {
      wait -= 1
    } else {
      let rest = inLeft > 0 ? Curve.rest(Int32(inLeft), of: Int32(RoomDelay.fade)) : 0
      sum += read(nextHead) * (1 - rest)
      if inLeft > 0 { inLeft -= 1 }
    }
    if !isTurning { head = nextHead }
    return sum
  }

  /// Advances by one frame.
  @_noLocks @inline(__always) private mutating func advance(
    _ input: Two, _ now: SIMD8<Float>
  ) -> (echo: Two, peak: Float) {
    let read = isTurning ? turned() : read(head)
    treble += (read - treble) * now[1]
    bass += (treble - bass) * now[2]
    let echo = treble - bass
    // Ping-pong: both channels go to the left, the left's echoes to the right, and back.
    let crossed = now[3]
    let both = (input.x + input.y) * 0.5
    let (comes, returns) = (Two(input.x + (both - input.x) * crossed, input.y * (1 - crossed)), Two(echo.y, echo.x))
    let sum = EffectMath.flushed(comes + (echo + (returns - echo) * crossed) * now[0])
    store(sum, place)
    place = (place &+ 1) & RoomDelay.mask
    written &+= 1
    let (x, y) = (sum.x < 0 ? -sum.x : sum.x, sum.y < 0 ? -sum.y : sum.y)
    return (echo, x > y ? x : y)
  }

  @_noLocks @inline(__always) private func store(_ frame: Two, _ place: Int) {
    memory.floats[2 * place] = frame.x
    memory.floats[2 * place + 1] = frame.y
  }

  /// Reads a head. `place` holds nothing yet: the newest frame is one behind it.
  @_noLocks @inline(__always) private func read(_ head: EchoHead) -> Two {
    guard head.newest <= written else { return Two() }
    let first = place &- head.newest
    var sum = Two()
    var i = 0
    while i < 6 {
      let frame = memory.floats + 2 * ((first &- i) & RoomDelay.mask)
      sum += Two(frame[0], frame[1]) * head.weights[i]
      i &+= 1
    }
    return sum
  }
}

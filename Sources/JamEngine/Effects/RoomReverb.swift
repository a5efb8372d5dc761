internal import JamCore

/// The room's reverb: low-cut, pre-delay, five all-passes that spread each hit, and the tank
/// (`ReverbTank`).
///
/// The all-passes of both sides differ. All lengths are primes, evenly spread by ratio. So the
/// reverb is as dense as noise within 50 ms, and within 80 ms at the largest size.
///
/// Real-time safe except for `init` and `deinit`.
struct RoomReverb: ~Copyable {
  typealias Two = SIMD2<Float>

  /// The longest pre-delay in frames: 341 ms. Both channels are interleaved.
  private static var capacity: Int { @_noLocks @inline(__always) get { 16_384 } }
  private static var spread: Int { @_noLocks @inline(__always) get { 512 } }
  private static var fade: Int32 { @_noLocks get { 2_400 } }
  /// The coefficient of the all-passes.
  private static var diffusion: Float { @_noLocks @inline(__always) get { 0.6 } }
  /// −126 dBFS.
  private static var quiet: Float { @_noLocks get { 5e-7 } }

  private let memory: EffectMemory
  private var tank = ReverbTank()
  private var cut = BandPair()
  /// The gain of the output.
  private var level = GlidingShape(SIMD8(repeating: 1))
  private var delay = 720
  private var nextDelay = 720
  private var wantedDelay = 720
  private var fadeLeft: Int32 = 0
  private var place = 0
  private var quietFrames = Int.max / 2

  init() {
    memory = EffectMemory(floats: 2 * RoomReverb.capacity + 5 * 2 * RoomReverb.spread)
    set(RoomEffectSettings())
    arrive()
  }

  var isAtRest: Bool { @_noLocks get { quietFrames > 1 << 20 } }

  /// Changes the settings from the coming block on.
  @_noLocks mutating func set(_ settings: RoomEffectSettings) {
    tank.set(size: settings.reverbSize, decay: settings.reverbDecay, damping: settings.reverbDamping)
    cut.set(BandShape.highPass(hertz: settings.reverbLowCut, resonance: 0), BandShape.neutral)
    level.go(to: SIMD8(repeating: Decibels.gain(settings.reverbLevel) * RoomReverb.scale))
    wantedDelay = Int(EffectMath.bounded(settings.reverbPreDelay, 0, 330) * 48)
    if isAtRest { arrive() }
  }

  /// With this factor, noise comes out about 6 dB quieter than it came in, at the decay of a new
  /// room.
  private static var scale: Float { @_noLocks get { 0.12 } }

  /// Processes in place: the send comes in, the reverb comes out.
  /// - Parameter frames: a multiple of 4, at most 120.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    let isSilent = InsertBlock.clean(left, right, frames)
    if isSilent && isAtRest { return }
    cut.process(left, right, frames)
    spread(left, right, frames)
    let peak = tank.process(left, right, frames)
    amplify(left, right, frames)
    guard isSilent, peak < RoomReverb.quiet else {
      quietFrames = 0
      return
    }
    quietFrames += frames
    // Everything that can still be read is quiet.
    if quietFrames > RoomReverb.capacity + ReverbTank.capacity { reset() }
  }

  /// Empties the reverb.
  @_noLocks mutating func reset() {
    quietFrames = Int.max / 2
    tank.reset()
    cut.reset()
    var i = 0
    while i < 2 * RoomReverb.capacity + 10 * RoomReverb.spread {
      VoiceKernels.store(SIMD4(), to: memory.floats + i)
      i &+= 4
    }
    place = 0
    arrive()
  }

  @_noLocks private mutating func arrive() {
    tank.arrive()
    cut.arrive()
    level.arrive()
    delay = wantedDelay
    fadeLeft = 0
  }

  /// Applies the pre-delay and the all-passes.
  @_noLocks private mutating func spread(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    let passes = memory.floats + 2 * RoomReverb.capacity
    var i = 0
    while i < frames {
      if fadeLeft == 0, wantedDelay != delay {
        nextDelay = wantedDelay
        fadeLeft = RoomReverb.fade
      }
      let newest = memory.floats + 2 * place
      newest[0] = left[i]
      newest[1] = right[i]
      var x = read(delay)
      if fadeLeft > 0 {
        let next = read(nextDelay)
        x = next + (x - next) * Curve.rest(fadeLeft, of: RoomReverb.fade)
        fadeLeft -= 1
        if fadeLeft == 0 { delay = nextDelay }
      }
      x = allPass(x, passes, 53, 59)
      x = allPass(x, passes + 2 * RoomReverb.spread, 97, 89)
      x = allPass(x, passes + 4 * RoomReverb.spread, 127, 137)
      x = allPass(x, passes + 6 * RoomReverb.spread, 191, 179)
      x = allPass(x, passes + 8 * RoomReverb.spread, 271, 293)
      left[i] = x.x
      right[i] = x.y
      place = (place &+ 1) & (RoomReverb.capacity - 1)
      i &+= 1
    }
  }

  @_noLocks @inline(__always) private func read(_ delay: Int) -> Two {
    let frame = memory.floats + 2 * ((place &- delay) & (RoomReverb.capacity - 1))
    return Two(frame[0], frame[1])
  }

  /// - Parameters:
  ///   - left: the length of the left side, in frames.
  ///   - right: the length of the right side.
  @_noLocks @inline(__always) private func allPass(
    _ x: Two, _ memory: UnsafeMutablePointer<Float>, _ left: Int, _ right: Int
  ) -> Two {
    let mask = RoomReverb.spread - 1
    let newest = memory + 2 * (place & mask)
    let held = Two(memory[2 * ((place &- left) & mask)], memory[2 * ((place &- right) & mask) + 1])
    let kept = EffectMath.flushed(x + held * RoomReverb.diffusion)
    newest[0] = kept.x
    newest[1] = kept.y
    return held - kept * RoomReverb.diffusion
  }

  @_noLocks private mutating func amplify(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      let now = level.now[0]
      let gain = SIMD4<Float>(1, 2, 3, 4) * level.advance()[0] + now
      VoiceKernels.store(VoiceKernels.load(left + i) * gain, to: left + i)
      VoiceKernels.store(VoiceKernels.load(right + i) * gain, to: right + i)
      i &+= 4
    }
  }
}

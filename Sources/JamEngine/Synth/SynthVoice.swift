internal import JamCore

/// One sounding note. It moves in ticks of half a millisecond from its own first frame on, so a note sounds the same wherever it
/// begins in a block.
///
/// Real-time safe.
struct SynthVoice: BitwiseCopyable {
  var patch: SynthPatch
  let instrument: UInt32
  let bus: Int
  var key: UInt8
  var stem: UInt16
  let gain: PanGains
  /// The frame of its first sound.
  let onset: Int64
  private let velocity: Float
  private var height: Float

  /// The list of the bus's voices, oldest first; −1 ends it.
  var next: Int32 = -1
  var previous: Int32 = -1
  /// Frames of the coming block before the voice begins; 0 from its second block on.
  var startOffset: Int32
  /// Told to end by a fade: it no longer counts against any limit.
  var isLeaving = false
  /// Its keys are the bus's held ones.
  let isMono: Bool
  /// Its ticks need both channels.
  private(set) var isStereo: Bool

  // Counted in frames from its onset on.
  private var time: Int64 = 0
  private var tickLeft: Int32 = 0
  private var releaseAt = Int64.max
  private var fadeAt = Int64.max
  private var fadeLength: Int32 = 1

  // Pitch, in semitones.
  private var goal: Double
  private(set) var pitch: Double
  private var glideStep = 0.0
  private var glideLeft: Int32 = 0
  private var nextGoal = 0.0
  private var nextAt = Int64.max
  private var keyBend: Float = 0
  private var busBend: Float
  private var bend: SynthSmooth
  private var tuned = Double.infinity
  private var tunedRatio: Float = 0
  private var tuningLeft: Int32 = 0
  private var increment = 0.0
  /// The oscillators' pitches by the note's.
  private var ratios: SIMD2<Double>
  private var middleRatios: SIMD2<Double>

  private var lfoPhase: Float = 0
  private var lfoDepth: Float = 0
  private var lfoRandom: Float = 0

  private var first: SynthOscillator
  private var second: SynthOscillator
  private var sub: SynthOscillator
  private var noise: SynthSmooth
  private var noiseRamp = SynthKernels.Ramp(0, 0)
  private var noiseState: UInt32
  private var spread: SynthSmooth

  private var amp = SynthEnvelope()
  private var shape = SynthEnvelope()
  private var loudness: SynthSmooth
  private var level: SynthSmooth
  /// The gain's last three points: its curve is the quadratic B-spline of all points.
  private var points = SIMD4<Float>()

  private var cutoff: SynthSmooth
  private var g: Float = 0
  private var gEnd: Float = 0
  private var gStep: Float = 0
  /// Through the whole block so far.
  private var isSteady = true
  private var octaves: Float = .infinity
  private var filter: SynthFilter.Setting
  private var leftState = SIMD2<Float>()
  private var rightState = SIMD2<Float>()

  /// Frames of a tick, and its part that is one frame.
  static var tick: Int32 { @_noLocks @inline(__always) get { 24 } }
  static var perFrame: Float { @_noLocks @inline(__always) get { 1 / 24 } }
  /// However short a touch was, it is heard for so long, and its attack before it, up to a bound.
  private static var shortest: Float { @_noLocks get { 960 } }
  /// In ticks: what a note that sounds on takes at least to another pitch.
  private static var shortestGlide: Int32 { @_noLocks get { 10 } }
  private static var longestAttack: Float { @_noLocks get { 3_840 } }

  /// - Parameters:
  ///   - previous: the pitch that it glides from.
  ///   - bend: of the bus, in semitones.
  @_noLocks init(
    _ start: SynthStart, _ patch: SynthPatch, offset: Int32, onset: Int64, from previous: Double?, bend: Float,
    isMono: Bool, _ tables: Wavetables
  ) {
    self.patch = patch
    instrument = start.instrument
    bus = start.bus
    key = start.key
    stem = start.stem
    gain = PanGains(left: Voice.sane(start.gain.left), right: Voice.sane(start.gain.right))
    self.onset = onset
    velocity = SynthMath.bounded(start.velocity, 0, 1)
    height = SynthMath.bounded(start.height, 0, 1)
    startOffset = offset
    self.isMono = isMono
    isStereo = patch.spread > 0
    goal = Double(SynthMath.bounded(start.pitch, -24, 151))
    pitch = goal
    ratios = SIMD2(patch.first.ratio, patch.second.ratio)
    middleRatios = ratios
    busBend = bend
    self.bend = SynthSmooth(bend)

    // By the frame and the key: a log rendered again gets the same.
    let random = SynthMath.hash(UInt64(bitPattern: onset) &* 251 &+ UInt64(start.key))
    let mix = patch.mix(height)
    first = SynthOscillator(
      patch.first.shape, level: patch.first.level * mix.first, width: patch.first.width, phase: 0, tables)
    // Side by side they begin anywhere; in one place together, as a firm attack wants it.
    second = SynthOscillator(
      patch.second.shape, level: patch.second.level * mix.second, width: patch.second.width,
      phase: patch.spread > 0 ? UInt32(truncatingIfNeeded: random) : 0, tables)
    sub = SynthOscillator(
      patch.sub == .sine ? .sine : .pulse, level: patch.subLevel, width: 0.5, phase: 0, tables)
    noise = SynthSmooth(patch.noise)
    noiseState = UInt32(truncatingIfNeeded: random &>> 32)
    spread = SynthSmooth(patch.spread)
    loudness = SynthSmooth(patch.loudness(velocity: velocity, height: height))
    level = SynthSmooth(Voice.sane(start.level))
    cutoff = SynthSmooth(patch.cutoff(velocity: velocity, height: height))
    filter = SynthFilter.Setting(patch.filter, damping: patch.damping)
    if let previous, patch.glide > 0 {
      pitch = previous
      glide(to: goal)
    }
    if start.holdFrames > 0 && !isMono { release(at: Int64(start.holdFrames)) }
  }
}

/// What is done to a note. Each `at` is in frames from its onset on.
extension SynthVoice {
  /// The local time of a frame of the coming block.
  @_noLocks func time(at offset: Int32) -> Int64 { time + Int64(Swift.max(0, offset - startOffset)) }

  var isReleased: Bool { @_noLocks get { releaseAt < Int64.max } }

  @_noLocks mutating func release(at: Int64) {
    guard !isReleased else { return }
    let attack = Swift.min(1 / patch.amp.attackStep, SynthVoice.longestAttack)
    // Finite: below 4,800.
    releaseAt = Swift.max(at, Int64(SynthVoice.shortest + attack))
  }

  /// Ends it by a fade.
  @_noLocks mutating func fade(_ length: Int32, at: Int64) {
    fadeAt = at
    fadeLength = length
    isLeaving = true
  }

  /// Another key has it now: its pitch goes there.
  @_noLocks mutating func go(to pitch: Float, key: UInt8, at: Int64) {
    self.key = key
    keyBend = 0
    bend.target = busBend
    if nextAt < Int64.max { glide(to: nextGoal) }
    nextGoal = Double(SynthMath.bounded(pitch, -24, 151))
    nextAt = at
  }

  @_noLocks private mutating func glide(to pitch: Double) {
    goal = pitch
    // Finite: at most 40,000 ticks.
    glideLeft = Swift.max(SynthVoice.shortestGlide, Int32(patch.glide * SynthVoice.perFrame))
    glideStep = (goal - self.pitch) / Double(glideLeft)
  }

  /// Where its pitch is going.
  var aim: Double { @_noLocks get { nextAt < Int64.max ? nextGoal : goal } }

  @_noLocks mutating func setBend(key semitones: Float) {
    keyBend = SynthMath.bounded(semitones, -96, 96)
    bend.target = keyBend + busBend
  }

  @_noLocks mutating func setBend(bus semitones: Float) {
    busBend = SynthMath.bounded(semitones, -96, 96)
    bend.target = keyBend + busBend
  }

  @_noLocks mutating func setLevel(_ level: Float) { self.level.target = Voice.sane(level) }

  @_noLocks mutating func setHeight(_ height: Float) {
    self.height = SynthMath.bounded(height, 0, 1)
    aimForPatch()
  }

  @_noLocks mutating func set(_ patch: SynthPatch) {
    self.patch = patch
    if patch.spread > 0 && !isStereo {
      isStereo = true
      rightState = leftState
    }
    tuned = Double.infinity
    aimForPatch()
  }

  @_noLocks private mutating func aimForPatch() {
    let mix = patch.mix(height)
    first.go(to: patch.first.shape, level: patch.first.level * mix.first, width: patch.first.width)
    second.go(to: patch.second.shape, level: patch.second.level * mix.second, width: patch.second.width)
    sub.go(to: patch.sub == .sine ? .sine : .pulse, level: patch.subLevel, width: 0.5)
    noise.target = patch.noise
    spread.target = patch.spread
    loudness.target = patch.loudness(velocity: velocity, height: height)
    cutoff.target = patch.cutoff(velocity: velocity, height: height)
  }
}

extension SynthVoice {
  /// Where a block of the note is written: each is as long as `SynthFilter.stride`.
  struct Memory {
    let left: UnsafeMutablePointer<Float>
    /// Used where the note is stereo.
    let right: UnsafeMutablePointer<Float>
    let leftCutoff: UnsafeMutablePointer<Float>
    let rightCutoff: UnsafeMutablePointer<Float>
    let gain: UnsafeMutablePointer<Float>
    /// For one tick of one oscillator.
    let wave: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - left: the number of the left channel in `memory`.
    ///   - note: the note's among those that are rendered together.
    @_noLocks @inline(__always) init(_ memory: SynthMemory, left: Int, right: Int, note: Int) {
      let stride = SynthFilter.stride
      self.left = memory.channels + left &* stride
      self.right = memory.channels + right &* stride
      leftCutoff = memory.cutoffs + left &* stride
      rightCutoff = memory.cutoffs + right &* stride
      gain = memory.gains + note &* stride
      wave = memory.wave
    }
  }

  /// Writes the coming block in front of the filter, and the filter's and the level's way through it.
  /// - Returns: whether the note is over.
  @_noLocks mutating func render(_ memory: Memory, count: Int, pitch ratio: Float, _ tables: Wavetables) -> Bool {
    var at = Int(startOffset)
    startOffset = 0
    if at > 0 { rest(memory, at) }
    isSteady = gStep == 0
    while at < count {
      if tickLeft == 0 {
        if time > 0, points.x == 0, points.y == 0, points.z == 0, isSpent {
          SynthKernels.clear(memory.gain + at, count: count &- at)
          return true
        }
        advance(ratio, tables)
        tickLeft = SynthVoice.tick
        if isSteady && gStep != 0 { waver(memory, at) }
      }
      let frame = Int(SynthVoice.tick &- tickLeft)
      let run = Swift.min(Int(tickLeft), count &- at)
      addSources(memory, at, from: frame, count: run)
      writeCurves(memory, at, from: frame, count: run)
      at &+= run
      tickLeft &-= Int32(truncatingIfNeeded: run)
      time &+= Int64(run)
    }
    return false
  }

  /// Nothing comes of it any more.
  private var isSpent: Bool { @_noLocks get { amp.isOver(patch.amp) || time >= fadeAt &+ Int64(fadeLength) } }

  /// The frames before it begins.
  @_noLocks private func rest(_ memory: Memory, _ count: Int) {
    SynthKernels.clear(memory.left, count: count)
    SynthKernels.clear(memory.gain, count: count)
    if isStereo { SynthKernels.clear(memory.right, count: count) }
  }

  /// The cutoff begins to move: until now it was not written.
  @_noLocks private mutating func waver(_ memory: Memory, _ count: Int) {
    isSteady = false
    SynthFilter.fill(memory.leftCutoff, g, count: count)
    if isStereo { SynthFilter.fill(memory.rightCutoff, g, count: count) }
  }

  @_noLocks @inline(__always)
  private mutating func addSources(_ memory: Memory, _ at: Int, from frame: Int, count: Int) {
    let left = memory.left + at
    let right = isStereo ? memory.right + at : nil
    var isFirst = true
    if first.isHeard {
      first.render(from: frame, toLeft: left, toRight: right, count: count, memory.wave, isFirst: true)
      isFirst = false
    } else {
      first.skip(count)
    }
    if second.isHeard {
      second.render(from: frame, toLeft: left, toRight: right, count: count, memory.wave, isFirst: isFirst)
      isFirst = false
    } else {
      second.skip(count)
    }
    if sub.isHeard {
      sub.render(from: frame, toLeft: left, toRight: right, count: count, memory.wave, isFirst: isFirst)
      isFirst = false
    } else {
      sub.skip(count)
    }
    if noiseRamp.start != 0 || noiseRamp.step != 0 {
      noiseState = SynthKernels.noise(noiseState, to: memory.wave, count: count)
      SynthKernels.add(memory.wave, noiseRamp, from: frame, to: left, count: count, isFirst: isFirst)
      if let right { SynthKernels.add(memory.wave, noiseRamp, from: frame, to: right, count: count, isFirst: isFirst) }
      isFirst = false
    }
    if isFirst {
      SynthKernels.clear(left, count: count)
      if let right { SynthKernels.clear(right, count: count) }
    }
  }

  /// The gain's parabola and the filter's straight line.
  @_noLocks @inline(__always)
  private func writeCurves(_ memory: Memory, _ at: Int, from frame: Int, count: Int) {
    typealias Four = SIMD4<Float>
    let start = Four(repeating: (points.x + points.y) * 0.5)
    let slope = Four(repeating: (points.y - points.x) * SynthVoice.perFrame)
    let bend = Four(
      repeating: ((points.x - points.y) + (points.z - points.y)) * (0.5 * SynthVoice.perFrame * SynthVoice.perFrame))
    var t = Four(0, 1, 2, 3) + Four(repeating: Float(frame))
    let gain = memory.gain + at
    var i = 0
    while i < count {
      VoiceKernels.store(start + (slope + bend * t) * t, to: gain + i)
      t += Four(repeating: 4)
      i &+= 4
    }
    guard isFiltered, !isSteady else { return }
    let line = SynthKernels.Ramp(start: g, step: gStep)
    let (left, right) = (memory.leftCutoff + at, memory.rightCutoff + at)
    i = 0
    while i < count {
      let value = line.four(at: frame &+ i)
      VoiceKernels.store(value, to: left + i)
      if isStereo { VoiceKernels.store(value, to: right + i) }
      i &+= 4
    }
  }

  /// The filter does something, or is on its way to nothing.
  var isFiltered: Bool { @_noLocks @inline(__always) get { filter.weights.dry != 1 || patch.filter.dry != 1 } }

  /// The lanes of the coming block.
  @_noLocks mutating func prepare(
    _ left: UnsafeMutablePointer<SynthFilter.Lane>, _ right: UnsafeMutablePointer<SynthFilter.Lane>
  ) {
    var lane = SynthFilter.Lane()
    lane.g = g
    lane.isSteady = isSteady
    lane.damping = filter.damping
    lane.outputs = SynthFilter.Outputs(filter.weights, damping: filter.damping)
    filter.approach(patch.filter, damping: patch.damping)
    lane.dampingEnd = filter.damping
    lane.outputsEnd = SynthFilter.Outputs(filter.weights, damping: filter.damping)
    (lane.band, lane.low) = (leftState.x, leftState.y)
    left.pointee = lane
    guard isStereo else { return }
    (lane.band, lane.low) = (rightState.x, rightState.y)
    right.pointee = lane
  }

  @_noLocks mutating func keep(_ left: UnsafePointer<SynthFilter.Lane>, _ right: UnsafePointer<SynthFilter.Lane>) {
    guard isFiltered else {
      leftState = SIMD2()
      rightState = SIMD2()
      return
    }
    leftState = SIMD2(left.pointee.band, left.pointee.low)
    if isStereo { rightState = SIMD2(right.pointee.band, right.pointee.low) }
  }
}

/// The ticks.
extension SynthVoice {
  /// Prepares the coming tick.
  @_noLocks private mutating func advance(_ ratio: Float, _ tables: Wavetables) {
    let isFirst = time == 0
    if nextAt < time &+ Int64(SynthVoice.tick / 2) {
      nextAt = Int64.max
      glide(to: nextGoal)
    }
    let wave = patch.usesLFO ? advanceLFO(tables) : 0
    let place = pitch + Double(bend.now) + Double(wave * patch.lfoPitch)
    tune(place, ratio, tables, isFirst: isFirst)
    if glideLeft > 0 {
      glideLeft &-= 1
      pitch = glideLeft == 0 ? goal : pitch + glideStep
    }
    bend.advance()

    spread.advance()
    let far = 1 - spread.now
    let sway = wave * patch.lfoWidth
    first.advance(sway: sway, sides: SIMD2(1, far), isFirst: isFirst)
    second.advance(sway: sway, sides: SIMD2(far, 1), isFirst: isFirst)
    sub.advance(sway: 0, sides: SIMD2(1, 1), isFirst: isFirst)
    let noiseBefore = noise.now
    noise.advance()
    noiseRamp = SynthKernels.Ramp(noiseBefore, noise.now)

    advanceEnvelopes()
    advanceLevel(wave)
    if isFiltered { advanceFilter(place, wave, tables, isFirst: isFirst) }
  }

  /// - Returns: what the slow oscillator gives, −1…1.
  @_noLocks private mutating func advanceLFO(_ tables: Wavetables) -> Float {
    let value: Float
    switch patch.lfo {
    // Finite: a phase is below 1.
    case .sine: value = tables.sine.values[Int(lfoPhase * 2_048)]
    case .triangle: value = lfoPhase < 0.25 ? 4 * lfoPhase : lfoPhase < 0.75 ? 2 - 4 * lfoPhase : 4 * lfoPhase - 4
    case .saw: value = 1 - 2 * lfoPhase
    case .square: value = lfoPhase < 0.5 ? 1 : -1
    case .random:
      if time == 0 { draw() }
      value = lfoRandom
    }
    let depth = lfoDepth + patch.lfoRise
    let result = value * (patch.lfoRise >= 1 ? 1 : lfoDepth)
    lfoDepth = depth < 1 ? depth : 1
    lfoPhase += patch.lfoStep
    if lfoPhase >= 1 {
      lfoPhase -= 1
      draw()
    }
    return result
  }

  @_noLocks private mutating func draw() {
    let bits = SynthMath.hash(UInt64(bitPattern: onset) &+ UInt64(bitPattern: time) &* 977 &+ UInt64(key))
    lfoRandom = Float(bits &>> 40) / 8_388_608 - 1
  }

  @_noLocks private mutating func tune(_ place: Double, _ ratio: Float, _ tables: Wavetables, isFirst: Bool) {
    let areOff = ratios != SIMD2(patch.first.ratio, patch.second.ratio)
    if areOff { approachRatios() }
    if place != tuned || ratio != tunedRatio || areOff {
      tuned = place
      tunedRatio = ratio
      tuningLeft = 2
      // 440 ÷ 48,000 of 2³² for note 69.
      increment = 39_370_533.546_666_67 * SynthMath.powerOfTwo((place - 69) / 12) * Double(ratio)
    }
    // Once more behind the last change: then it is steady.
    guard tuningLeft > 0 else { return }
    tuningLeft &-= 1
    first.tune(SynthVoice.bounded(increment * ratios.x), tables, isFirst: isFirst)
    second.tune(SynthVoice.bounded(increment * ratios.y), tables, isFirst: isFirst)
    sub.tune(SynthVoice.bounded(increment * patch.subRatio), tables, isFirst: isFirst)
  }

  /// The oscillators go to other places of theirs as smoothly as everything else.
  @_noLocks private mutating func approachRatios() {
    let target = SIMD2(patch.first.ratio, patch.second.ratio)
    middleRatios += (target - middleRatios) * 0.25
    ratios += (middleRatios - ratios) * 0.25
    let way = target - ratios
    if way.x * way.x + way.y * way.y < 1e-10 {
      ratios = target
      middleRatios = target
    }
  }

  /// At most 23.5 kHz.
  @_noLocks @inline(__always) private static func bounded(_ x: Double) -> UInt32 {
    // Finite: below 2³¹.
    UInt32(x < 2_102_744_405 ? x > 1 ? x : 1 : 2_102_744_405)
  }

  @_noLocks private mutating func advanceEnvelopes() {
    let tick = SynthVoice.tick
    if releaseAt < time &+ Int64(tick), !amp.isReleased {
      let before = Int32(truncatingIfNeeded: Swift.max(0, releaseAt &- time))
      amp.advance(before, patch.amp)
      shape.advance(before, patch.shape)
      amp.release()
      shape.release()
      amp.advance(tick &- before, patch.amp)
      shape.advance(tick &- before, patch.shape)
    } else {
      amp.advance(tick, patch.amp)
      shape.advance(tick, patch.shape)
    }
  }

  @_noLocks private mutating func advanceLevel(_ wave: Float) {
    loudness.advance()
    level.advance()
    var point = amp.level * loudness.now * level.now
    if patch.lfoLevel > 0 { point *= 1 - patch.lfoLevel * (0.5 - 0.5 * wave) }
    let end = time &+ Int64(SynthVoice.tick)
    if end > fadeAt {
      let left = fadeAt &+ Int64(fadeLength) &- end
      point *= left > 0 ? Curve.rest(Int32(truncatingIfNeeded: left), of: fadeLength) : 0
    }
    points = SIMD4(points.y, points.z, point, 0)
  }

  @_noLocks private mutating func advanceFilter(_ place: Double, _ wave: Float, _ tables: Wavetables, isFirst: Bool) {
    cutoff.advance()
    var octaves = cutoff.now + patch.tracking * Float(place - 60) * (1.0 / 12)
    octaves += patch.filterEnvelope * shape.level + patch.lfoFilter * wave
    if isFirst {
      // In front of the envelope.
      gEnd = tables.cutoff(octaves - patch.filterEnvelope * shape.level)
    }
    g = gEnd
    if octaves != self.octaves {
      self.octaves = octaves
      gEnd = tables.cutoff(octaves)
    }
    gStep = (gEnd - g) * SynthVoice.perFrame
  }
}

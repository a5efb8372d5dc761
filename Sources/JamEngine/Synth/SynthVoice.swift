internal import JamCore

/// One sounding note. It moves in ticks of half a millisecond that are counted from its own first
/// frame, so a note sounds the same wherever it begins in a block.
///
/// Real-time safe.
struct SynthVoice: BitwiseCopyable {
  var patch: SynthPatch
  /// The settings that `patch` was made from. A new height makes `patch` again.
  var settings: PatchSettings
  let instrument: UInt32
  let bus: Int
  var key: UInt8
  var stem: UInt16
  /// The share of the note that its player's client sounds itself: all or nothing, but for a short
  /// while after a key of the other kind took the note over.
  var own: SmoothedGains
  let gain: PanGains
  /// The frame of its first sound.
  let onset: Int64
  /// The seed of everything random in the note.
  let seed: UInt64
  let velocity: Float
  var height: Float

  /// The list of the bus's voices, oldest first; −1 ends it.
  var next: Int32 = -1
  var previous: Int32 = -1
  /// Frames of the coming block before the voice begins; 0 from its second block on.
  var startOffset: Int32
  /// Whether the note was told to end by a fade: it no longer counts against any limit.
  var isLeaving = false
  /// Whether the note belongs to the bus's held keys together.
  let isMono: Bool
  /// Whether its ticks need both channels.
  var isStereo: Bool

  // Counted in frames from its onset on.
  var time: Int64 = 0
  var tickLeft: Int32 = 0
  var releaseAt = Int64.max
  var fadeAt = Int64.max
  var fadeLength: Int32 = 1

  // Pitch, in semitones.
  var goal: Double
  var pitch: Double
  var glideStep = 0.0
  var glideLeft: Int32 = 0
  var nextGoal = 0.0
  var nextAt = Int64.max
  var keyBend: Float = 0
  var busBend: Float
  var bend: SynthSmooth
  var tuned = Double.infinity
  var tunedRatio: Float = 0
  var tuningLeft: Int32 = 0
  var increment = 0.0
  /// The oscillators' pitches relative to the note's.
  var ratios: SIMD2<Double>
  var middleRatios: SIMD2<Double>

  var lfoPhase: Float = 0
  var lfoDepth: Float = 0
  var lfoRandom: Float = 0

  var first: SynthOscillator
  var second: SynthOscillator
  var sub: SynthOscillator
  var noise: SynthSmooth
  var noiseRamp = SynthKernels.Ramp(0, 0)
  var noiseState: UInt32
  var spread: SynthSmooth

  var amp = SynthEnvelope()
  var shape = SynthEnvelope()
  var loudness: SynthSmooth
  var level: SynthSmooth
  /// The gain's last three points. Its curve is the quadratic B-spline of all points.
  var points = SIMD4<Float>()

  var cutoff: SynthSmooth
  var g: Float = 0
  var gEnd: Float = 0
  var gStep: Float = 0
  /// Whether the cutoff was steady through the whole block so far.
  var isSteady = true
  var octaves: Float = .infinity
  var filter: SynthFilter.Setting
  var leftState = SIMD2<Float>()
  var rightState = SIMD2<Float>()

  /// Frames of a tick, and the part of a tick that is one frame.
  static var tick: Int32 { @_noLocks @inline(__always) get { 24 } }
  static var perFrame: Float { @_noLocks @inline(__always) get { 1 / 24 } }
  /// Frames. However short a touch was, the note is heard for this long after its attack, of which
  /// at most `longestAttack` counts.
  static var shortest: Float { @_noLocks get { 960 } }
  /// In ticks: the shortest glide of a sounding note to another pitch.
  static var shortestGlide: Int32 { @_noLocks get { 10 } }
  static var longestAttack: Float { @_noLocks get { 3_840 } }

  /// - Parameters:
  ///   - previous: the pitch that the note glides from.
  ///   - bend: of the bus, in semitones.
  @_noLocks init(
    _ start: SynthStart, _ patch: SynthPatch, offset: Int32, onset: Int64, from previous: Double?, bend: Float,
    isMono: Bool, _ tables: Wavetables
  ) {
    self.patch = patch
    settings = start.settings
    instrument = start.instrument
    bus = start.bus
    key = start.key
    stem = start.stem
    own = SmoothedGains(PanGains(left: start.isOwn ? 1 : 0, right: start.isOwn ? 1 : 0))
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
    self.bend = SynthSmooth(bend + patch.pitch)

    // The seed comes from the hit's number and the key, so a log that is rendered again gets the
    // same seed, wherever the rendering begins.
    seed = UInt64(start.seed) &* 251 &+ UInt64(start.key)
    let random = SynthMath.hash(seed)
    let mix = patch.mix(height)
    first = SynthOscillator(
      patch.first.shape, level: patch.first.level * mix.first, width: patch.first.width, phase: 0, tables)
    // Oscillators that are spread apart begin at random phases. Oscillators in one place begin
    // together, for a firm attack.
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

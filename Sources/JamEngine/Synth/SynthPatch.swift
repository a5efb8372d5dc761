internal import JamCore

/// A patch's settings in the form that ticks need: computed once for each note and each change.
///
/// Real-time safe.
struct SynthPatch: BitwiseCopyable {
  struct Source: BitwiseCopyable {
    let shape: PatchShape
    let level: Float
    /// The source's pitch relative to the note's.
    let ratio: Double
    let width: Float

    @_noLocks init(_ oscillator: PatchOscillator) {
      shape = oscillator.shape
      level = SynthMath.bounded(oscillator.level, 0, 1)
      let semitones = SynthMath.bounded(oscillator.semitones, -24, 24)
      let cents = SynthMath.bounded(oscillator.fine, -100, 100)
      ratio = SynthMath.powerOfTwo((Double(semitones) + Double(cents) / 100) / 12)
      width = SynthMath.bounded(oscillator.width, 0.05, 0.95)
    }
  }

  let first: Source
  let second: Source
  let sub: PatchSub
  let subLevel: Float
  let subRatio: Double
  let noise: Float
  let spread: Float
  let mode: PatchMode
  /// Frames.
  let glide: Float
  let gain: Float
  let amp: SynthEnvelopeShape
  let shape: SynthEnvelopeShape

  let filter: SynthFilter.Weights
  let damping: Float
  /// Octaves above 10 Hz.
  let cutoff: Float
  let tracking: Float
  let filterEnvelope: Float
  let filterVelocity: Float
  let filterHeight: Float

  let lfo: PatchLFO
  /// The share of a period that passes with each tick.
  let lfoStep: Float
  /// The share of its depth that is gained with each tick.
  let lfoRise: Float
  let lfoPitch: Float
  let lfoFilter: Float
  let lfoLevel: Float
  let lfoWidth: Float

  let velocityLevel: Float
  let heightMix: Float
  let heightLevel: Float
  /// Semitones by which the touch moves the note.
  let pitch: Float

  /// - Parameters: how hard the key was hit, and how high the finger lies; both 0…1.
  @_noLocks init(_ settings: PatchSettings, velocity: Float, height: Float) {
    let touched = settings.touched(velocity: velocity, height: height)
    let settings = touched.settings
    pitch = SynthMath.bounded(touched.pitch, -48, 48)
    first = Source(settings.first)
    second = Source(settings.second)
    sub = settings.sub
    subLevel = SynthMath.bounded(settings.subLevel, 0, 1)
    let octave = settings.subOctave < -2 ? -2 : settings.subOctave > 0 ? 0 : settings.subOctave
    subRatio = octave == 0 ? 1 : octave == -1 ? 0.5 : 0.25
    noise = SynthMath.bounded(settings.noise, 0, 1)
    spread = SynthMath.bounded(settings.spread, 0, 1)
    mode = settings.mode
    glide = SynthMath.bounded(settings.glide, 0, 20_000) * 48
    amp = SynthEnvelopeShape(settings.amp)
    shape = SynthEnvelopeShape(settings.shape)

    let resonance = SynthMath.bounded(settings.resonance, 0, 1)
    filter = SynthFilter.Weights(settings.filter)
    damping = 2 - 1.94 * resonance
    // Resonance raises the level. The gain makes up for half of that.
    gain =
      Decibels.gain(SynthMath.bounded(settings.gain, -60, 12)) * (settings.filter == .off ? 1 : 1 - 0.5 * resonance)
    let hertz = SynthMath.bounded(settings.cutoff, 20, 20_000)
    cutoff = Float(SynthMath.logarithm(Double(hertz) / 10))
    tracking = SynthMath.bounded(settings.tracking, 0, 1)
    filterEnvelope = SynthMath.bounded(settings.filterEnvelope, -8, 8)
    filterVelocity = SynthMath.bounded(settings.filterVelocity, 0, 8)
    filterHeight = SynthMath.bounded(settings.filterHeight, -4, 4)

    lfo = settings.lfo
    lfoStep = SynthMath.bounded(settings.lfoRate, 0.02, 40) * Float(SynthVoice.tick) / 48_000
    let rise = SynthMath.bounded(settings.lfoAttack, 0, 20_000) * 48
    lfoRise = rise < Float(SynthVoice.tick) ? 1 : Float(SynthVoice.tick) / rise
    lfoPitch = SynthMath.bounded(settings.lfoPitch, 0, 12)
    lfoFilter = SynthMath.bounded(settings.lfoFilter, 0, 4)
    lfoLevel = SynthMath.bounded(settings.lfoLevel, 0, 1)
    lfoWidth = SynthMath.bounded(settings.lfoWidth, 0, 0.45)

    velocityLevel = SynthMath.bounded(settings.velocityLevel, 0, 1)
    heightMix = SynthMath.bounded(settings.heightMix, -1, 1)
    heightLevel = SynthMath.bounded(settings.heightLevel, -1, 1)
  }

  var usesLFO: Bool { @_noLocks get { lfoPitch > 0 || lfoFilter > 0 || lfoLevel > 0 || lfoWidth > 0 } }

  /// - Parameter height: 0…1.
  /// - Returns: the factors of the oscillators' levels.
  @_noLocks func mix(_ height: Float) -> (first: Float, second: Float) {
    let way = heightMix * (height * 2 - 1)
    return (1 - way, 1 + way)
  }

  @_noLocks func loudness(velocity: Float, height: Float) -> Float {
    let touch = 1 - velocityLevel + velocityLevel * velocity * velocity
    return gain * touch * (1 + heightLevel * (height * 2 - 1))
  }

  /// The cutoff in octaves above 10 Hz, without the parts that move.
  @_noLocks func cutoff(velocity: Float, height: Float) -> Float {
    cutoff + filterVelocity * (velocity - 1) + filterHeight * (height * 2 - 1)
  }
}

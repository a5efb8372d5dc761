/// How a synthesiser plays a note. The range of each value is in its row (`PatchSetting.row`).
///
/// The default values are a plain patch: a saw under a low-pass that opens with the envelope.
@frozen
public struct PatchSettings: Hashable, BitwiseCopyable, Sendable {
  /// dB.
  public var gain: Float = -12
  public var mode = PatchMode.poly
  /// How long a note glides from the pitch of the note before to its own, in ms; 0 is at once.
  public var glide: Float = 0
  /// Semitones at the end of the pitch wheel.
  public var bendRange: Float = 2
  /// How far apart the oscillators are panned, with the first on the left; 0 puts both in one
  /// place.
  public var spread: Float = 0
  public var first = PatchOscillator(level: 0.8)
  public var second = PatchOscillator(level: 0)
  public var sub = PatchSub.sine
  public var subLevel: Float = 0
  /// Octaves from the note.
  public var subOctave: Int8 = -1
  public var noise: Float = 0
  public var filter = PatchFilter.low
  /// Hz, at middle C.
  public var cutoff: Float = 2_400
  /// 0…1; at 1 the filter almost oscillates by itself.
  public var resonance: Float = 0.1
  /// How far the cutoff follows the note; 1 is fully.
  public var tracking: Float = 0.3
  /// Octaves by which the filter's envelope, a soft touch, and the finger's height move the cutoff.
  public var filterEnvelope: Float = 1
  public var filterVelocity: Float = 1
  public var filterHeight: Float = 2
  public var amp = PatchEnvelope(attack: 3, decay: 400, sustain: 0.8, release: 250)
  public var shape = PatchEnvelope(attack: 2, decay: 500, sustain: 0.4, release: 300)
  /// Hz.
  public var lfoRate: Float = 5
  public var lfo = PatchLFO.sine
  /// How long the slow oscillator fades in, in ms.
  public var lfoAttack: Float = 0
  /// Semitones.
  public var lfoPitch: Float = 0
  /// Octaves.
  public var lfoFilter: Float = 0
  public var lfoLevel: Float = 0
  public var lfoWidth: Float = 0
  /// How much a soft touch lowers the level; 0 is not at all.
  public var velocityLevel: Float = 0.8
  /// How far the finger's height moves the mix from the first oscillator to the second, and the
  /// level.
  public var heightMix: Float = 0
  public var heightLevel: Float = 0
  /// Further modulations by touch.
  public var mod1 = PatchModulation()
  public var mod2 = PatchModulation()
  public var mod3 = PatchModulation()
  public var mod4 = PatchModulation()

  public init() {}

  /// The settings of a sampled instrument whose file names none. The sounds play as they were
  /// recorded, and the release of a key fades softly.
  public static let ofSamples: PatchSettings = {
    var settings = PatchSettings()
    settings.gain = 0
    settings.amp.release = 150
    return settings
  }()

  /// The range of the times of envelopes and glides.
  public static let milliseconds: ClosedRange<Double> = 0...20_000
}

/// One oscillator of a patch.
@frozen
public struct PatchOscillator: Hashable, BitwiseCopyable, Sendable {
  public var shape = PatchShape.saw
  public var level: Float
  /// Semitones from the note.
  public var semitones: Float = 0
  /// Cents.
  public var fine: Float = 0
  /// Only for a pulse: the part of a cycle in which the wave is high.
  public var width: Float = 0.5

  public init(level: Float) { self.level = level }
}

/// A rise, a fall to `sustain` while the key is held, and a fall to silence after the release.
/// Times are in ms; within its time a fall reaches a thousandth.
@frozen
public struct PatchEnvelope: Hashable, BitwiseCopyable, Sendable {
  public var attack: Float
  public var decay: Float
  public var sustain: Float
  public var release: Float

  public init(attack: Float, decay: Float, sustain: Float, release: Float) {
    self.attack = attack
    self.decay = decay
    self.sustain = sustain
    self.release = release
  }
}

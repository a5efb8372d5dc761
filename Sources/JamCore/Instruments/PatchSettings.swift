/// What a synthesiser makes of a note. The range of each value stands in its row (`PatchSetting.row`).
///
/// As they are here they are a plain patch: a saw and a softer one beside it, under a low-pass that opens with the envelope.
@frozen
public struct PatchSettings: Hashable, BitwiseCopyable, Sendable {
  /// dB.
  public var gain: Float = -12
  public var mode = PatchMode.poly
  /// In ms: how long a note takes from the last one's pitch to its own; 0 is at once.
  public var glide: Float = 0
  /// Semitones to which the wheel's whole way bends.
  public var bendRange: Float = 2
  /// How far the oscillators lie apart, the first on the left; 0 is one place for all.
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
  /// 0…1; 1 is just short of ringing by itself.
  public var resonance: Float = 0.1
  /// How far the filter follows the note: 1 is all the way.
  public var tracking: Float = 0.3
  /// Octaves by which the filter's envelope, a soft touch and the finger's height move the filter.
  public var filterEnvelope: Float = 1
  public var filterVelocity: Float = 1
  public var filterHeight: Float = 2
  public var amp = PatchEnvelope(attack: 3, decay: 400, sustain: 0.8, release: 250)
  public var shape = PatchEnvelope(attack: 2, decay: 500, sustain: 0.4, release: 300)
  /// Hz.
  public var lfoRate: Float = 5
  public var lfo = PatchLFO.sine
  /// In ms: how long it takes to come in.
  public var lfoAttack: Float = 0
  /// Semitones.
  public var lfoPitch: Float = 0
  /// Octaves.
  public var lfoFilter: Float = 0
  public var lfoLevel: Float = 0
  public var lfoWidth: Float = 0
  /// How much softer a soft touch is: 0 is not at all.
  public var velocityLevel: Float = 0.8
  /// How far the finger's height moves the mix from the first oscillator to the second, and the level.
  public var heightMix: Float = 0
  public var heightLevel: Float = 0
  /// What else a touch moves.
  public var mod1 = PatchModulation()
  public var mod2 = PatchModulation()
  public var mod3 = PatchModulation()
  public var mod4 = PatchModulation()

  public init() {}

  /// Of a sampled instrument whose file says nothing: its sounds as they were recorded, and a key that is let go of is damped softly.
  public static let ofSamples: PatchSettings = {
    var settings = PatchSettings()
    settings.gain = 0
    settings.amp.release = 150
    return settings
  }()

  /// Of envelopes and glides.
  public static let milliseconds: ClosedRange<Double> = 0...20_000
}

/// One oscillator of a patch.
@frozen
public struct PatchOscillator: Hashable, BitwiseCopyable, Sendable {
  public var shape = PatchShape.saw
  public var level: Float
  /// From the note.
  public var semitones: Float = 0
  /// Cents.
  public var fine: Float = 0
  /// Of a pulse: the part of a round that is up.
  public var width: Float = 0.5

  public init(level: Float) { self.level = level }
}

/// A rise, a fall to `sustain` while the key is held, and a fall to nothing behind it. Times in ms; a fall is over to a thousandth by then.
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

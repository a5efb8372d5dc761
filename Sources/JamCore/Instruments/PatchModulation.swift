/// One way from a finger to the sound: how hard a key is hit, or how high the finger lies on it, moves one value of the patch.
@frozen
public struct PatchModulation: Hashable, BitwiseCopyable, Sendable {
  public var source = PatchSource.off
  public var target = PatchTarget.pitch
  /// −1…1 of the target's whole way.
  public var amount: Float = 0

  public init() {}
}

/// What moves a value. A value is as it is set at a full touch, and with the finger in the middle of the key.
@frozen
public enum PatchSource: String, SettingWord, BitwiseCopyable { case off, velocity, height }

/// What is moved, by the name of the setting; `pitch` is the note's own.
@frozen
public enum PatchTarget: String, SettingWord, BitwiseCopyable {
  case pitch, gain, spread
  case firstLevel = "osc1/level"
  case firstFine = "osc1/fine"
  case firstWidth = "osc1/width"
  case secondLevel = "osc2/level"
  case secondFine = "osc2/fine"
  case secondWidth = "osc2/width"
  case subLevel = "sub/level"
  case noise = "noise/level"
  case cutoff = "filter/cutoff"
  case resonance = "filter/resonance"
  case filterEnvelope = "filter/envelope"
  case filterAttack = "filter/attack"
  case filterDecay = "filter/decay"
  case filterSustain = "filter/sustain"
  case filterRelease = "filter/release"
  case ampAttack = "amp/attack"
  case ampDecay = "amp/decay"
  case ampSustain = "amp/sustain"
  case ampRelease = "amp/release"
  case lfoRate = "lfo/rate"
  case lfoPitch = "lfo/pitch"
  case lfoFilter = "lfo/filter"
  case lfoLevel = "lfo/level"
  case lfoWidth = "lfo/width"
}

/// One modulation of the patch by touch: the strength of a hit, or the finger's height on the key,
/// moves one value.
@frozen
public struct PatchModulation: Hashable, BitwiseCopyable, Sendable {
  public var source = PatchSource.off
  public var target = PatchTarget.pitch
  /// −1…1, as a part of the target's whole range.
  public var amount: Float = 0

  public init() {}
}

/// The source of a modulation. A value keeps its setting at a full velocity, or with the finger in
/// the middle of the key.
@frozen
public enum PatchSource: String, SettingWord, BitwiseCopyable { case off, velocity, height }

/// The moved value, by the name of its setting; `pitch` is the pitch of the note.
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

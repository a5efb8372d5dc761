/// The waves of an oscillator.
@frozen
public enum PatchShape: String, SettingWord, BitwiseCopyable { case sine, triangle, saw, pulse }

/// The waves of the sub oscillator.
@frozen
public enum PatchSub: String, SettingWord, BitwiseCopyable { case sine, square }

/// What the filter lets through: below its cutoff, about it, above it, or everything.
@frozen
public enum PatchFilter: String, SettingWord, BitwiseCopyable { case low, band, high, off }

/// How the slow oscillator moves. `random` jumps once in each round.
@frozen
public enum PatchLFO: String, SettingWord, BitwiseCopyable { case sine, triangle, saw, square, random }

/// How many notes a patch plays at once.
@frozen
public enum PatchMode: String, SettingWord, BitwiseCopyable {
  /// As many as there are keys down.
  case poly
  /// The last one, begun anew each time.
  case mono
  /// The last one; while a key is down, another only changes the pitch.
  case legato
}

/// The waves of an oscillator.
@frozen
public enum PatchShape: String, SettingWord, BitwiseCopyable { case sine, triangle, saw, pulse }

/// The waves of the sub oscillator.
@frozen
public enum PatchSub: String, SettingWord, BitwiseCopyable { case sine, square }

/// The sound that passes the filter: below its cutoff, around it, above it, or all sound.
@frozen
public enum PatchFilter: String, SettingWord, BitwiseCopyable { case low, band, high, off }

/// The waves of the slow oscillator. `random` jumps once in each cycle.
@frozen
public enum PatchLFO: String, SettingWord, BitwiseCopyable { case sine, triangle, saw, square, random }

/// How many notes a patch plays at once.
@frozen
public enum PatchMode: String, SettingWord, BitwiseCopyable {
  /// One note for each key that is down.
  case poly
  /// Only the last note; each key starts a new note.
  case mono
  /// Only the last note; while a key is down, another key only changes the pitch.
  case legato
}

/// How a player keeps time with a room that the player hears late.
public enum Timing: String, SettingWord {
  /// A hit sounds at once, and is recorded where it sounds. For players who hear the room without
  /// delay.
  case live
  /// A hit sounds at once, and is recorded where the player heard the beat.
  case heard
  /// A hit sounds one loop later, in time for everybody. For players who are far away.
  case interval
}

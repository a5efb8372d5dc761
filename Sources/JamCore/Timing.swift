/// How a player is in time with a room that it hears late.
public enum Timing: String, CaseIterable, Sendable {
  /// A hit sounds at once, and is recorded where it sounds: for who hears the room at once.
  case live
  /// It sounds at once, and is recorded where its player heard the beat.
  case heard
  /// It sounds one loop later, in time for everybody: for who is far away.
  case interval

  public var word: String { rawValue }
}

/// A word of a player to the others, by one tap.
public enum Reaction: String, CaseIterable, Sendable {
  /// That was good.
  case love
  /// Play on for four bars more.
  case more
  /// It is somebody's turn.
  case turn

  public var word: String { rawValue }
}

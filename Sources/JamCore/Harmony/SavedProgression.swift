/// A progression that a player in a room has named. Every player there can play it.
public struct SavedProgression: Hashable, Sendable {
  public var name: String
  /// The chords in the form in which players type them.
  public var text: String
  /// The player who saved the progression.
  public var player: PlayerName

  public init(name: String, text: String, player: PlayerName) {
    self.name = name
    self.text = text
    self.player = player
  }
}

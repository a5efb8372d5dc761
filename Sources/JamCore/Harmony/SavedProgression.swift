/// A progression that somebody in a room has given a name: everybody there can play it.
public struct SavedProgression: Hashable, Sendable {
  public var name: String
  /// Its chords as they are typed.
  public var text: String
  /// Who saved it.
  public var player: PlayerName

  public init(name: String, text: String, player: PlayerName) {
    self.name = name
    self.text = text
    self.player = player
  }
}

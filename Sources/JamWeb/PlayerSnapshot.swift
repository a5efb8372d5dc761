/// One player, as `/health` and the page tell it. All of it is text that people chose: it is shown as text, never as markup.
public struct PlayerSnapshot: Hashable, Sendable {
  public var name: String
  /// A CSS hex colour, `#rrggbb`; the page ignores anything else.
  public var colour: String
  public var isHost: Bool
  public var kitName: String

  public init(name: String, colour: String, isHost: Bool, kitName: String) {
    self.name = name
    self.colour = colour
    self.isHost = isHost
    self.kitName = kitName
  }
}

internal import JamCore
import JamRoom

/// One player, as `/health` and the page tell it. All of it is text that people chose: it is shown as text, never as markup.
public struct PlayerStatus: Hashable, Sendable {
  public var name: String
  /// A CSS hex colour, `#rrggbb`; the page ignores anything else.
  public var colour: String
  public var isHost: Bool
  /// `host`, `player` or `listener`.
  public var role: String
  public var kitName: String
  /// From tap to ear in ms, as its client measured it; 0 is unknown.
  public var latency: Float
  /// Its connection ended, and it may come back.
  public var isAway: Bool

  public init(
    name: String, colour: String, isHost: Bool, role: String? = nil, kitName: String, latency: Float = 0,
    isAway: Bool = false
  ) {
    self.name = name
    self.colour = colour
    self.isHost = isHost
    self.role = role ?? (isHost ? Role.host : .player).word
    self.kitName = kitName
    self.latency = latency
    self.isAway = isAway
  }

  init(_ person: RoomSnapshot.Person) {
    self.init(
      name: person.name, colour: PlayerStatus.colours[person.index % PlayerStatus.colours.count],
      isHost: person.role == .host, role: person.role.word, kitName: person.kit, latency: person.latency,
      isAway: person.isAway)
  }

  /// Eight hues that stay apart on dark and on light ground, neighbours far from each other.
  private static let colours = [
    "#e0633a", "#2f8fd0", "#5ea33b", "#b667c9", "#d19a1f", "#1fa39a", "#d65a8b", "#7a7fd6",
  ]
}

internal import JamCore
import JamRoom

/// One player, as `/health` and the page show it. People chose these texts, so they are shown as
/// text, never as markup.
public struct PlayerStatus: Hashable, Sendable {
  public var name: String
  /// A CSS hex colour, `#rrggbb`; the page ignores any other text.
  public var colour: String
  public var isHost: Bool
  /// `host`, `player` or `listener`.
  public var role: String
  public var kitName: String
  /// The latency from tap to ear in ms, as the player's client measured it; 0 means unknown.
  public var latency: Float
  /// The player's connection ended, and the player may come back.
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

  /// Twelve hues in two lightnesses. The colours of the first players are far from each other. The
  /// page makes them lighter on dark ground.
  static let colours = [
    "#a83634", "#119c82", "#8c3f91", "#848f0a", "#385db8", "#c9690c", "#0f7079", "#c95a8b", "#107823", "#8e71d6",
    "#7e5e01", "#0891c9", "#d15c56", "#017460", "#b263b7", "#626a09", "#5981e0", "#964c04", "#1697a3", "#a13567",
    "#409d48", "#6b4cae", "#a97f05", "#006c97",
  ]
}

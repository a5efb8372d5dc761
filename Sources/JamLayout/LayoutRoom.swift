/// A room as a layout shows it: its name, its kits, and the pads of one kit.
public struct LayoutRoom: Hashable, Sendable {
  public var name: String
  /// The room's password, which the layout then sends; nil where the room has none.
  public var password: String?
  /// The player who gets the layout; nil is nobody in particular.
  public var player: String?
  /// Whether that player is a host. Nobody else gets controls that the server refuses to others.
  public var isForHost: Bool
  /// The kit whose pads the layout shows.
  public var kit: LayoutKit
  /// The kits to choose from, in the room's order.
  public var kits: [LayoutKit]

  public init(
    name: String, password: String? = nil, player: String? = nil, isForHost: Bool = false,
    kit: LayoutKit, kits: [LayoutKit]
  ) {
    self.name = name
    self.password = password
    self.player = player
    self.isForHost = isForHost
    self.kit = kit
    self.kits = kits
  }
}

/// A kit as a layout shows it. People chose these texts, so a writer escapes them.
public struct LayoutKit: Hashable, Sendable {
  public var id: String
  public var name: String
  /// Two CSS hex colours, `#rrggbb`; other texts are ignored.
  public var colours: [String]
  /// The names of the pads from pad 1 on; an empty name is an empty pad.
  public var pads: [String]

  public init(id: String, name: String, colours: [String], pads: [String]) {
    self.id = id
    self.name = name
    self.colours = colours
    self.pads = pads
  }
}

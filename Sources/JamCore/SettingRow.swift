/// All facts about a setting, in one place. The address table, checks, documents, the page's
/// faders, and the audience of a change come from this row.
public struct SettingRow: Sendable {
  public enum Access: Sendable {
    /// With a value the address sets the setting; without a value it asks for it.
    case set
    /// With a value the address sets the setting; without a value it toggles it.
    case toggle
    case read
  }

  /// The history in which `/undo` finds a change of the setting.
  public enum Undo: Sendable {
    /// In no history, or not by the value alone.
    case none
    /// In the player's own history.
    case player
    /// In the room's history, so that hosts can undo it, too.
    case room
  }

  /// The address, with `<n>`, `<pad>`, `<step>`, `<slot>` for numbers and `<name>` for a player.
  public let address: String
  /// The name of the value.
  public let argument: String
  public let kind: SettingKind
  public let access: Access
  public let scope: SettingScope
  /// One line of text.
  public let summary: String
  public let undo: Undo
  /// Whether choosing another kit changes the setting.
  public let isOfKit: Bool

  init(
    _ address: String, _ argument: String, _ kind: SettingKind, _ scope: SettingScope, _ summary: String,
    access: Access = .set, undo: Undo = .none, isOfKit: Bool = false
  ) {
    self.address = address
    self.argument = argument
    self.kind = kind
    self.scope = scope
    self.summary = summary
    self.access = access
    self.undo = undo
    self.isOfKit = isOfKit
  }

  /// A setting that is on or off.
  static func toggle(
    _ address: String, _ scope: SettingScope, _ summary: String, undo: Undo = .none
  ) -> SettingRow {
    SettingRow(address, "on", .bool, scope, summary, access: .toggle, undo: undo)
  }
}

/// The owner of a setting, and who may set it.
public enum SettingScope: String, Sendable {
  /// The connection itself.
  case session
  /// A player's pad.
  case pad
  case player
  case room
  /// A setting of the room that only hosts may set.
  case host

  /// Whether everybody is told of a change. Otherwise only the player is told.
  public var isRoom: Bool { self == .room || self == .host }
}

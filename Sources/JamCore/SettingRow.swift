/// All that there is to know of a setting, written down once: the address table, checks, documents, the page's faders, and who is told
/// of a change come from it.
public struct SettingRow: Sendable {
  public enum Access: Sendable {
    /// A value sets it; without one it answers.
    case set
    /// A value sets it; without one it toggles.
    case toggle
    case read
  }

  /// Whose edit it is that `/undo` takes back.
  public enum Undo: Sendable {
    /// Nobody's, or not by the value alone.
    case none
    /// The player's own.
    case player
    /// The room's: hosts take it back, too.
    case room
  }

  /// The address, with `<n>`, `<pad>`, `<step>`, `<slot>` for numbers and `<name>` for a player.
  public let address: String
  /// What its value is called.
  public let argument: String
  public let kind: SettingKind
  public let access: Access
  public let scope: SettingScope
  /// One line.
  public let summary: String
  public let undo: Undo
  /// Whether another kit changes it.
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

  /// A value that is on or off.
  static func toggle(
    _ address: String, _ scope: SettingScope, _ summary: String, undo: Undo = .none
  ) -> SettingRow {
    SettingRow(address, "on", .bool, scope, summary, access: .toggle, undo: undo)
  }
}

/// Whose a setting is, and who may set it.
public enum SettingScope: String, Sendable {
  /// The connection itself.
  case session
  /// A player's pad.
  case pad
  case player
  case room
  /// The room's; hosts alone set it.
  case host

  /// Whether everybody is told of a change; else the player alone.
  public var isRoom: Bool { self == .room || self == .host }
}

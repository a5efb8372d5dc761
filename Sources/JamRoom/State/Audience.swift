public import JamCore

/// Whom an event is for.
public enum Audience: Hashable, Sendable {
  /// The connection that sent the command, and nobody else: answers and refusals.
  case asker
  /// Every connection of one player that subscribed the event's topic.
  case player(PlayerID)
  /// Everybody in the room who subscribed the event's topic.
  case everybody
}

/// The connection that a command came from, so that answers find it and feedback does not echo to it.
///
/// Edges number their connections; 0 is nobody's.
public struct Origin: Hashable, Sendable {
  public let number: UInt64
  public init(number: UInt64) { self.number = number }
  public static let none = Origin(number: 0)
}

/// What brought an event about.
public struct Cause: Sendable {
  public let origin: Origin
  /// The control that was moved there: its value is not echoed. What else changed by it is told.
  public let setting: Setting?

  public init(_ origin: Origin, moving setting: Setting? = nil) {
    self.origin = origin
    self.setting = setting
  }

  init(_ origin: Origin, of command: Command) {
    self.init(origin, moving: command.setting)
  }

  public static let none = Cause(.none)
}

extension Command {
  /// The control that it moves to a value. A button that carries no value, as stop, and a switch that was turned over are told to whoever pressed them, too.
  fileprivate var setting: Setting? {
    switch self {
    case .set(let setting, _): setting
    case .struck(.step(let pad, let step), _): .step(pad, step)
    case .becomeHost: .host
    default: nil
    }
  }
}

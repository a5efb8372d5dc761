public import JamCore

/// The receivers of an event.
public enum Audience: Hashable, Sendable {
  /// The connection that sent the command, and nobody else: answers and refusals.
  case asker
  /// Every connection of one player that subscribed the event's topic.
  case player(PlayerID)
  /// Everybody in the room who subscribed the event's topic.
  case everybody
}

/// The connection of a command: answers find it, and feedback does not echo to it.
///
/// Edges number their connections; 0 is nobody's.
public struct Origin: Hashable, Sendable {
  public let number: UInt64
  public init(number: UInt64) { self.number = number }
  public static let none = Origin(number: 0)
}

/// The cause of an event.
public struct Cause: Sendable {
  public let origin: Origin
  /// The control that was moved there: its value is not echoed. All other changes are told.
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
  /// The control moved to a value. Stop, other buttons and toggles are told to their presser, too.
  fileprivate var setting: Setting? {
    switch self {
    case .set(let setting, _): setting
    case .struck(.step(let pad, let step), _): .step(pad, step)
    case .becomeHost: .host
    default: nil
    }
  }
}

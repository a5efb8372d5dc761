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

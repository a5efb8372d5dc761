public import JamCore

/// The server's store of takes, for all its rooms.
///
/// Thread: any; it must not wait.
public protocol TakeStore: AnyObject, Sendable {
  /// Carries out what a room orders.
  /// - Parameter call: is called once, on any thread.
  func carryOut(_ order: TakeOrder, in room: PlayerName, then call: @escaping @Sendable (TakeAnswer) -> Void)
}

/// A room's request about the takes.
public struct TakeOrder: Hashable, Sendable {
  public let command: TakeCommand
  /// The player who asks: the place may be somebody else's when the answer comes.
  public let token: String
  /// The key of the quota for requests: an address, or a network.
  public let saver: String
  /// The project that the room plays; empty where it has no name.
  public let project: String
  /// The moment of the order, in the room's frames; of `keep`, the bar line before it.
  public let end: Frames
  /// The beginning of a take that is started or kept: a bar line.
  public let begin: Frames
  /// A host's keeping has no limit.
  public let isHost: Bool
}

/// The outcome of an order.
public enum TakeAnswer: Sendable {
  case items([TakeItem])
  case notes(TakeNotes)
  /// The rest is told as it happens, to everybody.
  case done
  case refused(Refusal)
}

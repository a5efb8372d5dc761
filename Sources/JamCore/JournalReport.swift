/// Whether the room's state survives the end of the process.
public struct JournalReport: Hashable, Sendable {
  public enum State: String, Sendable {
    case kept
    /// The disk writes slowly: the changes of the last moments would be lost if the process ended
    /// now.
    case late
    /// The journal cannot be written at present. The server tries again by itself, and after a
    /// success nothing is missing.
    case failing
    /// The server keeps nothing.
    case off
  }

  public var state: State
  /// The reason in words; empty where there is none.
  public var reason: String

  public init(_ state: State, reason: String = "") {
    self.state = state
    self.reason = reason
  }
}

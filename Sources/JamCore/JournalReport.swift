/// Whether what happens in a room is kept beyond the process's end.
public struct JournalReport: Hashable, Sendable {
  public enum State: String, Sendable {
    case kept
    /// The disk takes long to write it: what was done in the last moments would be lost with the
    /// process.
    case late
    /// It cannot be written just now; it is tried again by itself, and then nothing is missing.
    case failing
    /// The server keeps nothing.
    case off
  }

  public var state: State
  /// Why, in words; empty where there is nothing to say.
  public var reason: String

  public init(_ state: State, reason: String = "") {
    self.state = state
    self.reason = reason
  }
}

/// A room as the web server sees it.
///
/// Thread: every call comes on an event loop, so it returns at once and never waits.
public protocol WebRoom: Sendable {
  var name: String { get }
  /// Whether it takes a word to enter, and so to hear it.
  var isPasswordProtected: Bool { get }
  /// Compares in constant time; true where the room has no password.
  func admits(password: String) -> Bool
  var status: RoomStatus { get }
}

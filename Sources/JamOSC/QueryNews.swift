internal import JamCore
internal import JamRoom
internal import JamWire

/// The room thread's news for the desk of OSCQuery. The desk gets them in their order.
enum QueryNews: Sendable {
  /// The view that a question is about; nil where there is no such room or player.
  case found(question: Int, tap: Int?)
  /// The view of a connection, from now on.
  /// - Parameter origin: the connection's number at the edge.
  case placed(StreamConnection, origin: Origin, tap: Int)
  /// All of a view follows, up to `complete`.
  /// - Parameter player: the player's name; nil where nobody's view is told.
  case begins(tap: Int, QueryView.Asker, player: PlayerName?, Room)
  /// The kits and instruments that the room lists, by their addresses.
  case listed(tap: Int, [String])
  case told(tap: Int, [Event])
  case complete(tap: Int)
  /// Something has happened since.
  /// - Parameters:
  ///   - origin: the connection that caused it.
  ///   - setting: the control that was moved there. It gets no echo.
  case event(taps: [Int], Event, origin: Origin, setting: Setting?)
  /// Events were left out, because too many waited.
  case missed(tap: Int)
  /// The player left, or the room was closed.
  case gone(tap: Int)
}

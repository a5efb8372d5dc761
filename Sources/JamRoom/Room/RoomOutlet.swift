public import JamCore

/// An edge that carries a room's events out: OSC, the page.
///
/// Thread: the room's. It must not block.
public protocol RoomOutlet: AnyObject, Sendable {
  /// - Parameter cause: the connection of the command; the control that it moved gets no echo.
  func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause)
  /// The player left: its connections are nobody's. If `host` put it out, it must ask to return.
  func room(_ room: Room, lost player: PlayerID, named name: PlayerName, kickedBy host: PlayerName?, cause: Cause)
  /// Somebody is a host now who was none, by the word or by another host.
  func room(_ room: Room, hasHost name: PlayerName, by host: PlayerName?, cause: Cause)
  /// Whether somebody watches the room through this edge, without a place in it.
  func isWatching(_ room: Room) -> Bool
  /// The room is closed: nobody can come in any more, and all references to it must go.
  func closed(_ room: Room)
}

extension RoomOutlet {
  public func isWatching(_ room: Room) -> Bool { false }
  public func room(_ room: Room, hasHost name: PlayerName, by host: PlayerName?, cause: Cause) {}
  public func closed(_ room: Room) {}
}

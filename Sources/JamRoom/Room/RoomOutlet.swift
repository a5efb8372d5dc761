public import JamCore

/// An edge that carries a room's events out: OSC, the page.
///
/// Thread: the room's. It must not block.
public protocol RoomOutlet: AnyObject, Sendable {
  /// - Parameter cause: the connection whose command brought this about; the control that it moved is not echoed to it.
  func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause)
  /// The player left: its connections are nobody's now. `host`: who put it out; it comes back only by asking.
  func room(_ room: Room, lost player: PlayerID, named name: PlayerName, kickedBy host: PlayerName?, cause: Cause)
  /// Somebody is a host now who was none, by the word or by another host.
  func room(_ room: Room, hasHost name: PlayerName, by host: PlayerName?, cause: Cause)
  /// Whether somebody watches the room through this edge, without a place in it.
  func isWatching(_ room: Room) -> Bool
  /// The room is closed: nobody can come in any more, and whatever leads to it is to be let go of.
  func closed(_ room: Room)
}

extension RoomOutlet {
  public func isWatching(_ room: Room) -> Bool { false }
  public func room(_ room: Room, hasHost name: PlayerName, by host: PlayerName?, cause: Cause) {}
  public func closed(_ room: Room) {}
}

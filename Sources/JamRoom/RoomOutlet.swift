public import JamCore

/// An edge that carries a room's events out: OSC, the page.
///
/// Thread: the room's. It must not block.
public protocol RoomOutlet: AnyObject, Sendable {
  /// - Parameter cause: the connection whose command brought this about; the control that it moved is not echoed to it.
  func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause)
  /// The player left: its connections are nobody's now. `isKicked`: a host put it out, and it comes back only by asking.
  func room(_ room: Room, lost player: PlayerID, isKicked: Bool)
}

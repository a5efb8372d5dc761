internal import JamCore

/// The room's door: whether it is closed, and who waits at it.
///
/// A newcomer at the door plays to its own cue alone. Plain bits, because each hit asks for one.
struct Door: Equatable, Sendable {
  var isClosed = false
  /// Bit i is place i.
  private var waiting: UInt64 = 0

  init(isClosed: Bool = false) { self.isClosed = isClosed }

  /// Whether the player of that place waits at the door.
  @inline(__always) func waits(_ id: PlayerID) -> Bool { waiting &>> UInt64(id.index) & 1 == 1 }

  var isAnybodyWaiting: Bool { waiting != 0 }

  mutating func stop(_ id: PlayerID) { waiting |= 1 &<< UInt64(id.index) }

  mutating func letIn(_ id: PlayerID) { waiting &= ~(1 &<< UInt64(id.index)) }
}

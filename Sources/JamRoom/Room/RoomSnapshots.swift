internal import Synchronization

/// A room's view for other threads.
///
/// Thread: any.
public final class RoomSnapshots: Sendable {
  private let latest: Mutex<RoomSnapshot>
  private let isStale = Atomic<Bool>(true)

  init(name: String) { latest = Mutex(RoomSnapshot(name: name)) }

  /// The room as it was a moment ago, at most a twentieth of a second.
  public var now: RoomSnapshot { latest.withLock { $0 } }

  /// Says that people have changed, so that the next look takes them in.
  func touch() { isStale.store(true, ordering: .relaxed) }

  var peopleChanged: Bool { isStale.exchange(false, ordering: .relaxed) }

  func update(_ change: (inout RoomSnapshot) -> Void) { latest.withLock { change(&$0) } }
}

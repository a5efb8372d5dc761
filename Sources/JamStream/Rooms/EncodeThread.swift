public import JamRealtime
internal import Synchronization

/// The one thread that encodes, for all rooms of the process.
///
/// While anybody listens it sleeps on `wake`, which the audio workers raise after each rendered
/// buffer. While nobody listens, it sleeps until a listener comes.
/// Thread: start and stop from one thread; add and remove rooms from any.
public final class EncodeThread: Sendable {
  /// The signal that every room's worker raises after it has rendered.
  public let wake: WakeSignal
  private let demand = WakeSignal()
  private let rooms = Mutex<[RoomStreams]>([])
  private let isStopping = Atomic<Bool>(false)
  private let thread = RealtimeThread(name: "bandshell-enc")

  public init(wake: WakeSignal = WakeSignal()) { self.wake = wake }

  public func add(_ room: RoomStreams) {
    room.raiseOnDemand(demand)
    rooms.withLock { $0.append(room) }
    demand.raise()
  }

  public func remove(_ room: RoomStreams) { rooms.withLock { $0.removeAll { $0 === room } } }

  /// Starts the thread: below the audio workers and the room thread, above the media threads.
  /// - Returns: nil, or why real-time scheduling was refused (an `errno`).
  @discardableResult
  public func start(priority: Int = 30) -> Int32? { thread.start(priority: priority) { [self] in run() } }

  /// Ends the thread and waits for it.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    demand.raise()
    wake.raise()
    thread.join()
  }

  private func run() {
    // A copy of the rooms for one round, in memory of this thread, so that the lock is held only
    // while the list is copied.
    var present: [RoomStreams] = []
    while !isStopping.load(ordering: .acquiring) {
      let ticket = wake.ticket
      let demandTicket = demand.ticket
      var someoneListens = false
      rooms.withLock { present.append(contentsOf: $0) }
      for room in present where room.encode() { someoneListens = true }
      // The copy is cleared, so that a room that ends while this thread sleeps is not kept alive.
      present.removeAll(keepingCapacity: true)
      // The timeout only limits the cost of a lost wake-up.
      if someoneListens {
        wake.wait(since: ticket, atMostMilliseconds: 20)
      } else {
        demand.wait(since: demandTicket, atMostMilliseconds: 1_000)
      }
    }
  }
}

public import JamRealtime
internal import Synchronization

/// The one thread that encodes, for all rooms of the process.
///
/// While anybody listens it sleeps on `wake`, which the audio workers raise after each rendered buffer; while nobody does,
/// it looks up only when a listener comes.
/// Thread: start and stop from one thread; add and remove rooms from any.
public final class EncodeThread: Sendable {
  /// What every room's worker raises after it has rendered.
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
    // The rooms of one round, in memory of this thread: the list itself is read under its lock alone.
    var present: [RoomStreams] = []
    while !isStopping.load(ordering: .acquiring) {
      let ticket = wake.ticket
      let demandTicket = demand.ticket
      var someoneListens = false
      rooms.withLock { present.append(contentsOf: $0) }
      for room in present where room.encode() { someoneListens = true }
      // A room that ends while this thread sleeps is not kept.
      present.removeAll(keepingCapacity: true)
      // The time bounds only what a lost wake-up would cost.
      if someoneListens {
        wake.wait(since: ticket, atMostMilliseconds: 20)
      } else {
        demand.wait(since: demandTicket, atMostMilliseconds: 1_000)
      }
    }
  }
}

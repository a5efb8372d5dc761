internal import Glibc
public import JamCore
public import JamRealtime
internal import Synchronization

/// The thread of rooms: their actors' executor, and the loop that polls the control sockets.
///
/// A hit from a socket here reaches its room without a hop. Other threads hand work in by `submit`,
/// which is bounded. One thread serves several rooms.
public final class RoomThread: SerialExecutor, @unchecked Sendable {
  // Unchecked: only the thread touches `timed` (or it does not run); the inbox has its mutex.
  public let loop = PollLoop()
  private var timed: [any RoomThreadClient] = []
  private let inbox = Mutex<Inbox>(Inbox())
  private let identity = Atomic<UInt>(0)
  private let thread = RealtimeThread(name: "bandshell-room")
  private let mostWaiting: Int
  /// The lengths of its turns. Thread: any.
  public let turns = RoomTurns()
  /// Work taken from the inbox, the next one last. Thread: this one.
  private var taken: [Work] = []
  /// Calls may wait without a wake: those left in `taken`, and those in an inbox that the last turn
  /// did not reach. Thread: this one.
  private var isBehind = false

  private static let drainNanoseconds: Int64 = 500_000

  private struct Inbox {
    var work: [Work] = []
    /// Calls that the thread has taken and not carried out yet.
    var taken = 0
    var dropped: UInt64 = 0
    /// The thread has ended: nobody would take the calls.
    var isOver = false
  }

  private enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  /// - Parameter mostWaiting: calls that may wait at once; more are refused, and counted.
  public init(mostWaiting: Int = 65_536) { self.mostWaiting = mostWaiting }

  /// Starts it, below the audio workers, above all ordinary threads: a late hit is a late sound.
  /// - Returns: nil, or why real-time scheduling was refused (an `errno`).
  @discardableResult
  public func start(priority: Int = 40) -> Int32? { thread.start(priority: priority) { [self] in run() } }

  /// Ends the loop and waits for the thread. Thread: any other.
  public func stop() {
    loop.stop()
    thread.join()
    // Clients and calls that are left hold this thread as their executor.
    timed.removeAll()
    inbox.withLock { inbox in
      inbox.isOver = true
      inbox.work.removeAll { if case .call = $0 { true } else { false } }
    }
  }

  /// Calls `client` at its deadlines. Thread: this one, or before `start`.
  public func add(_ client: any RoomThreadClient) { timed.append(client) }

  /// The thread's client of that identity; nil where it has none. Thread: this one.
  func client(_ identity: ObjectIdentifier) -> (any RoomThreadClient)? {
    timed.first { ObjectIdentifier($0) == identity }
  }

  public func remove(_ client: any RoomThreadClient) { timed.removeAll { $0 === client } }

  /// Runs `call` on this thread, after everything that was handed in before. Thread: any.
  /// - Returns: false if too much waits, or after `stop`; the call is dropped and counted.
  @discardableResult
  public func submit(_ call: @escaping @Sendable () -> Void) -> Bool {
    let wake = inbox.withLock { inbox -> Bool? in
      guard inbox.work.count + inbox.taken < mostWaiting && !inbox.isOver else {
        inbox.dropped += 1
        return nil
      }
      inbox.work.append(.call(call))
      return inbox.work.count == 1
    }
    guard let wake else { return false }
    if wake { loop.wake() }
    return true
  }

  /// Calls refused because too many waited. Thread: any.
  public var dropped: UInt64 { inbox.withLock { $0.dropped } }

  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let wake = inbox.withLock { inbox in
      inbox.work.append(.job(unowned))
      return inbox.work.count == 1
    }
    if wake { loop.wake() }
  }

  public func checkIsolated() { precondition(isCurrent, "this belongs to the room's thread") }
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func run() {
    identity.store(UInt(pthread_self()), ordering: .relaxed)
    var computed = ThreadTime.nanoseconds
    loop.run(
      deadline: { isBehind ? HostTime(nanoseconds: 0) : timed.lazy.map(\.deadline).min() },
      turn: {
        let began = HostTime.now
        drain(until: began.advanced(byNanoseconds: RoomThread.drainNanoseconds))
        let now = HostTime.now
        turns.inbox.note(now.nanoseconds - began.nanoseconds)
        for client in timed where client.deadline <= now { client.turn(at: now) }
        // The CPU clock is read once a turn: a turn's CPU time is what came since the last one.
        let spent = ThreadTime.nanoseconds
        turns.note(from: loop.turnBegan, handled: began, to: .now, computed: spent - computed)
        computed = spent
      })
    // The calls up to now; calls that these hand in have come too late.
    drain(until: HostTime(nanoseconds: .max))
  }

  /// Carries out calls in their order; those left at `end` wait for the next turn: a flood of
  /// packets does not keep the sockets and the beat waiting.
  private func drain(until end: HostTime) {
    // Once: calls that hand in calls do not hold the turn.
    let reachesInbox = carryOutTaken(until: end)
    if reachesInbox {
      inbox.withLock { inbox in
        swap(&inbox.work, &taken)
        inbox.taken = taken.count
      }
      taken.reverse()
      _ = carryOutTaken(until: end)
    }
    // A call wakes the loop only if it is the inbox's first, and the loop may have spent that wake
    // on a turn that did not reach the inbox.
    isBehind = !reachesInbox || !taken.isEmpty
    if taken.isEmpty, taken.capacity > 1_024 { taken = [] }
    inbox.withLock { $0.taken = taken.count }
  }

  /// - Returns: whether all was carried out before `end`.
  private func carryOutTaken(until end: HostTime) -> Bool {
    while let item = taken.popLast() {
      switch item {
      case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .call(let call): call()
      }
      if HostTime.now >= end { return false }
    }
    return true
  }
}

/// Something that the room thread calls at moments of its own choosing.
public protocol RoomThreadClient: AnyObject {
  /// The next time for a call of `turn`. Thread: the room thread.
  var deadline: HostTime { get }
  func turn(at now: HostTime)
}

internal import CRealtime
internal import Glibc
public import JamCore
internal import Synchronization

/// One thread's wait for whatever comes first: a readable descriptor, a deadline, or another thread's nudge.
///
/// Thread: `run`, `add` and `deadline` belong to the looping thread; `wake` and `stop` to any.
public final class PollLoop: @unchecked Sendable {
  // Unchecked: the arrays are touched by the looping thread alone; the flag is atomic.
  private let event: Int32
  private var descriptors: [Int32]
  private var handlers: [() -> Void] = []
  private let isStopping = Atomic<Bool>(false)
  /// When the present turn's wait was over. Thread: the looping one.
  public private(set) var turnBegan = HostTime(nanoseconds: 0)

  public init() {
    event = jam_make_event()
    precondition(event >= 0, "no eventfd: the process has too many open files")
    descriptors = [event]
  }

  deinit { close(event) }

  /// Calls `handler` whenever `descriptor` is readable; at most 63 descriptors. Before `run`, or on the looping thread.
  public func add(_ descriptor: Int32, handler: @escaping () -> Void) {
    precondition(descriptors.count < 64, "a loop polls 63 descriptors at most")
    descriptors.append(descriptor)
    handlers.append(handler)
  }

  /// Ends the present wait. Thread: any.
  public func wake() { jam_raise_event(event) }

  /// Makes `run` return soon. Thread: any.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    wake()
  }

  /// What comes within this time of what came before is traffic, and is gathered: the kernel's stamps make the wait free for the
  /// sound, and a burst of twenty datagrams costs one wake instead of twenty. What comes alone is handled at once.
  private static let closeNanoseconds: Int64 = 1_000_000
  /// While there is traffic the loop looks again no sooner than this: half of what the constant delay leaves for ways between threads.
  private static let gatherNanoseconds: Int64 = 500_000

  /// Waits and calls until `stop`.
  /// - Parameters:
  ///   - deadline: asked before each wait; nil waits for descriptors and wakes alone.
  ///   - turn: called after each wait, after the readable descriptors' handlers.
  public func run(deadline: () -> HostTime?, turn: () -> Void) {
    var ready = [UInt8](repeating: 0, count: 64)
    var lastLook = Int64(0)
    var nextLook = Int64(0)
    while !isStopping.load(ordering: .acquiring) {
      let next = deadline()?.nanoseconds
      if nextLook > jam_monotonic_now() { jam_sleep_until(min(nextLook, next ?? nextLook)) }
      let timeout = next.map { max(0, $0 - jam_monotonic_now()) } ?? -1
      let count = jam_poll(descriptors, &ready, Int32(descriptors.count), timeout)
      turnBegan = HostTime(nanoseconds: jam_monotonic_now())
      if count > 0 {
        if ready[0] != 0 { jam_clear_event(event) }
        var handled = false
        for i in 1..<max(1, descriptors.count) where ready[i] != 0 {
          handlers[i - 1]()
          handled = true
        }
        if handled {
          let now = jam_monotonic_now()
          if now - lastLook < PollLoop.closeNanoseconds { nextLook = now + PollLoop.gatherNanoseconds }
          lastLook = now
        }
      }
      turn()
    }
    // They may hold whoever holds this loop.
    descriptors.removeSubrange(1...)
    handlers.removeAll()
  }
}

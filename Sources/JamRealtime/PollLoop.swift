internal import CRealtime
internal import Glibc
public import JamCore
internal import Synchronization

/// Makes one thread wait for the first of several events: a readable descriptor, a deadline, or a
/// call of `wake` from another thread.
///
/// Thread: `run`, `add` and `deadline` belong to the looping thread; any thread may call `wake` and
/// `stop`.
public final class PollLoop: @unchecked Sendable {
  // Unchecked: only the looping thread uses the arrays, and the flag is atomic.
  private let event: Int32
  private var descriptors: [Int32]
  private var handlers: [() -> Void] = []
  private let isStopping = Atomic<Bool>(false)
  /// When the wait of the current turn ended. Thread: the looping one.
  public private(set) var turnBegan = HostTime(nanoseconds: 0)

  public convenience init() {
    let event = jam_make_event()
    precondition(event >= 0, "no eventfd: the process has too many open files")
    self.init(event: event)
  }

  private init(event: Int32) {
    self.event = event
    descriptors = [event]
  }

  /// A loop for callers that can continue without one.
  /// - Returns: nil where the process has too many open files.
  public static func make() -> PollLoop? {
    let event = jam_make_event()
    return event >= 0 ? PollLoop(event: event) : nil
  }

  deinit { close(event) }

  /// Calls `handler` whenever `descriptor` is readable; at most 63 descriptors. Call it before
  /// `run`, or on the looping thread.
  public func add(_ descriptor: Int32, handler: @escaping () -> Void) {
    precondition(descriptors.count < 64, "a loop polls 63 descriptors at most")
    descriptors.append(descriptor)
    handlers.append(handler)
  }

  /// Ends the current wait. Thread: any.
  public func wake() { jam_raise_event(event) }

  /// Makes `run` return soon. Thread: any.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    wake()
  }

  /// Datagrams that follow each other within this time are dense traffic, and are gathered. The
  /// wait does not change the sound, because the kernel stamps each arrival. A burst of twenty
  /// datagrams costs one wake instead of twenty. A datagram that comes alone is handled at once.
  private static let closeNanoseconds: Int64 = 1_000_000
  /// The shortest time between two looks during dense traffic. This is half of the time that the
  /// constant delay leaves for the ways between threads.
  private static let gatherNanoseconds: Int64 = 500_000

  /// Waits for events and handles them until `stop`.
  /// - Parameters:
  ///   - deadline: called before each wait. Nil waits only for descriptors and `wake`.
  ///   - turn: called after each wait, after the handlers of the readable descriptors.
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
    // The handlers may hold a reference to the owner of this loop, so they are released here.
    descriptors.removeSubrange(1...)
    handlers.removeAll()
  }
}

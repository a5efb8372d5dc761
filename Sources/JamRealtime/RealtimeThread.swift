internal import CRealtime
internal import Glibc
internal import Synchronization

/// A named thread of this program, with real-time priority where the system grants it.
///
/// The thread is always made with ordinary scheduling, and then asks for its priority itself.
/// Threads that it makes have ordinary scheduling again.
/// Thread: make, start and join from any one thread.
public final class RealtimeThread: @unchecked Sendable {
  // Unchecked: only the starting thread uses `handle`.
  private let name: String
  private var handle: pthread_t?

  /// - Parameter name: the name in `top -H`, at most 15 characters.
  public init(name: String) { self.name = String(name.prefix(15)) }

  /// Runs `body` on the thread, and returns when the thread's scheduling is known. Join an earlier
  /// body first.
  /// - Parameters:
  ///   - priority: 1…99 asks for SCHED_FIFO; 0 keeps ordinary scheduling.
  ///   - niceness: 1…19 gives other ordinary threads precedence.
  /// - Returns: nil, or why real-time scheduling was refused (an `errno`). The thread runs in both
  ///   cases.
  @discardableResult
  public func start(
    priority: Int = 0, niceness: Int = 0, _ body: @escaping @Sendable () -> Void
  ) -> Int32? {
    switch launch(priority: priority, niceness: niceness, body) {
    case .running(let schedulingError): return schedulingError
    case .refused(let code): preconditionFailure("\(name): no thread can be started (error \(code))")
    }
  }

  /// The result of a launch.
  public enum Launch: Hashable, Sendable {
    /// The thread runs. `schedulingError` is nil, or why real-time scheduling was refused (an
    /// `errno`).
    case running(schedulingError: Int32?)
    /// The system could not make a thread; `code` is an `errno`.
    case refused(code: Int32)
  }

  /// Like `start`, for callers that can continue without the thread.
  public func launch(
    priority: Int = 0, niceness: Int = 0, _ body: @escaping @Sendable () -> Void
  ) -> Launch {
    precondition(handle == nil, "\(name) runs already")
    let start = Start(name: name, priority: Int32(priority), niceness: Int32(niceness), body: body)
    let ticket = start.started.ticket
    var made = pthread_t()
    let context = Unmanaged.passRetained(start)
    let result = jam_make_thread(&made, threadMain, context.toOpaque())
    guard result == 0 else {
      context.release()
      return .refused(code: result)
    }
    handle = made
    while start.started.ticket == ticket { start.started.wait(since: ticket, atMostMilliseconds: 100) }
    let error = start.schedulingError.load(ordering: .acquiring)
    return .running(schedulingError: error == 0 ? nil : error)
  }

  /// Waits for the body to return; returns at once where none was started. Then another body may be
  /// started.
  public func join() {
    guard let handle else { return }
    pthread_join(handle, nil)
    self.handle = nil
  }

  /// Lets the thread end by itself. Then another body may be started.
  public func detach() {
    guard let handle else { return }
    pthread_detach(handle)
    self.handle = nil
  }

  /// Whether the calling thread runs in real time.
  public static var isCurrentRealtime: Bool { jam_thread_policy() != 0 }

  /// Sleeps until `deadline` on CLOCK_MONOTONIC.
  public static func sleep(untilNanoseconds deadline: Int64) { jam_sleep_until(deadline) }

  /// Makes denormals zero on the calling thread, so that an offline render gives the same bits as a
  /// live one.
  public static func flushDenormals() { jam_flush_denormals() }
}

private final class Start: Sendable {
  let name: String
  let priority: Int32
  let niceness: Int32
  let body: @Sendable () -> Void
  let started = WakeSignal()
  let schedulingError = Atomic<Int32>(0)

  init(name: String, priority: Int32, niceness: Int32, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.priority = priority
    self.niceness = niceness
    self.body = body
  }

  func run() {
    schedulingError.store(jam_begin_thread(name, priority, niceness), ordering: .releasing)
    jam_flush_denormals()
    started.raise()
    body()
  }
}

// A function and not a closure, because a closure made on the main actor would trap on another
// thread.
private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  Unmanaged<Start>.fromOpaque(context!).takeRetainedValue().run()
  return nil
}

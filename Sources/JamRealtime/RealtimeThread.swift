internal import CRealtime
internal import Glibc
internal import Synchronization

/// A named thread of our own, at real-time priority where the system grants it.
///
/// Thread: make, start and join from any one thread.
public final class RealtimeThread: @unchecked Sendable {
  // Unchecked: `handle` is touched by the starting thread alone; the rest is atomic or constant.
  private let name: String
  private let priority: Int32
  private let body: @Sendable () -> Void
  private let schedulingError = Atomic<Int32>(0)
  private var handle = pthread_t()

  /// - Parameters:
  ///   - name: as `top -H` shows it, 15 characters at most.
  ///   - priority: 1…99 asks for SCHED_FIFO; 0 stays with ordinary scheduling.
  public init(name: String, priority: Int, body: @escaping @Sendable () -> Void) {
    self.name = String(name.prefix(15))
    self.priority = Int32(priority)
    self.body = body
  }

  /// Starts the thread and returns when it knows how it is scheduled.
  /// - Returns: nil, or why real-time scheduling was refused (an `errno`); the thread runs all the same.
  @discardableResult
  public func start() -> Int32? {
    let started = WakeSignal()
    let ticket = started.ticket
    let box = Unmanaged.passRetained(Start(thread: self, started: started))
    let result = pthread_create(&handle, nil, threadMain, box.toOpaque())
    precondition(result == 0, "pthread_create failed with error \(result)")
    while started.ticket == ticket { started.wait(since: ticket, atMostMilliseconds: 100) }
    let error = schedulingError.load(ordering: .acquiring)
    return error == 0 ? nil : error
  }

  /// Waits for the body to return. Call it once after `start`.
  public func join() { pthread_join(handle, nil) }

  fileprivate func run(_ started: WakeSignal) {
    schedulingError.store(jam_become_realtime(name, priority), ordering: .releasing)
    jam_flush_denormals()
    started.raise()
    body()
  }

  /// Sleeps until `deadline` on CLOCK_MONOTONIC.
  public static func sleep(untilNanoseconds deadline: Int64) { jam_sleep_until(deadline) }

  /// Denormals become zero on the calling thread: an offline render then gives the same bits as a live one.
  public static func flushDenormals() { jam_flush_denormals() }
}

private final class Start {
  let thread: RealtimeThread
  let started: WakeSignal
  init(thread: RealtimeThread, started: WakeSignal) {
    self.thread = thread
    self.started = started
  }
}

// A function, not a closure: a closure made on the main actor would trap on another thread.
private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()
  start.thread.run(start.started)
  return nil
}

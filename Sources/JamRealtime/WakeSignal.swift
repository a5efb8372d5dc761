internal import CRealtime
public import Synchronization

@usableFromInline struct WakeWords: ~Copyable {
  @usableFromInline let count = Atomic<UInt32>(0)
  @usableFromInline let waiters = Atomic<UInt32>(0)
  @usableFromInline init() {}
}

/// Wakes sleeping threads when there is work. Raising the signal neither locks nor waits, and makes
/// a system call only when a thread sleeps.
///
/// Thread: any number of threads may raise, and any number may wait.
public final class WakeSignal: @unchecked Sendable {
  // Unchecked: the words are atomics at a fixed address.
  private let words: UnsafeMutablePointer<WakeWords>
  private var futex: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt32.self)
  }

  public init() {
    words = .allocate(capacity: 1)
    words.initialize(to: WakeWords())
  }

  deinit {
    words.deinitialize(count: 1)
    words.deallocate()
  }

  /// Wakes all waiting threads. Call it after the render and never inside it, because the wake is a
  /// system call.
  public func raise() {
    words.pointee.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if words.pointee.waiters.load(ordering: .sequentiallyConsistent) > 0 { jam_futex_wake(futex) }
  }

  /// A ticket for `wait(since:)`. Take the ticket first, then look for work, then wait.
  public var ticket: UInt32 { words.pointee.count.load(ordering: .sequentiallyConsistent) }

  /// Sleeps until the signal is raised after `ticket` was taken, or until the time is over.
  public func wait(since ticket: UInt32, atMostMilliseconds milliseconds: Double) {
    words.pointee.waiters.wrappingAdd(1, ordering: .sequentiallyConsistent)
    jam_futex_wait(futex, ticket, Int64(milliseconds * 1_000_000))
    words.pointee.waiters.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }
}

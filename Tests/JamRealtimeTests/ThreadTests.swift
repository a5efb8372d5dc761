import JamRealtime
import Synchronization
import Testing

@Suite struct ThreadTests {
  final class Shared: Sendable {
    let signal = WakeSignal()
    let raised = Atomic<Int>(0)
    let seen = Atomic<Int>(0)
    let isFlushed = Atomic(false)
  }

  @Test("a waiter misses no signal: what was raised before it waits wakes it at once")
  func wakeSignal() {
    let shared = Shared()
    let waiter = RealtimeThread(name: "waiter")
    waiter.start {
      while shared.seen.load(ordering: .relaxed) < 2_000 {
        let ticket = shared.signal.ticket
        let raised = shared.raised.load(ordering: .acquiring)
        if raised == shared.seen.load(ordering: .relaxed) {
          // A missed signal would hold the test up for an hour.
          shared.signal.wait(since: ticket, atMostMilliseconds: 3_600_000)
        } else {
          shared.seen.store(raised, ordering: .relaxed)
        }
      }
    }
    for _ in 0..<2_000 {
      shared.raised.wrappingAdd(1, ordering: .releasing)
      shared.signal.raise()
    }
    waiter.join()
    let seen = shared.seen.load(ordering: .relaxed)
    #expect(seen == 2_000)
  }

  @Test("denormals are zero on a real-time thread")
  func denormals() {
    let shared = Shared()
    // Handed over: what an optimiser knows it computes itself, and it flushes nothing.
    shared.seen.store(Int(Float.leastNormalMagnitude.bitPattern), ordering: .relaxed)
    let thread = RealtimeThread(name: "denormals")
    thread.start {
      let tiny = Float(bitPattern: UInt32(truncatingIfNeeded: shared.seen.load(ordering: .relaxed)))
      shared.isFlushed.store(tiny * 0.5 == 0, ordering: .releasing)
    }
    thread.join()
    let isFlushed = shared.isFlushed.load(ordering: .acquiring)
    #expect(isFlushed)
  }

  @Test("a thread runs one body after another, and joining it without one returns at once")
  func again() {
    let shared = Shared()
    let thread = RealtimeThread(name: "again")
    thread.join()
    for _ in 0..<2 {
      thread.start { shared.seen.wrappingAdd(1, ordering: .relaxed) }
      thread.join()
      thread.join()
    }
    let seen = shared.seen.load(ordering: .relaxed)
    #expect(seen == 2)
  }

  @Test("a sound is in use as long as one hit or voice needs it")
  func bankUse() {
    let use = SampleUse()
    defer { use.deallocate() }
    #expect(use.count == 0)
    use.retain()
    use.retain()
    use.release()
    #expect(use.count == 1)
    use.release()
    #expect(use.count == 0)
  }
}

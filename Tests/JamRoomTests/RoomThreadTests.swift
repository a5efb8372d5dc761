import Dispatch
import JamCore
import JamRealtime
import JamRoom
import Synchronization
import Testing

@Suite struct RoomThreadTests {
  /// Counts the turns that it has; wants one whenever it is asked.
  final class Client: RoomThreadClient, Sendable {
    let turns = Atomic<Int>(0)
    var deadline: HostTime { HostTime(nanoseconds: 0) }
    func turn(at now: HostTime) { turns.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test("what others hand in is carried out in its order, and the thread's clients have their turns in between")
  func manyCalls() {
    let thread = RoomThread()
    let client = Client()
    thread.add(client)
    let order = Mutex<[Int]>([])
    let turnsMeanwhile = Atomic<Int>(0)
    let done = DispatchSemaphore(value: 0)
    for i in 0..<40 {
      thread.submit {
        // Each takes as long as dear work does.
        let end = HostTime.now.advanced(byNanoseconds: 200_000)
        while HostTime.now < end {}
        order.withLock { $0.append(i) }
      }
    }
    thread.submit {
      turnsMeanwhile.store(client.turns.load(ordering: .relaxed), ordering: .relaxed)
      done.signal()
    }
    thread.start(priority: 0)
    done.wait()
    #expect(order.withLock { $0 } == Array(0..<40))
    // Three calls at most in a turn.
    #expect(turnsMeanwhile.load(ordering: .relaxed) >= 13)
    thread.stop()
    #expect(thread.turns.count >= 13)
    let turns = thread.turns
    #expect(turns.whole.longest.load(ordering: .relaxed) > 0)
    // Each call computes for as long as it takes, so most of that is CPU time.
    let longest = turns.computing.longest.load(ordering: .relaxed)
    #expect(longest > 0)
    #expect(longest <= turns.computing.nanoseconds.load(ordering: .relaxed))
    // What was taken is told once.
    #expect(turns.computing.takeLongest() == longest)
    #expect(turns.computing.takeLongest() == 0)
  }

  @Test("a call handed in while an earlier turn's calls are left is carried out without another wake")
  func behind() {
    let thread = RoomThread()
    let done = DispatchSemaphore(value: 0)
    thread.submit {
      // Handed in now, it finds an empty inbox: the wake for it ends the wait of the next turn, which has the
      // second call to carry out still.
      thread.submit { done.signal() }
      let end = HostTime.now.advanced(byNanoseconds: 1_000_000)
      while HostTime.now < end {}
    }
    thread.submit {
      let end = HostTime.now.advanced(byNanoseconds: 1_000_000)
      while HostTime.now < end {}
    }
    thread.start(priority: 0)
    // A bound for a thread that sleeps for good, not a measure.
    #expect(done.wait(timeout: .now() + 20) == .success)
    thread.stop()
  }

  @Test("what was handed in before the end is carried out, a job or a call") func stopping() {
    let thread = RoomThread()
    let count = Atomic<Int>(0)
    thread.start(priority: 0)
    for _ in 0..<100 { thread.submit { count.wrappingAdd(1, ordering: .relaxed) } }
    thread.stop()
    #expect(count.load(ordering: .relaxed) == 100)
    #expect(!thread.submit {})
  }

  @Test("a full inbox refuses and counts, also what was taken from it and waits still") func full() {
    let thread = RoomThread(mostWaiting: 3)
    for _ in 0..<5 { thread.submit {} }
    #expect(thread.dropped == 2)
    thread.start(priority: 0)
    thread.stop()
  }
}

import Dispatch
import JamRealtime
import Synchronization
import Testing

@Suite struct BackgroundPoolTests {
  /// A pool of one worker, which waits until the test lets it go on.
  final class Held: Sendable {
    let pool: BackgroundPool
    private let gate = DispatchSemaphore(value: 0)
    private let order = Mutex<[String]>([])
    private let done = DispatchSemaphore(value: 0)

    init(most: (all: Int, line: Int) = (1_000, 100)) {
      pool = BackgroundPool(name: "held", workers: 1, most: most)
      let begun = DispatchSemaphore(value: 0)
      pool.submit(BackgroundPool.Line("gate", of: "test")) { [gate] in
        begun.signal()
        gate.wait()
      }
      begun.wait()
    }

    @discardableResult
    func order(_ name: String, _ kind: String, of owner: String, replacing subject: String? = nil) -> Bool {
      pool.submit(BackgroundPool.Line(kind, of: owner), replacing: subject) { [self] in
        order.withLock { $0.append(name) }
        done.signal()
      }
    }

    /// Lets the worker go on, and waits until `count` orders were carried out.
    func carriedOut(_ count: Int) -> [String] {
      gate.signal()
      for _ in 0..<count { done.wait() }
      return order.withLock { $0 }
    }
  }

  @Test("whoever orders much waits for itself: kinds take turns, and so do those who order")
  func turns() {
    let held = Held()
    for number in 1...50 { held.order("flood \(number)", "stretching", of: "bert") }
    held.order("ann", "stretching", of: "ann")
    held.order("kit", "reading", of: "main")
    let order = held.carriedOut(52)
    #expect(
      Set(order.prefix(4)) == ["flood 1", "flood 2", "ann", "kit"] || Set(order.prefix(3)) == ["flood 1", "ann", "kit"])
    #expect(order.filter { $0.hasPrefix("flood") } == (1...50).map { "flood \($0)" }, "a line keeps its order")
  }

  @Test("of the same subject the last order counts, in the place of the first")
  func replacing() {
    let held = Held()
    for number in 1...20 { held.order("stretch \(number)", "stretching", of: "ann", replacing: "pad 1") }
    held.order("other", "stretching", of: "ann", replacing: "pad 2")
    #expect(held.carriedOut(2) == ["stretch 20", "other"])
    #expect(held.pool.refused == 0)
  }

  @Test("what may wait is bounded, in a line and in all, and what was refused is counted")
  func bounds() {
    let held = Held(most: (all: 6, line: 4))
    #expect((1...5).map { held.order("\($0)", "a", of: "ann") } == [true, true, true, true, false])
    #expect((1...3).map { held.order("\($0)", "a", of: "bert") } == [true, true, false])
    #expect(held.pool.refused == 2 && held.pool.waiting == 6)
    #expect(held.carriedOut(6).count == 6)
  }

  @Test("at the end what is to be kept is done, and the rest is dropped")
  func end() {
    let held = Held()
    for owner in ["names", "kits"] {
      held.order(owner, "keeping", of: owner)
      held.order("stretch", "stretching", of: owner)
    }
    #expect(!held.pool.end(finishing: ["keeping"], atMostMilliseconds: 0), "it is still held")
    #expect(!held.order("late", "stretching", of: "ann"))
    #expect(Set(held.carriedOut(2)) == ["names", "kits"])
    #expect(held.pool.end(finishing: ["keeping"], atMostMilliseconds: 60_000))
  }

  @Test("a real-time thread's background threads are ordinary, and so are those of libraries that it calls")
  func ordinary() {
    final class Seen: Sendable {
      let maker = Atomic(false)
      let pool = Atomic(true)
      let own = Atomic(true)
      let dispatched = Atomic(true)
    }
    let seen = Seen()
    let thread = RealtimeThread(name: "maker")
    let refusal = thread.start(priority: 10) {
      seen.maker.store(RealtimeThread.isCurrentRealtime, ordering: .relaxed)
      let done = DispatchSemaphore(value: 0)
      let pool = BackgroundPool(name: "ordinary", workers: 1)
      pool.submit(BackgroundPool.Line("test", of: "test")) {
        seen.pool.store(RealtimeThread.isCurrentRealtime, ordering: .relaxed)
        done.signal()
      }
      let own = RealtimeThread(name: "own")
      own.start { seen.own.store(RealtimeThread.isCurrentRealtime, ordering: .relaxed) }
      own.join()
      DispatchQueue(label: "library").async {
        seen.dispatched.store(RealtimeThread.isCurrentRealtime, ordering: .relaxed)
        done.signal()
      }
      done.wait()
      done.wait()
    }
    thread.join()
    // Where the right is missing there is nothing to inherit.
    let isMakerRealtime = seen.maker.load(ordering: .relaxed)
    #expect(isMakerRealtime == (refusal == nil))
    let ofOthers = [
      seen.pool.load(ordering: .relaxed), seen.own.load(ordering: .relaxed), seen.dispatched.load(ordering: .relaxed),
    ]
    #expect(ofOthers == [false, false, false])
  }
}

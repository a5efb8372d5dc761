internal import JamCore
internal import JamRealtime
internal import Synchronization

/// One render thread: sleeps until a buffer is due, renders it, and takes requests between buffers.
///
/// Thread: its own, at real-time priority where that is granted.
final class RenderWorker: Sendable {
  private let requests: RingOwner<SlotRequest>
  private let wake = WakeSignal()
  /// Raised when a slot was removed.
  private let left = WakeSignal()
  private let isEnding = Atomic<Bool>(false)
  private let delay: Atomic<Int64> = .init(0)
  private let capacity: Int
  private let thread: RealtimeThread

  init(name: String, capacity: Int) {
    thread = RealtimeThread(name: name)
    self.capacity = capacity
    // Room for every room to come and go once before the worker looks.
    requests = RingOwner(capacity: capacity * 2)
  }

  /// - Returns: the reason why real-time scheduling was refused (an `errno`), or nil.
  func start(priority: Int) -> Int32? { thread.start(priority: priority) { self.run() } }

  /// Ends the thread, which removes every slot.
  func stop() {
    isEnding.store(true, ordering: .releasing)
    wake.raise()
    thread.join()
  }

  func add(_ slot: UnsafeMutablePointer<SlotMemory>) { send(.add(slot)) }

  func remove(_ slot: UnsafeMutablePointer<SlotMemory>) { send(.remove(slot)) }

  /// Returns when the worker will not touch the slot again.
  func waitUntilRemoved(_ slot: UnsafeMutablePointer<SlotMemory>) {
    while true {
      let ticket = left.ticket
      if slot.pointee.isRemoved.load(ordering: .acquiring) { return }
      left.wait(since: ticket, atMostMilliseconds: 100)
    }
  }

  /// Makes the next sleep end this much too late, as on a busy machine.
  func oversleep(nanoseconds: Int64) { delay.store(nanoseconds, ordering: .relaxed) }

  private func send(_ request: SlotRequest) {
    // The ring is full only while the worker is late by hundreds of rooms. Then the owner waits;
    // the worker never does.
    while requests.ring.freeSlots == 0 { RealtimeThread.sleep(untilNanoseconds: HostTime.now.nanoseconds + 1_000_000) }
    requests.ring.push(request)
    wake.raise()
  }

  private func run() {
    var round = RenderRound(capacity: capacity)
    while !isEnding.load(ordering: .acquiring) {
      let ticket = wake.ticket
      takeRequests(&round)
      guard let due = round.render(at: .now) else {
        wake.wait(since: ticket, atMostMilliseconds: 1_000)
        continue
      }
      sleep(until: due)
    }
    takeRequests(&round)
    round.dismiss()
    left.raise()
  }

  private func takeRequests(_ round: inout RenderRound) {
    var someRemoved = false
    while let request = requests.ring.pop() {
      round.obey(request)
      if case .remove = request { someRemoved = true }
    }
    if someRemoved { left.raise() }
  }

  private func sleep(until due: HostTime) {
    // The worker is still behind. A pause of a quarter of a millisecond keeps it from taking the
    // whole core.
    let now = HostTime.now
    let deadline = due > now ? due : now.advanced(byNanoseconds: 250_000)
    RealtimeThread.sleep(untilNanoseconds: deadline.nanoseconds + delay.exchange(0, ordering: .relaxed))
  }
}

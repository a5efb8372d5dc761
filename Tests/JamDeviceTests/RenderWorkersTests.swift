import JamCore
import JamEngine
import JamRealtime
import Testing

@testable import JamDevice

@Suite("Render workers")
struct RenderWorkersTests {
  /// Waits, awake at each of the room's buffers, until `condition` holds.
  private func wait(for room: TestRoom, until condition: () -> Bool) {
    while true {
      let ticket = room.wake.ticket
      if condition() { return }
      room.wake.wait(since: ticket, atMostMilliseconds: 100)
    }
  }

  @Test("rooms come and go while others play; an engine that was removed is rendered no more")
  func comeAndGo() {
    let workers = RenderWorkers(count: 2, origin: .now)
    _ = workers.start()
    let rooms = (0..<6).map { _ in TestRoom(anchor: workers.anchor(openingAt: .now)) }
    let slots = rooms.map { workers.add($0.engine, tape: $0.tape, anchor: $0.anchor, wake: $0.wake) }
    #expect(slots.filter { $0.worker == 0 }.count == 3)
    for (room, slot) in zip(rooms, slots) { wait(for: room) { slot.renderedBuffers >= 4 } }

    workers.remove(slots[0])
    let end = rooms[0].tape.tape.end
    let others = slots[1].renderedBuffers
    wait(for: rooms[1]) { slots[1].renderedBuffers >= others + 4 }
    #expect(rooms[0].tape.tape.end == end)
    // The place that came free is taken first.
    let next = TestRoom(anchor: workers.anchor(openingAt: .now))
    #expect(workers.add(next.engine, tape: next.tape, anchor: next.anchor, wake: next.wake).worker == slots[0].worker)
    workers.stop()
    workers.remove(slots[1])
  }

  @Test("the tape is where the clock is, and a forced late wake-up is caught up and counted")
  func oversleeps() {
    let workers = RenderWorkers(count: 1, origin: .now)
    _ = workers.start()
    let room = TestRoom(anchor: workers.anchor(openingAt: .now))
    let slot = workers.add(room.engine, tape: room.tape, anchor: room.anchor, wake: room.wake)
    wait(for: room) { slot.renderedBuffers >= 4 }
    let late = slot.lateBuffers
    workers.oversleep(milliseconds: 20)
    wait(for: room) { slot.lateBuffers >= late + 7 }
    let behind = room.anchor.frame(at: .now).count - room.tape.tape.end.count
    // Nothing was skipped: the tape has every buffer that was counted.
    workers.stop()
    #expect(Int(room.tape.tape.end.count) == slot.renderedBuffers * 120)
    #expect(behind < 48_000)
    #expect(slot.nanosecondsPerBuffer > 0 && slot.takePeakNanosecondsPerBuffer() > 0)
  }

  @Test("all rooms' buffers are due together, whenever they open")
  func anchors() {
    let origin = HostTime(nanoseconds: 1_234_567_891)
    let workers = RenderWorkers(count: 1, origin: origin)
    for later: Int64 in [0, 1, 2_499_999, 2_500_000, 987_654_321] {
      let anchor = workers.anchor(openingAt: origin.advanced(byNanoseconds: later))
      #expect((anchor.origin.nanoseconds - origin.nanoseconds) % 2_500_000 == 0)
      #expect(anchor.origin.nanoseconds >= origin.nanoseconds + later)
      #expect(anchor.origin.nanoseconds < origin.nanoseconds + later + 2_500_000)
    }
  }

  @Test("a slot that is removed before the start is never rendered")
  func beforeTheStart() {
    let workers = RenderWorkers(count: 1, origin: .now)
    let room = TestRoom(anchor: workers.anchor(openingAt: .now))
    let other = TestRoom(anchor: workers.anchor(openingAt: .now))
    let slot = workers.add(room.engine, tape: room.tape, anchor: room.anchor, wake: room.wake)
    let otherSeat = workers.add(other.engine, tape: other.tape, anchor: other.anchor, wake: other.wake)
    workers.remove(slot)
    _ = workers.start()
    wait(for: other) { otherSeat.renderedBuffers >= 2 }
    workers.stop()
    #expect(slot.renderedBuffers == 0)
  }

  @Test("the warning about real-time scheduling says how to grant it")
  func warning() {
    let right = RealtimeRight.current
    #expect((1...99).contains(right.priority))
    #expect(right.warning(refusal: nil) == nil)
    let text = right.warning(refusal: 1) ?? ""
    #expect(text.contains("setcap cap_sys_nice+ep /") && text.contains("rtprio \(right.priority)"))
  }
}

import JamCore
import JamEngine
import JamRealtime
import Synchronization
import Testing

@testable import JamDevice

@Suite("Render round")
struct RenderRoundTests {
  private let origin = HostTime(nanoseconds: 7_000_000_000)

  private let rooms = Rooms()

  private func slot(_ anchor: ClockAnchor? = nil, isFollowed: Bool = true) -> EngineSlot {
    rooms.all.append(TestRoom(anchor: anchor ?? ClockAnchor(origin: origin), isFollowed: isFollowed))
    return rooms.all[rooms.all.count - 1].slot
  }

  private func time(_ milliseconds: Double) -> HostTime { origin.advanced(byMilliseconds: milliseconds) }

  @Test("a buffer is rendered when its first frame is due, not before")
  func onTime() {
    let slot = slot()
    var round = RenderRound(capacity: 4)
    round.obey(.add(slot.memory))
    #expect(round.render(at: time(-1)) == time(0))
    #expect(slot.renderedBuffers == 0)
    #expect(round.render(at: time(0)) == time(2.5))
    #expect(slot.renderedBuffers == 1)
    #expect(round.render(at: time(2.4)) == time(2.5))
    #expect(slot.renderedBuffers == 1)
    #expect(round.render(at: time(2.5)) == time(5))
    #expect(slot.renderedBuffers == 2)
    #expect(slot.lateBuffers == 0)
  }

  @Test("a late wake-up is caught up at once, and each buffer that was due before is counted late")
  func catchesUp() {
    let slot = slot()
    var round = RenderRound(capacity: 4)
    round.obey(.add(slot.memory))
    _ = round.render(at: time(0))
    #expect(round.render(at: time(26)) == time(27.5))
    #expect(slot.renderedBuffers == 11)
    #expect(slot.lateBuffers == 9)
    #expect(slot.cutCatchUps == 0)
  }

  @Test("a long catch-up is cut so that the other rooms have their turn, and no frame is skipped")
  func cut() {
    let (slow, other) = (slot(), slot())
    var round = RenderRound(capacity: 4)
    round.obey(.add(slow.memory))
    round.obey(.add(other.memory))
    let next = round.render(at: time(1_000))
    #expect(next == time(160))
    #expect(slow.renderedBuffers == 64 && other.renderedBuffers == 64)
    #expect(slow.cutCatchUps == 1)
    var rounds = 1
    while let due = round.render(at: time(1_000)), due <= time(1_000) { rounds += 1 }
    #expect(rounds == 6)
    #expect(slow.renderedBuffers == 401 && slow.lateBuffers == 400)
  }

  @Test("silent rooms that nobody follows are rendered in eights, each in its turn, and none of it is late")
  func rests() {
    let slots = (0..<8).map { _ in slot(isFollowed: false) }
    var round = RenderRound(capacity: 8)
    for slot in slots { round.obey(.add(slot.memory)) }
    // Until the limiter is at rest, nothing rests.
    for i in 0..<200 { _ = round.render(at: time(Double(i) * 2.5)) }
    var grown: [Int] = []
    for i in 200..<216 {
      let before = slots.map(\.renderedBuffers)
      #expect(round.render(at: time(Double(i) * 2.5)) == time(Double(i + 1) * 2.5), "one of them is due each time")
      grown += zip(slots, before).map { $0.renderedBuffers - $1 }
    }
    #expect(grown.filter { $0 == 8 }.count == 16 && grown.allSatisfy { $0 == 0 || $0 == 8 })
    #expect(slots.allSatisfy { $0.lateBuffers == 0 })
    // Who oversleeps a rest is late by what lies behind it.
    _ = round.render(at: time(216 * 2.5 + 100))
    #expect(slots.map(\.lateBuffers).max() == 40)
  }

  @Test("a hit in a resting room sounds on its frame, and who follows gets each buffer from the next on")
  func wakesUp() {
    let room = TestRoom(anchor: ClockAnchor(origin: origin), isFollowed: false)
    var round = RenderRound(capacity: 1)
    round.obey(.add(room.slot.memory))
    var now = 0.0
    while room.slot.renderedBuffers < 400 {
      _ = round.render(at: time(now))
      now += 2.5
    }
    // In the middle of a rest.
    while round.render(at: time(now))! < time(now + 10) { now += 2.5 }
    let behind = room.slot.renderedBuffers
    let frame = room.anchor.frame(at: time(now)) + Frames(240)
    room.commands.ring.push(EngineCommand(sequence: 1, frame: frame, action: .master(gain: 0.5)))
    _ = round.render(at: time(now + 2.5))
    #expect(room.slot.renderedBuffers == behind, "it rests on")
    for i in 2...8 { _ = round.render(at: time(now + 2.5 * Double(i))) }
    #expect(room.events.ring.pop() == nil, "nothing came late")
    #expect(room.slot.lateBuffers == 0)
    now += 20
    room.tape.tape.follow()
    for i in 1...8 { _ = round.render(at: time(now + 2.5 * Double(i))) }
    let before = room.slot.renderedBuffers
    _ = round.render(at: time(now + 22.5))
    #expect(room.slot.renderedBuffers == before + 1)
    room.tape.tape.unfollow()
  }

  @Test("each room keeps its own clock")
  func anchors() {
    let first = slot()
    let second = slot(ClockAnchor(origin: time(100)))
    var round = RenderRound(capacity: 4)
    round.obey(.add(first.memory))
    round.obey(.add(second.memory))
    for i in 0..<80 { _ = round.render(at: time(Double(i) * 2.5)) }
    #expect(first.renderedBuffers == 80)
    #expect(second.renderedBuffers == 40)
  }

  @Test("an engine that left is rendered no more and may be freed; the others play on")
  func leaves() {
    let (first, second) = (slot(), slot())
    var round = RenderRound(capacity: 4)
    round.obey(.add(first.memory))
    round.obey(.add(second.memory))
    _ = round.render(at: time(0))
    round.obey(.remove(first.memory))
    let isRemoved = first.memory.pointee.isRemoved.load(ordering: .acquiring)
    #expect(isRemoved)
    _ = round.render(at: time(2.5))
    #expect(first.renderedBuffers == 1 && second.renderedBuffers == 2)
    round.dismiss()
    #expect(round.render(at: time(5)) == nil)
  }

  @Test("readers are woken once a round in which something was rendered")
  func wakes() {
    let room = TestRoom(anchor: ClockAnchor(origin: origin))
    var round = RenderRound(capacity: 1)
    round.obey(.add(room.slot.memory))
    let before = room.wake.ticket
    _ = round.render(at: time(-1))
    #expect(room.wake.ticket == before)
    _ = round.render(at: time(10))
    #expect(room.wake.ticket == before + 1)
  }
}

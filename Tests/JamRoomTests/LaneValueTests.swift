import JamCore
import Testing

@testable import JamRoom

/// A row of blocks, without a room: bars have four beats.
@Suite struct LaneValueTests {
  private func slot(_ id: UInt64, bars: Int, _ hits: LoopHit...) -> LaneSlot {
    LaneSlot(id: id, block: Block(name: "\(id)", length: Beats(4 * bars), hits: []), hits: hits)
  }

  /// The blocks lie in slots 1, 3, 5, …
  private func lane(_ slots: LaneSlot..., action: LaneAction = .loop) -> Lane {
    var lane = Lane()
    for (index, slot) in slots.enumerated() { lane.slots[index * 2] = slot }
    lane.compile(at: .zero)
    lane.start(action, at: .zero)
    return lane
  }

  @Test("blocks play one after the other, empty slots take no time, and the lane stands behind the last one")
  func once() {
    var lane = lane(slot(1, bars: 1), slot(2, bars: 2), action: .play)
    #expect(lane.state == "playing" && lane.current == 1 && lane.nextTurn == Beats(4))
    lane.goOn(at: Beats(4))
    #expect(lane.current == 3 && lane.nextTurn == Beats(12))
    lane.goOn(at: Beats(12))
    #expect(lane.state == "stopped" && lane.current == 0 && lane.nextTurn == nil)
  }

  @Test("a lane that loops begins again behind its last block, on the bar line")
  func looped() {
    var lane = lane(slot(1, bars: 1), slot(2, bars: 2))
    lane.goOn(at: Beats(12))
    #expect(lane.state == "looping" && lane.current == 1 && lane.nextTurn == Beats(16))
  }

  @Test("a lane without blocks does not start")
  func empty() {
    let lane = lane()
    #expect(lane.state == "empty" && !lane.isPlaying && lane.nextTurn == nil)
  }

  @Test("the blocks' hits lie in one row, each behind what comes before it; those that swing are apart")
  func row() {
    let lane = lane(
      slot(1, bars: 1, Fixture.loopHit(at: 1)),
      slot(2, bars: 1, Fixture.loopHit(at: 0), Fixture.loopHit(at: 2, isStep: true)))
    #expect(lane.row.played.hits.map(\.position) == [Beats(1), Beats(4)] && !lane.row.played.swings)
    #expect(lane.row.steps.hits.map(\.position) == [Beats(6)] && lane.row.steps.swings)
    #expect(lane.row.length == Beats(8))
  }

  @Test("a swing that was sent stays so where another block is put on the lane")
  func sent() {
    var lane = lane(slot(1, bars: 1, Fixture.loopHit(at: 1, isStep: true)))
    lane.row.steps.sent = Beats(1)
    lane.slots[2] = slot(2, bars: 1)
    lane.compile(at: Beats(2))
    #expect(lane.row.steps.sent == Beats(1) && lane.row.length == Beats(8))
  }

  @Test("another block in the place of the one that plays goes on from where that began")
  func replaced() {
    var lane = lane(slot(1, bars: 1), slot(2, bars: 1))
    lane.slots[0] = slot(3, bars: 2)
    lane.compile(at: Beats(2))
    #expect(lane.current == 1 && lane.boundary == Beats(8))
    // It would be over by now: what comes after it plays, from its middle.
    lane.slots[0] = slot(4, bars: 1)
    lane.compile(at: Beats(6))
    #expect(lane.current == 3 && lane.boundary == Beats(8))
  }

  @Test("a block that is taken away while it plays is silent to its end, and the next one follows")
  func removed() {
    var lane = lane(slot(1, bars: 1), slot(2, bars: 1), slot(3, bars: 1))
    lane.goOn(at: Beats(4))
    lane.slots[2] = nil
    lane.compile(at: Beats(6))
    #expect(lane.boundary == Beats(8) && lane.begin == Beats(8))
    lane.goOn(at: Beats(8))
    #expect(lane.current == 5 && lane.boundary == Beats(12))
    lane.slots = Lane().slots
    lane.compile(at: Beats(9))
    #expect(!lane.isPlaying && lane.state == "empty")
  }

  @Test("what sounds is followed where it is moved")
  func moved() {
    var lane = lane(slot(1, bars: 1), slot(2, bars: 1), slot(3, bars: 1))
    let before = lane.slots
    lane.slots.swapAt(0, 2)
    lane.follow(from: before)
    lane.compile(at: Beats(1))
    #expect(lane.current == 3 && lane.boundary == Beats(4))
    lane.goOn(at: Beats(4))
    #expect(lane.current == 5, "and what lies behind it there comes next")
  }

  @Test("what waits for its bar line shows as it will be, and is due on that line")
  func waiting() {
    var lane = lane(slot(1, bars: 2))
    #expect(lane.playing == .loop)
    lane.waiting = WaitingAction(action: .stop, line: Beats(4))
    #expect(lane.state == "waiting" && lane.playing == nil && lane.nextTurn == Beats(4))
    lane.waiting = WaitingAction(action: .play, line: Beats(12))
    #expect(lane.playing == .play && lane.nextTurn == Beats(8))
    lane.stop()
    #expect(lane.playing == .play && lane.nextTurn == Beats(12))
    lane.waiting = nil
    #expect(lane.playing == nil && lane.state == "stopped")
  }

  @Test("hits are taken up to a frame, those as played before those that swing, and none twice")
  func taken() {
    // It holds the memory that its view reads; at 120 bpm a beat takes 24,000 frames.
    let map = TempoMap(tempo: Tempo(clamping: 120))
    let clock = LoopClock(map: map.view, swing: 0, sent: .zero)
    var looper = Looper()
    looper.lanes[0] = lane(
      slot(
        1, bars: 1, Fixture.loopHit(at: 0, number: 1, isStep: true), Fixture.loopHit(at: 1, number: 2),
        Fixture.loopHit(at: 3, number: 3)))
    looper.planLoops(clock, isPlaying: true)
    func take(until last: Frames) -> [UInt32] {
      var numbers: [UInt32] = []
      while let (hit, _) = looper.lanes[0].row.takeHit(until: last, clock) { numbers.append(hit.sequence) }
      return numbers
    }
    #expect(take(until: Frames(24_000)) == [2, 1] && take(until: Frames(71_999)) == [])
    #expect(take(until: Frames(96_000)) == [3, 1])
  }

  @Test("lanes that play begin with bar 1, and no others; their hits of before come again")
  func restarted() {
    var looper = Looper()
    looper.lanes[0] = lane(slot(1, bars: 1), slot(2, bars: 1))
    looper.lanes[1] = lane(slot(3, bars: 1))
    looper.lanes[1].stop()
    looper.lanes[0].goOn(at: Beats(4))
    looper.lanes[0].row.played.sent = Beats(3)
    looper.restart()
    #expect(looper.lanes[0].state == "looping" && looper.lanes[0].current == 1)
    #expect(looper.lanes[0].origin == .zero && looper.lanes[0].row.played.sent == nil)
    #expect(looper.lanes[1].state == "stopped")
  }

  @Test("lanes forget what they wait for where it is meant")
  func forgotten() {
    var looper = Looper()
    for (lane, action) in [(0, LaneAction.play), (2, .stop), (3, .loop)] {
      looper.lanes[lane].waiting = WaitingAction(action: action, line: Beats(4))
    }
    let first = looper.forgetLanes { $0 != .stop }
    #expect(first == [1, 4])
    #expect(looper.lanes.indices.filter { looper.lanes[$0].waiting != nil } == [2])
    let rest = looper.forgetLanes { _ in true }
    #expect(rest == [3])
  }

  @Test("a scene starts a lane on its line or stops it, and leaves one that goes round where it is")
  func launched() {
    var lane = lane(slot(1, bars: 1), slot(2, bars: 1))
    lane.goOn(at: Beats(4))
    let goesOn = !lane.launch(.loop, on: Beats(8))
    #expect(goesOn && lane.current == 3)
    let plays = lane.launch(.play, on: Beats(8))
    #expect(plays && lane.state == "playing" && lane.current == 1 && lane.origin == Beats(8))
    lane.waiting = WaitingAction(action: .loop, line: Beats(12))
    let stops = lane.launch(nil, on: Beats(12))
    #expect(stops && lane.state == "stopped")
    let isOther = lane.launch(nil, on: Beats(16))
    #expect(!isOther)
  }

  @Test("a lane that plays goes on in another way at once; everything else waits for its bar line")
  func orders() {
    var lane = lane(slot(1, bars: 1))
    lane.order(.play, on: Beats(4))
    #expect(lane.isPlaying && !lane.isLooped && lane.waiting == nil)
    lane.order(.stop, on: Beats(4))
    #expect(lane.isPlaying && lane.waiting == WaitingAction(action: .stop, line: Beats(4)))
    lane.stop()
    lane.order(.loop, on: Beats(8))
    #expect(!lane.isPlaying && lane.waiting == WaitingAction(action: .loop, line: Beats(8)))
    lane.order(.stop, on: Beats(12))
    #expect(lane.waiting == nil, "there is nothing to stop")
  }

  @Test("an undo brings slots back, keeps those that are there, and lets an empty lane go on from the next bar line")
  func restored() {
    var lane = lane(slot(1, bars: 1), slot(2, bars: 1))
    let before = LaneEdit(lane)
    lane.clear()
    lane.stop()
    let line = Beats(8)
    var standing = lane
    standing.restore(before, line: nil)
    #expect(standing.slots == before.slots && standing.waiting == nil)
    lane.restore(before, line: line)
    #expect(lane.slots == before.slots && lane.waiting == WaitingAction(action: .loop, line: line))
    lane.slots[0]?.block.name = "changed since"
    lane.restore(before, line: line)
    #expect(lane.slots[0]?.block.name == "changed since")
    lane.restore(LaneEdit(Lane()), line: line)
    #expect(lane.isEmpty && lane.waiting == nil)
  }
}

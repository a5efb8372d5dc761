import JamCore
import Testing

@testable import JamRoom

/// What is due next, without a loop.
@Suite struct LoopScheduleTests {
  // It holds the memory that its view reads.
  private let map = TempoMap(tempo: Tempo(clamping: 120))
  private var view: TempoMapView { map.view }
  private func id(_ index: UInt8) -> PlayerID { PlayerID(index: index) }

  @Test("the deadline is the first hit or turn of anybody, and none while nothing plays or waits")
  func deadline() {
    var schedule = LoopSchedule(players: 4)
    #expect(schedule.deadline(view) == nil)
    schedule.setNextHit(of: id(2), at: Frames(30_000))
    schedule.setNextHit(of: id(1), at: Frames(40_000))
    schedule.findNextHit(isPlaying: true)
    #expect(schedule.nextHit == Frames(30_000) && schedule.deadline(view) == Frames(30_000))
    schedule.setNextTurn(of: id(3), at: Beats(1))
    schedule.setNextTurn(of: id(0), at: Beats(4))
    schedule.findNextTurn()
    #expect(schedule.nextTurn?.player == id(3) && schedule.deadline(view) == Frames(24_000))
    schedule.setNextTurn(of: id(3), at: nil)
    schedule.findNextTurn()
    #expect(schedule.nextTurn?.player == id(0) && schedule.deadline(view) == Frames(30_000))
    schedule.findNextHit(isPlaying: false)
    #expect(schedule.nextHit == nil && schedule.deadline(view) == Frames(96_000))
  }

  @Test("of two turns on one bar line the first place's comes first")
  func ties() {
    var schedule = LoopSchedule(players: 3)
    for index in [2, 1] as [UInt8] { schedule.setNextTurn(of: id(index), at: Beats(4)) }
    schedule.findNextTurn()
    #expect(schedule.nextTurn?.player == id(1))
  }

  @Test("time runs one way, and the earliest late hit is awaited until it was looked at")
  func time() {
    var schedule = LoopSchedule(players: 1)
    schedule.send(until: Frames(99))
    schedule.send(until: Frames(50))
    schedule.advance(to: Frames(70))
    schedule.advance(to: Frames(60))
    #expect(schedule.sent == Frames(100) && schedule.advanced == Frames(70))
    schedule.awaitLate(at: Frames(500))
    schedule.awaitLate(at: Frames(400))
    schedule.awaitLate(at: Frames(600))
    #expect(schedule.nextLate == Frames(400))
    schedule.forgetLate()
    #expect(schedule.nextLate == nil)
  }

  @Test("a hit that lies within half a frame of its round's end is found as what was sent reaches that frame")
  func endOfRound() {
    let hits = [Fixture.loopHit(1, at: 1, number: 1), Fixture.loopHit(1, at: 3.99999, number: 2)]
    var track = Track(hits: hits, length: Beats(4))
    track.plan(
      from: .zero, origin: .zero, isPlaying: true, LoopClock(map: view, swing: 0, sent: Frames(96_000)))
    #expect(track.next == Track.NextHit(cycle: .zero, index: 1, frame: Frames(96_000)))
    track.plan(
      from: .zero, origin: .zero, isPlaying: true, LoopClock(map: view, swing: 0, sent: Frames(96_001)))
    #expect(track.next == Track.NextHit(cycle: Beats(4), index: 0, frame: Frames(120_000)))
  }
}

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
    #expect(schedule.deadline(view, ahead: .zero) == nil)
    schedule.setNextHit(of: id(2), at: Frames(30_000))
    schedule.setNextHit(of: id(1), at: Frames(40_000))
    schedule.findNextHit(isPlaying: true)
    #expect(schedule.nextHit == Frames(30_000) && schedule.deadline(view, ahead: .zero) == Frames(30_000))
    schedule.setNextTurn(of: id(3), at: Beats(1))
    schedule.setNextTurn(of: id(0), at: Beats(4))
    schedule.findNextTurn()
    #expect(schedule.nextTurn?.player == id(3) && schedule.deadline(view, ahead: .zero) == Frames(24_000))
    schedule.setNextTurn(of: id(3), at: nil)
    schedule.findNextTurn()
    #expect(schedule.nextTurn?.player == id(0) && schedule.deadline(view, ahead: .zero) == Frames(30_000))
    schedule.findNextHit(isPlaying: false)
    #expect(schedule.nextHit == nil && schedule.deadline(view, ahead: .zero) == Frames(96_000))
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

  @Test("few hits at once are sent at the last moment, many up to 20 ms ahead, and two seconds after the last of them")
  func density() {
    var schedule = LoopSchedule(players: 1)
    func line(_ hits: Int, at milliseconds: Int64) {
      for _ in 0..<hits { schedule.count(hitAt: .milliseconds(Double(milliseconds))) }
    }
    for second in 0..<4 as Range<Int64> { line(24, at: second * 250) }
    #expect(schedule.lookahead == .zero)
    line(74, at: 1_000)
    #expect(schedule.lookahead == Frames(600))
    line(4, at: 1_250)
    #expect(schedule.lookahead == Frames(600), "the next line may be as dense")
    line(1_000, at: 1_500)
    #expect(schedule.lookahead == .milliseconds(20))
    for step in 0..<20 as Range<Int64> { line(1, at: 1_600 + step * 150) }
    #expect(schedule.lookahead == .zero)
  }

  @Test("a hit is sent as much ahead as is asked for, and none before a turn that comes first")
  func ahead() {
    var schedule = LoopSchedule(players: 2)
    schedule.setNextHit(of: id(0), at: Frames(30_000))
    schedule.findNextHit(isPlaying: true)
    #expect(schedule.deadline(view, ahead: Frames(400)) == Frames(29_600))
    schedule.setNextTurn(of: id(1), at: Beats(1))
    schedule.findNextTurn()
    #expect(schedule.deadline(view, ahead: Frames(400)) == Frames(24_000))
    schedule.setNextTurn(of: id(1), at: Beats(2))
    schedule.findNextTurn()
    #expect(schedule.deadline(view, ahead: Frames(400)) == Frames(29_600))
  }
}

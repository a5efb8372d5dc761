import JamCore
import Testing

@testable import JamRoom

/// What a room counts, and what comes round by time alone.
@Suite struct TallyTests {
  @Test("each command has the next number, from 1 on, and a score says how its commands are numbered")
  func numbers() {
    var tally = Tally()
    let live = [tally.next(), tally.next()]
    tally.count(from: 40)
    let played = [tally.next(), tally.next()]
    #expect(live == [1, 2] && played == [40, 41])
  }

  @Test("where the clock runs backwards time stands still, and goes on where it was")
  func ticks() {
    var pulse = Pulse()
    let ticks = [480, 240, 481].map { pulse.tick(at: Frames($0)).count }
    #expect(ticks == [480, 480, 481] && pulse.ticked == Frames(481))
  }
}

import JamCore
import Testing

@testable import JamRoom

/// The clock without a room: at 120 bpm a beat takes 24,000 frames, and a bar 96,000.
@Suite struct ClockValueTests {
  private static let waltz = TimeSignature(beatsPerBar: 3, beatUnit: 4)!

  @Test("a bar line that is just due counts, the next one otherwise")
  func barLine() {
    let clock = Clock(tempo: Tempo(clamping: 120))
    func line(_ frame: Int64) -> Double { clock.barLine(atOrAfter: Frames(frame)).value }
    #expect([0, 1, 96_000, 96_001].map(line) == [0, 4, 4, 8])
    #expect(clock.map.barLine(2, after: Beats(4)) == Beats(12) && clock.map.barLine(0, after: Beats(4)) == Beats(4))
    #expect(clock.map.barLine(1, after: Beats(nearest: 4.5)) == Beats(8))
  }

  @Test(
    "bar lines follow another signature; it is the room's from the moment it is set, and holds from the next bar on")
  func signature() {
    var clock = Clock(tempo: Tempo(clamping: 120))
    #expect(clock.signature == .common)
    _ = clock.put(clock.map.setting(Self.waltz, afterBarAt: Frames(10)), at: Frames(10), keeping: 16)
    #expect(clock.signature == Self.waltz && clock.view.signature(at: Beats(3)).signature == .common)
    #expect((0...3).map { clock.map.barLine($0, after: .zero) } == [Beats(0), Beats(4), Beats(7), Beats(10)])
    #expect(clock.barLine(atOrAfter: Frames(96_001)) == Beats(7))
  }

  @Test("another tempo moves what comes, and nothing that was; whoever reads the map before it can go on")
  func put() {
    var clock = Clock(tempo: Tempo(clamping: 120))
    clock.begin()
    let first = clock.map
    let slower = first.setting(Tempo(clamping: 60), at: Frames(48_000))
    let old = clock.put(slower, at: Frames(48_000), keeping: 16)
    #expect(old === first.memory && clock.revision == 2)
    #expect([1, 2, 3].map { clock.view.frame(at: Beats($0)).count } == [24_000, 48_000, 96_000])
    #expect(old.view.frame(at: Beats(3)) == Frames(72_000))
  }

  @Test("a tempo that changes with every beat makes no map grow for ever, and its beats stay to the bit")
  func bounded() {
    for (limit, most) in [(16, 18), (4_096, 123)] {
      var clock = Clock(tempo: Tempo(clamping: 120))
      var whole = clock.map
      for number in 1...600 {
        let frame = Frames(Int64(number) * 24_000)
        let tempo = Tempo(clamping: 120 + Double(number % 2))
        whole = whole.setting(tempo, at: frame)
        _ = clock.put(clock.map.setting(tempo, at: frame), at: frame, keeping: limit)
      }
      #expect(clock.map.tempos.count <= most)
      let next = Beats(610)
      #expect(clock.view.exactFrame(at: next) == whole.view.exactFrame(at: next))
    }
  }

  @Test("each run of taps, or of an outside clock, is another")
  func runs() {
    var clock = Clock(tempo: .standard)
    let (first, second) = (clock.beginRun(), clock.beginRun())
    #expect(first != second && clock.runs == second)
  }

  @Test("votes are counted on the next bar line, which moves with the clock; at once while the transport stands")
  func votes() {
    var clock = Clock(tempo: Tempo(clamping: 120))
    _ = clock.put(clock.map.stopping(), at: .zero, keeping: 16)
    clock.planCountAgain(at: .zero)
    #expect(clock.voteDeadline == nil, "nobody has voted")
    clock.planCount(at: .zero)
    #expect(clock.voteDeadline == .zero)
    clock.election.line = nil
    _ = clock.put(clock.map.starting(at: .zero), at: .zero, keeping: 16)
    clock.planCount(at: Frames(10))
    clock.planCount(at: Frames(100_000))
    #expect(clock.election.line == Beats(4) && clock.voteDeadline == Frames(96_000) - RoomState.liveDelay)
    clock.planCountAgain(at: Frames(100_000))
    #expect(clock.election.line == Beats(8))
  }
}

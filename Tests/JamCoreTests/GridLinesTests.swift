import JamCore
import Testing

@Suite struct GridLinesTests {
  @Test("swing moves every second 1/8, 1/16 and 1/32, and nothing else; 2/3 is a triplet's last third")
  func swing() {
    let bar = TimeSignature.common.barLength
    for grid in Grid.allCases where grid != .off {
      let straight = GridLines(grid)
      #expect(straight.step(barLength: bar) == grid.line(1, barLength: bar))
      for swing: Float in [0, 0.5, 2 / 3, 0.75] {
        let swung = GridLines(grid, swing: swing)
        for index in Int64(0)..<8 {
          let late = (swung.line(index, barLength: bar) - straight.line(index, barLength: bar)).value
          let moves = index % 2 == 1 && [.eighth, .sixteenth, .thirtySecond].contains(grid)
          let step = straight.step(barLength: bar).value
          #expect(abs(late - (moves ? Double(swing) * step / 2 : 0)) <= 1e-6)
        }
      }
    }
    let triplet = GridLines(.eighthTriplet).line(2, barLength: bar)
    #expect(abs((GridLines(.eighth, swing: 2 / 3).line(1, barLength: bar) - triplet).microBeats) <= 1)
  }

  @Test(
    "lines follow each other, each is found again, and a bar line is one, in any signature",
    arguments: [(4, 4), (7, 8), (5, 16), (5, 32), (32, 1)])
  func inBars(beats: Int, unit: Int) throws {
    let signature = try #require(TimeSignature(beatsPerBar: beats, beatUnit: unit))
    let view = TempoMap(tempo: .standard, signature: signature)
    var random = TestRandom(seed: 5)
    for grid in Grid.allCases where grid != .off {
      for swing: Float in [0, 0.3, 0.75] {
        let lines = GridLines(grid, swing: swing)
        for _ in 0..<300 {
          let beat = Beats(microBeats: Int64(random.below(100_000_000)) - 20_000_000)
          let last = view.view.line(lines, atOrBefore: beat)
          let next = view.view.line(lines, after: beat)
          #expect(last <= beat && next > beat)
          #expect(view.view.line(lines, atOrBefore: last) == last && view.view.line(lines, atOrAfter: last) == last)
          #expect(view.view.line(lines, after: last) == next && view.view.line(lines, atOrAfter: beat) >= beat)
          #expect(
            view.view.barLine(atOrBefore: beat) <= last
              && view.view.barLine(atOrBefore: next) >= view.view.barLine(atOrBefore: beat))
          let bar = view.view.barLine(atOrBefore: beat)
          #expect(view.view.line(lines, atOrBefore: bar) == bar)
          #expect(view.view.line(last, of: lines, in: lines) == last)
        }
      }
    }
  }
}

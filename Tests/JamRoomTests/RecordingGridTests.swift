import Glibc
import JamCore
import TestSupport
import Testing

@testable import JamRoom

/// What a loop keeps of a hand's time. At 120 bpm a bar has 96,000 frames, and a sixteenth 6,000.
@Suite struct RecordingGridTests {
  private static let bar: Int64 = 96_000
  /// One frame, and silence.
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  /// A loop of one bar, hit at so many frames of bar 2, heard until bar 4.
  private func heard(
    _ hits: [Int64], grid: String, strength: Float? = nil, swing: Float = 0, quantize: String = "off"
  ) throws -> (live: [Int], kept: [Int]) {
    let studio = try Studio([tick])
    studio.set(.loopBars, .integer(1))
    studio.set(.loopQuantize, .text(grid))
    studio.set(.quantize, .text(quantize))
    studio.set(.swing, .float(swing))
    if let strength { studio.set(.loopQuantizeStrength, .float(strength)) }
    studio.send(.loop(.record), at: 50_000)
    for hit in hits { studio.hit(1, at: Self.bar + hit) }
    studio.run(until: Int(3 * Self.bar))
    let bar = Int(Self.bar)
    return (
      onsets(studio).filter { $0 < 2 * bar }.map { $0 - bar },
      onsets(studio).filter { $0 >= 2 * bar }.map { $0 - 2 * bar }
    )
  }

  @Test("a hit sounds at once, and comes round by six tenths nearer to its sixteenth, early or late")
  func gentle() throws {
    let (live, kept) = try heard([6_500, 17_000, 48_000], grid: "1/16")
    #expect(live == [6_500, 17_000, 48_000])
    // 500 late: 200 late. 1,000 early: 400 early. On its line.
    #expect(kept == [6_200, 17_600, 48_000])
  }

  @Test("a hit is its line's up to six tenths of a step behind, and four tenths before")
  func late() throws {
    // 3,500 late: 1,400 late. 2,300 early: 920 early. 2,500 early: 3,500 late for the line before.
    #expect(try heard([9_500, 27_700, 45_500], grid: "1/16").kept == [7_400, 29_080, 43_400])
  }

  @Test("from four hits on a pass tells how late its hand is, and that is taken off")
  func drift() throws {
    // 1,800 late in the middle: four tenths of 500 and 300 early, 0, 100 and 400 late are left.
    let kept = try heard([7_300, 19_500, 25_800, 37_900, 56_200], grid: "1/16").kept
    #expect(kept == [5_800, 17_880, 24_000, 36_040, 54_160])
  }

  @Test("a pass that is not on the grid, and one that is later than a hand, have no lateness taken off")
  func noDrift() throws {
    // Every second one is half a step late: thirty-seconds.
    #expect(
      try heard([6_000, 15_000, 24_000, 33_000, 42_000, 51_000], grid: "1/16").kept
        == [6_000, 13_200, 24_000, 31_200, 42_000, 49_200])
    // Eighths between quarters are 12,000 late for them.
    #expect(try heard([12_000, 36_000, 60_000, 84_000], grid: "1/4").kept == [4_800, 28_800, 52_800, 76_800])
  }

  @Test("who is late is heard on the first beat, too, once")
  func lateFirst() throws {
    let hits: [Int64] = [200, 25_000, 49_000, 73_000]
    let (live, kept) = try heard(hits, grid: "1/16")
    #expect(live == hits.map(Int.init))
    // The first one is 800 early for its hand, but not before the pass began.
    #expect(kept == [0, 24_000, 48_000, 72_000])
  }

  @Test("who is early is heard on the first beat, once in each round")
  func earlyFirst() throws {
    let (live, kept) = try heard([-1_400, 23_000, 47_000, 71_000], grid: "1/16")
    // It comes round 560 before the pass ends; from then on its hand's 1,000 are off, too.
    #expect(live == [-1_400, 23_000, 47_000, 71_000, 95_440])
    #expect(kept == [24_000, 48_000, 72_000, 95_840])
  }

  // MARK: By the rule alone, at 100 and 120 bpm

  /// Where hits are kept that are so many seconds off their quarters.
  private func kept(_ off: [Double], tempo: Float) -> [Double] {
    let map = TempoMap(tempo: Tempo(clamping: Double(tempo)))
    defer { withExtendedLifetime(map) {} }
    let beats = off.enumerated().map { index, off in
      Beats(nearest: Double(index + 4) + off * Double(tempo) / 60)
    }
    let grid = RecordingGrid(grid: .sixteenth)
    let drift = grid.drift(of: beats, map.view, swing: 0)
    return beats.enumerated().map { index, beat in
      grid.place(of: beat, map.view, swing: 0, drift: drift).value - Double(index + 4)
    }
  }

  @Test("no hit within 40 ms of its sixteenth goes to another one at 120 bpm, whatever hand the others have")
  func within40Milliseconds() {
    for seed in UInt64(0)..<500 {
      var random = SplitMix(seed: seed)
      let hand = Double.random(in: -0.04...0.04, using: &random)
      let off = (0..<8).map { index in
        index == 0 ? (hand < 0 ? 0.04 : -0.04) : min(max(hand + .random(in: -0.02...0.02, using: &random), -0.04), 0.04)
      }
      #expect(kept(off, tempo: 120).allSatisfy { abs($0) < 0.125 }, "\(off)")
    }
  }

  @Test("eight taps of a hand that is 40 ms late, with 25 ms of error, are all right at first in 90 of 100 passes")
  func firstUse() {
    let right = (UInt64(0)..<200).count { seed in
      var random = SplitMix(seed: seed)
      let off = (0..<8).map { _ in
        // Box and Muller.
        let (a, b) = (Double.random(in: 0.000_001...1, using: &random), Double.random(in: 0...1, using: &random))
        return 0.04 + 0.025 * (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
      }
      return kept(off, tempo: 100).allSatisfy { abs($0) < 0.125 }
    }
    print("all eight right in \(right) of 200")
    #expect(right >= 180)
  }

  @Test(
    "of strength 1 it lies on the line, of 0 where it was hit, and with the grid off, too",
    arguments: [0, 1] as [Float])
  func strength(strength: Float) throws {
    let kept = try heard([6_500, 17_000], grid: "1/16", strength: strength).kept
    #expect(kept == (strength == 0 ? [6_500, 17_000] : [6_000, 18_000]))
    #expect(try heard([6_500, 17_000], grid: "off", strength: 1).kept == [6_500, 17_000])
  }

  @Test("the lines swing with the room")
  func swing() throws {
    // The second sixteenth lies 0.5 × half a step later.
    #expect(try heard([7_000], grid: "1/16", strength: 1, swing: 0.5).kept == [7_500])
  }

  @Test(
    "what is nearest to the end of the pass comes round at its beginning, and an early one is heard once in each round")
  func ends() throws {
    #expect(try heard([48_000, 95_000], grid: "1/16", strength: 1).kept == [0, 48_000])
    let early = try heard([-600, 48_000], grid: "1/16", strength: 1)
    #expect(early.kept == [0, 48_000])
    // Of strength 0.5 it comes 300 frames before the line, at the pass's own end first.
    let half = try heard([-600, 48_000], grid: "1/16", strength: 0.5)
    #expect(half.live == [-600, 48_000, 95_700] && half.kept == [48_000, 95_700])
  }

  @Test("what /quantize has moved already, and rolls, stay where they are")
  func othersGrids() throws {
    // 1/8T lines are no sixteenths.
    #expect(try heard([8_100], grid: "1/16", strength: 1, quantize: "1/8T").kept == [8_000])
    let studio = try Studio([tick])
    studio.set(.loopBars, .integer(1))
    studio.set(.loopQuantize, .text("1/4"))
    studio.set(.loopQuantizeStrength, .float(1))
    studio.set(.repeatRate, .text("1/16"))
    studio.set(.pad(.mode, Pad(1)!), .text("repeat"))
    studio.send(.loop(.record), at: 50_000)
    studio.hit(1, at: Self.bar + 5_000)
    studio.send(.release(Pad(1)!), at: Self.bar + 19_000)
    studio.run(until: Int(3 * Self.bar))
    let bar = Int(Self.bar)
    #expect(onsets(studio).filter { $0 >= 2 * bar }.map { $0 - 2 * bar } == [6_000, 12_000, 18_000])
  }
}

import JamCore
import TestSupport
import Testing

@testable import JamRoom

/// Quantised hits, by the frames on which they are heard.
@Suite struct GridTests {
  private let pad = Pad(1)!
  /// One frame, and silence.
  private let tick = StudioSound([GridTests.level] + [Float](repeating: 0, count: 31))
  /// Many on one frame stay below the limiter.
  private static let level: Float = 1 / 64

  private func studio(_ grid: Grid, strength: Float = 1, swing: Float = 0, bpm: Double = 120) throws -> Studio {
    let studio = try Studio(Array(repeating: tick, count: 16), tempo: Tempo(clamping: bpm))
    studio.set(.quantize, .text(grid.word))
    studio.set(.quantizeStrength, .float(strength))
    studio.set(.swing, .float(swing))
    return studio
  }

  /// Each hit's frame: several on one frame are louder.
  private func onsets(_ studio: Studio) -> [Int] {
    studio.left.indices.filter { studio.left[$0] > GridTests.level / 2 }.flatMap { frame in
      Array(repeating: frame, count: Int((studio.left[frame] / GridTests.level).rounded()))
    }
  }

  /// Beats of a grid's lines in 4/4.
  private func lines(_ grid: Grid, swing: Double) -> [Double] {
    let step = grid == .bar ? 4 : 1 / Double(grid.linesPerBeat)
    let swings = [Grid.eighth, .sixteenth, .thirtySecond].contains(grid)
    return (0..<400).map { Double($0) * step + ($0 % 2 == 1 && swings ? swing * step / 2 : 0) }
  }

  /// Where a hit at `beat` belongs, in beats: nil too near to where that changes.
  private func place(_ beat: Double, _ grid: Grid, swing: Double, strength: Double) -> (sounds: Double, isLate: Bool)? {
    let lines = lines(grid, swing: swing)
    let next = lines.firstIndex { $0 > beat }!
    let step = grid == .bar ? 4 : 1 / Double(grid.linesPerBeat)
    let late = beat - lines[next - 1]
    guard abs(late - step / 3) > 1e-3, lines[next] - beat > 1e-3 else { return nil }
    return late < step / 3 ? (beat, true) : (beat + strength * (lines[next] - beat), false)
  }

  @Test(
    "a hit lands within a frame of its line, a late one sounds at once",
    arguments: Grid.allCases.filter { $0 != .off },
    [(63.5, 1.0, 0.0), (120.0, 0.5, 0.4), (171.3, 1.0, 2.0 / 3), (299.0, 1.0, 0.75)])
  func random(grid: Grid, at setup: (bpm: Double, strength: Double, swing: Double)) throws {
    let studio = try studio(grid, strength: Float(setup.strength), swing: Float(setup.swing), bpm: setup.bpm)
    var random = SplitMix(seed: UInt64(grid.rawValue) * 10 + UInt64(setup.bpm))
    let perBeat = 2_880_000 / setup.bpm
    var expected: [Double] = []
    var late = 0
    for number in 0..<24 {
      let frame = Int64(random.below(120_000)) + 300
      guard let place = place(Double(frame) / perBeat, grid, swing: setup.swing, strength: setup.strength) else {
        continue
      }
      // A pad has eight voices.
      studio.hit(number % 16 + 1, at: frame)
      expected.append(place.sounds * perBeat)
      late += place.isLate ? 1 : 0
    }
    studio.run(until: 120_600 + Int(perBeat * 4))
    let heard = onsets(studio)
    #expect(heard.count == expected.count && expected.count > 15 && late > 1)
    for (frame, line) in zip(heard, expected.sorted()) {
      Figures.note("quantised hit, frames", Double(frame) - line)
      #expect(abs(Double(frame) - line) <= 1)
    }
    #expect(studio.state.queue.waiting.isEmpty && studio.state.queue.next == nil)
  }

  @Test("hits that wait go where the tempo, a nudge or a ramp moves their line", arguments: 0..<4)
  func moves(change: Int) throws {
    for grid in [Grid.bar, .quarter] {
      let studio = try studio(grid, bpm: 90)
      // 32,000 frames a beat: past the third of a bar.
      for frame: Int64 in [60_000, 70_003, 80_001] { studio.hit(1, at: frame) }
      studio.hit(1, at: 76_001)
      switch change {
      case 0: studio.set(.tempo, .float(143.7), at: 82_000)
      case 1:
        studio.send(.nudge(120), at: 81_000)
        studio.send(.nudge(-75), at: 84_000)
      case 2: studio.set(.tempo, .float(300), at: 81_100)
      default:
        studio.run(until: 81_360)
        studio.ramp(to: 200, over: Beats(microBeats: 1_500_000), .ease)
      }
      studio.run(until: 240_000)
      let frames: [Int64] = [60_000, 70_003, 76_001, 80_001]
      let expected = frames.map { frame in
        let line = grid == .bar ? 4 : Double((frame + 31_999) / 32_000)
        // A third of a beat is 10,667 frames.
        let isLate = grid == .quarter && frame % 32_000 < 10_667
        return isLate ? Double(frame) : studio.state.map.view.exactFrame(at: Beats(nearest: line))
      }.sorted()
      let heard = onsets(studio)
      #expect(heard.count == 4)
      for (frame, line) in zip(heard, expected) {
        Figures.note("moved line, frames", Double(frame) - line)
        #expect(abs(Double(frame) - line) <= 1)
      }
    }
  }

  @Test("a roll follows the swung lines, and hits none twice when the swing changes")
  func roll() throws {
    let studio = try studio(.off, swing: 2 / 3)
    studio.set(.pad(.mode, pad), .text("repeat"))
    studio.hit(1)
    studio.set(.swing, .float(0.5), at: 20_500)
    studio.run(until: 36_000)
    #expect(onsets(studio) == [0, 8_000, 12_000, 20_000, 24_000, 31_500])
  }

  @Test("a gate sounds as long as it was held, to the frame, tap or not", arguments: [1, 200, 2_000, 9_000] as [Int64])
  func gate(held: Int64) throws {
    func length(_ grid: Grid, start: Int64, tempo: Bool) throws -> (start: Int, length: Int) {
      let studio = try Studio([.constant(0.25, frames: 96_000)])
      studio.set(.pad(.mode, pad), .text("gate"))
      studio.set(.quantize, .text(grid.word))
      studio.hit(1, at: start)
      studio.send(.release(pad), at: start + held)
      if tempo { studio.set(.tempo, .float(151), at: start + 240) }
      studio.run(until: 96_000)
      let first = try #require(studio.left.firstIndex { $0 != 0 })
      return (first, try #require(studio.left[first...].firstIndex { $0 == 0 }) - first)
    }
    let plain = try length(.off, start: 15_000, tempo: false)
    #expect(plain.start == 15_000)
    for tempo in [false, true] {
      let quantised = try length(.quarter, start: 15_000, tempo: tempo)
      #expect(tempo ? quantised.start < 24_000 : quantised.start == 24_000)
      #expect(quantised.length == plain.length)
    }
    // Late: where it is, as long as it is.
    let late = try length(.quarter, start: 25_000, tempo: false)
    #expect(late.start == 25_000 && late.length == plain.length)
  }

  @Test("gates in a row: a hit's release does not reach into the next hit")
  func gates() throws {
    let studio = try Studio([.constant(0.25, frames: 96_000)])
    studio.set(.pad(.mode, pad), .text("gate"))
    studio.set(.pad(.voices, pad), .integer(1))
    studio.set(.quantize, .text("1/16"))
    // Lines every 6,000 frames. The first is moved by 3,000 and held 5,900, the second by 100.
    studio.hit(1, at: 3_000)
    studio.send(.release(pad), at: 8_900)
    studio.hit(1, at: 11_900)
    studio.send(.release(pad), at: 13_900)
    studio.hit(1, at: 17_900)
    studio.send(.release(pad), at: 18_900)
    studio.run(until: 30_000)
    func sounds(_ frame: Int) -> Bool { studio.left[frame] > 0.2 }
    #expect(!sounds(5_999) && sounds(6_000) && sounds(11_899) && sounds(12_100) && sounds(13_999))
    #expect(!sounds(14_400) && !sounds(17_999) && sounds(18_000) && sounds(18_999) && studio.left[19_400] == 0)
  }

  @Test("a loop begins and ends on the lines")
  func loop() throws {
    let studio = try Studio([.constant(0.25, frames: 480)])
    studio.set(.pad(.mode, pad), .text("loop"))
    studio.set(.quantize, .text("1/4"))
    studio.hit(1, at: 20_000)
    studio.send(.release(pad), at: 20_500)
    studio.hit(1, at: 60_000)
    studio.run(until: 84_000)
    #expect(studio.left[23_999] == 0 && studio.left[24_000] == 0.25)
    #expect(studio.left[71_999] == 0.25 && studio.left[72_200] < 0.25 && studio.left[72_500] == 0)
  }

  @Test(
    "a loop that is ended or choked on the very line that it waits for is dark, as it is silent", arguments: [1, 2])
  func endedLoop(second: Int) throws {
    let studio = try Studio([.constant(0.25, frames: 480), .constant(0.125, frames: 480)])
    studio.set(.pad(.mode, pad), .text("loop"))
    for number in [1, 2] { studio.set(.pad(.choke, Pad(number)!), .integer(1)) }
    studio.set(.quantize, .text("1/4"))
    studio.hit(1, at: 15_000)
    studio.hit(second, at: 20_000)
    studio.run(until: 60_000)
    #expect(studio.left[25_000] == 0)
    #expect(!studio.told.contains { $0.event == .value(.padLit(pad), .bool(true)) })
    // One that is ended later is lit until then.
    studio.set(.pad(.mode, Pad(2)!), .text("loop"), at: 60_000)
    studio.hit(2, at: 61_000)
    studio.hit(2, at: 80_000)
    studio.run(until: 120_000)
    let lit = studio.told.compactMap { told -> Bool? in
      if case .value(.padLit(Pad(2)!), .bool(let isLit)) = told.event { isLit } else { nil }
    }
    #expect(lit.suffix(2) == [true, false])
  }

  @Test("what waits is withdrawn by cancel, and sounds with the sound and the settings it was played with")
  func cancelled() throws {
    let studio = try Studio([tick, tick])
    studio.set(.quantize, .text("bar"))
    studio.hit(1, at: 50_000)
    studio.hit(2, at: 51_000)
    studio.send(.cancel(pad), at: 60_000)
    studio.set(.pad(.pan, Pad(2)!), .float(-1), at: 60_000)
    studio.run(until: 120_000)
    #expect(onsets(studio) == [96_000])
    #expect(studio.right[96_000] == studio.left[96_000])
  }

  @Test("stopped, nothing is quantised; what waits as the transport starts anew goes to its first line")
  func transport() throws {
    let studio = try studio(.bar)
    studio.hit(1, at: 50_000)
    studio.send(.stop, at: 60_000)
    studio.hit(1, at: 65_000)
    studio.send(.play, at: 70_007)
    studio.run(until: 200_000)
    // Without the start it would have sounded at 96,000: that is in the new first bar.
    #expect(onsets(studio) == [65_000, 70_007 + 96_000])
  }
}

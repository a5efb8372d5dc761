import JamCore
import Testing

@testable import JamRoom

/// Rolls, by the frames on which they are heard.
@Suite struct RollTests {
  private let pad = Pad(1)!
  /// One frame, and silence.
  private let tick = StudioSound([0.25] + [Float](repeating: 0, count: 31))

  private func studio(_ rate: Grid) throws -> Studio {
    let studio = try Studio([tick])
    studio.set(.pad(.mode, pad), .text("repeat"))
    studio.set(.repeatRate, .text(rate.word))
    return studio
  }

  private func onsets(_ studio: Studio) -> [Int] { studio.left.indices.filter { studio.left[$0] != 0 } }

  /// The frames of a grid's lines at tempi that hold from a frame on.
  private func lines(_ grid: Grid, _ tempi: [(from: Double, bpm: Double)], _ range: Range<Double>) -> [Double] {
    var frames: [Double] = []
    var line = 0.0
    while true {
      let beat = line / Double(grid.linesPerBeat)
      var startBeat = 0.0
      var frame = 0.0
      for (index, tempo) in tempi.enumerated() {
        frame = tempo.from + (beat - startBeat) * 2_880_000 / tempo.bpm
        guard index + 1 < tempi.count, frame > tempi[index + 1].from else { break }
        startBeat += (tempi[index + 1].from - tempo.from) * tempo.bpm / 2_880_000
      }
      guard frame < range.upperBound else { return frames }
      if frame >= range.lowerBound { frames.append(frame) }
      line += 1
    }
  }

  @Test(
    "a roll is on its grid to the frame, through changes of the tempo",
    arguments: [Grid.quarter, .eighth, .sixteenth, .thirtySecond, .eighthTriplet, .sixteenthTriplet])
  func tempi(rate: Grid) throws {
    let studio = try studio(rate)
    studio.hit(1, at: 1_003)
    studio.set(.tempo, .float(97), at: 60_500)
    studio.set(.tempo, .float(171.3), at: 130_500)
    studio.send(.hit(pad, Velocity(0.5)!), at: 150_000)
    studio.send(.release(pad), at: 190_000)
    studio.run(until: 240_000)
    let heard = onsets(studio)
    let tempi = [(from: 0.0, bpm: 120.0), (from: 60_500, bpm: 97), (from: 130_500, bpm: Double(Float(171.3)))]
    let expected = lines(rate, tempi, 1_003..<190_240)
    // Hits are sent 10 ms ahead: the last ones before the release are already on their way.
    #expect(heard.count == expected.count || heard.count == expected.count - 1)
    for (frame, line) in zip(heard, expected) {
      Figures.note("roll, frames", Double(frame) - line)
      #expect(abs(Double(frame) - line) <= 0.6)
      #expect(studio.left[frame] == (frame < 150_250 ? 0.25 : 0.0625))
    }
  }

  @Test(
    "a roll that changes its rate hits each line once",
    arguments: Array(stride(from: Int64(23_400), through: 24_300, by: 60)))
  func rate(frame: Int64) throws {
    let studio = try studio(.sixteenth)
    studio.hit(1)
    studio.set(.repeatRate, .text("1/8"), at: frame)
    studio.run(until: 60_000)
    #expect(onsets(studio) == [0, 6_000, 12_000, 18_000, 24_000, 36_000, 48_000])
    #expect(onsets(studio).allSatisfy { studio.left[$0] == 0.25 })
  }

  @Test("a roll that is held while the transport starts anew goes on with its first beat")
  func play() throws {
    let studio = try studio(.sixteenth)
    studio.hit(1)
    studio.send(.stop, at: 30_100)
    studio.send(.play, at: 40_007)
    studio.run(until: 60_000)
    #expect(onsets(studio) == [0, 6_000, 12_000, 18_000, 24_000, 30_000, 36_000, 40_007, 46_007, 52_007, 58_007])
  }

  @Test("a roll in bars goes on with the bars of another signature", arguments: [95_900, 100_000] as [Int64])
  func bars(frame: Int64) throws {
    let studio = try studio(.bar)
    studio.hit(1, at: 1_000)
    studio.set(.signature, .signature(TimeSignature(beatsPerBar: 3, beatUnit: 4)!), at: frame)
    studio.run(until: 450_000)
    let first =
      frame < 96_000 ? [96_000, 168_000, 240_000, 312_000, 384_000] : [96_000, 192_000, 264_000, 336_000, 408_000]
    #expect(onsets(studio) == first)
  }
}

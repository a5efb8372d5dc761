import JamCore
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
    let (live, kept) = try heard([6_500, 17_000, 48_000, 75_100], grid: "1/16")
    #expect(live == [6_500, 17_000, 48_000, 75_100])
    // 500 late: 200 late. 1,000 early: 400 early. On its line. 2,900 early: 1,160 early.
    #expect(kept == [6_200, 17_600, 48_000, 76_840])
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

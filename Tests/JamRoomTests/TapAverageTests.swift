import JamCore
import Testing

@testable import JamRoom

/// The tempo in one finger's taps, without a room; 24,000 frames are a beat at 120 bpm.
@Suite struct TapAverageTests {
  private func outcomes(_ taps: [Int64]) -> [TapAverage.Outcome] {
    var average = TapAverage()
    return taps.map { average.tap(at: Frames($0)) }
  }

  @Test("the first tap begins, and each one after it gives the average of the last eight")
  func average() {
    let steady = (0..<8).map { Int64($0) * 24_000 }
    let faster = (1...7).map { 168_000 + Int64($0) * 23_000 }
    let heard = outcomes(steady + faster)
    #expect(Array(heard[..<8]) == [.begins] + Array(repeating: .beat(24_000), count: 7))
    #expect(heard[14] == .beat(23_000) && heard[13] != .beat(23_000))
  }

  @Test("a finger that bounces taps once")
  func bounce() {
    #expect(
      outcomes([0, 4_799, 24_000, 26_000, 48_000]) == [.begins, .nothing, .beat(24_000), .nothing, .beat(24_000)])
    #expect(outcomes([0, 4_800]) == [.begins, .beat(4_800)])
  }

  @Test("after a pause, or where time went back, a run begins anew")
  func pause() {
    #expect(outcomes([0, 168_000]) == [.begins, .beat(168_000)])
    #expect(outcomes([0, 24_000, 192_001, 222_001]) == [.begins, .beat(24_000), .begins, .beat(30_000)])
    #expect(outcomes([24_000, 0, 30_000]) == [.begins, .begins, .beat(30_000)])
  }

  @Test("taps twice as far apart, or half as far, are another tempo, known by the second of them")
  func otherTempo() {
    let steady = [0, 24_000, 48_000, 72_000] as [Int64]
    #expect(outcomes(steady + [120_000, 168_000]).suffix(2) == [.begins, .beat(48_000)])
    #expect(outcomes(steady + [82_000, 92_000, 102_000]).suffix(3) == [.begins, .beat(10_000), .beat(10_000)])
  }

  @Test("a tap that came late moves no tempo: the one behind it shows where it belongs")
  func late() {
    let steady = (0..<5).map { Int64($0) * 24_000 }
    #expect(outcomes(steady + [127_000, 144_000, 168_000]).suffix(3) == [.nothing, .beat(24_000), .beat(24_000)])
    // Where the next one is late as well, the finger has slowed down.
    #expect(outcomes(steady + [127_000, 158_000]).last != .beat(24_000))
  }

  @Test("a tap that was held up for so long that it breaks the run is no first beat of another one")
  func heldUp() {
    let steady = (0..<5).map { Int64($0) * 24_000 }
    #expect(outcomes(steady + [138_500, 144_000, 168_000]).suffix(3) == [.begins, .nothing, .beat(24_000)])
  }
}

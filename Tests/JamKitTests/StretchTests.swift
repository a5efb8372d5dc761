import Glibc
import JamCore
import KitTestSupport
import Testing

@testable import JamKit

@Suite("Stretching")
struct StretchTests {
  static let factors = [0.25, 0.5, 0.8, 1.25, 2, 4]

  @Test("the duration follows within 1 %, the pitch stays within 5 cents", arguments: factors, StretchQuality.allCases)
  func tone(factor: Double, quality: StretchQuality) throws {
    let sine = Sound.tone(440, seconds: 1)
    let made = sine.stretched(by: factor, quality)
    #expect(abs(Double(made.frames) / (48_000 * factor) - 1) < 0.01)
    let hertz = pitch(of: made.interleaved, near: 440)
    #expect(abs(1_731 * (hertz / 440 - 1)) < 5, "\(hertz) Hz")
    // It sounds to its end.
    #expect(made.interleaved.suffix(made.frames / 10).contains { abs($0) > 0.1 })
  }

  @Test("an onset does not come late, and stereo stays in step", arguments: factors, StretchQuality.allCases)
  func onset(factor: Double, quality: StretchQuality) throws {
    let stereo = Sound.tone(200, seconds: 0.5, channels: 2)
    let made = stereo.stretched(by: factor, quality)
    let loud = try #require((0..<made.frames).first { abs(made.interleaved[$0 * 2]) > 0.1 })
    #expect(loud < 480)
    #expect((0..<made.frames).allSatisfy { abs(made.interleaved[$0 * 2] - made.interleaved[$0 * 2 + 1] * 2) < 1e-4 })
  }

  @Test(
    "every hit lies at its time × the factor, and none sounds twice", arguments: factors + [1.5],
    StretchQuality.allCases)
  func hits(factor: Double, quality: StretchQuality) throws {
    // Eight hits, 250 ms apart: 5 ms of noise-like clatter that dies away.
    var samples = [Float](repeating: 0, count: 96_000)
    for hit in 0..<8 {
      for i in 0..<2_400 {
        let decay = Float(exp(-Double(i) / 400))
        samples[hit * 12_000 + i] = Float(sin(Double(i * i) * 0.01 + Double(hit))) * 0.5 * decay
      }
    }
    let sound = Sound(interleaved: samples, channels: 1, rate: 48_000, depth: .twentyFour)
    let made = sound.stretched(by: factor, quality)
    #expect(made.frames == Int((96_000 * factor).rounded()))
    var onsets: [Int] = []
    for frame in made.interleaved.indices where abs(made.interleaved[frame]) > 0.2 {
      if onsets.isEmpty || frame - onsets.last! > Int(12_000 * factor * 0.6) { onsets.append(frame) }
    }
    #expect(onsets.count == 8)
    let first = samples.firstIndex { abs($0) > 0.2 }!
    for (hit, onset) in onsets.enumerated() {
      let wanted = Double(hit * 12_000) * factor + Double(first)
      #expect(
        abs(Double(onset) - wanted) < 24 * max(1, factor), "hit \(hit) is off by \(Double(onset) - wanted) frames")
    }
    // Between them it is quiet: nothing was repeated.
    let middle = onsets.dropLast().map { $0 + Int(12_000 * factor * 0.85) }
    #expect(middle.allSatisfy { place in made.interleaved[place..<place + 100].allSatisfy { abs($0) < 0.02 } })
  }

  @Test("a short tone sounds to its very end", arguments: factors, StretchQuality.allCases)
  func shortTone(factor: Double, quality: StretchQuality) throws {
    let made = Sound.tone(1_000, seconds: 0.2).stretched(by: factor, quality)
    #expect(made.frames == Int((9_600 * factor).rounded()))
    func level(_ range: Range<Int>) -> Float { made.interleaved[range].map { abs($0) }.max() ?? 0 }
    let middle = level(made.frames / 2 - 100..<made.frames / 2 + 100)
    #expect(level(made.frames - 240..<made.frames) > middle * 0.8)
  }

  @Test(
    "what goes round has no hole and no click where its end meets its beginning", arguments: factors + [1.5],
    StretchQuality.allCases)
  func loop(factor: Double, quality: StretchQuality) throws {
    // 200 periods in a second.
    let made = Sound.tone(200, seconds: 1).stretched(by: factor, quality)
    let twice = made.interleaved + made.interleaved
    // The last 10 ms fade into what they were: there it may be softer for a moment.
    let levels = stride(from: 0, to: made.frames - 960, by: 480).map { start in
      twice[start..<start + 480].map { abs($0) }.max()!
    }
    #expect(levels.min()! > levels.max()! * 0.7)
    // From one frame to the next a sine goes no further than its steepest.
    let steepest = levels.max()! * 2 * .pi * 200 / 48_000
    let steps = (1..<twice.count).map { abs(twice[$0] - twice[$0 - 1]) }
    #expect(steps.max()! < steepest * 3, "\(steps.max()! / steepest)")
  }
}

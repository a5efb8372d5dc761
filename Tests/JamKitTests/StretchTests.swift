import JamCore
import Testing

@testable import JamKit

@Suite("Stretching")
struct StretchTests {
  static let factors = [0.25, 0.5, 0.8, 1.25, 2, 4]

  @Test("the duration follows within 1 %, the pitch stays within 5 cents", arguments: factors, StretchQuality.allCases)
  func tone(factor: Double, quality: StretchQuality) throws {
    let sine = Sound.tone(440, seconds: 1)
    let made = try #require(sine.stretched(by: factor, quality))
    #expect(abs(Double(made.frames) / (48_000 * factor) - 1) < 0.01)
    let hertz = pitch(of: made.interleaved, near: 440)
    #expect(abs(1_731 * (hertz / 440 - 1)) < 5, "\(hertz) Hz")
    // It sounds to its end.
    #expect(made.interleaved.suffix(made.frames / 10).contains { abs($0) > 0.1 })
  }

  @Test("an onset does not come late, and stereo stays in step", arguments: factors, StretchQuality.allCases)
  func onset(factor: Double, quality: StretchQuality) throws {
    let stereo = Sound.tone(200, seconds: 0.5, channels: 2)
    let made = try #require(stereo.stretched(by: factor, quality))
    let loud = try #require((0..<made.frames).first { abs(made.interleaved[$0 * 2]) > 0.1 })
    #expect(loud < 480)
    #expect((0..<made.frames).allSatisfy { abs(made.interleaved[$0 * 2] - made.interleaved[$0 * 2 + 1] * 2) < 1e-4 })
  }
}

import JamCore
import Testing

@testable import JamBench

/// Effects as players turn them on, on beats as kits play them.
@Suite struct EffectLoudnessTests {
  private static let kits = ["house", "starter", "techno", "trap"]
  private static let effects: [(EffectSetting, Float)] = [
    (.compressorRatio, 4), (.driveAmount, 0.5), (.driveMacro, 1), (.chorusMix, 0.5), (.filterMacro, 0.25),
    (.filterMacro, 0.75),
  ]

  @Test("an effect that is turned on changes the loudness of beats by less than 1 LU in the mean")
  func loudness() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let stage = try SoundStage(["\(root)/Kits"])
    let kits = stage.catalogue.kits.filter { Self.kits.contains($0.id) }
    try #require(kits.count == Self.kits.count)
    let dry = try kits.map { try SoundBench.loudness(of: $0, stage, with: nil) }
    for (setting, value) in Self.effects {
      let wet = try kits.map { try SoundBench.loudness(of: $0, stage, with: .set(.effect(setting), .float(value))) }
      let changes = zip(wet, dry).map { $0 - $1 }
      let mean = changes.reduce(0, +) / Double(changes.count)
      #expect(abs(mean) < 1, "\(setting) at \(value): \(changes)")
      // Single kits differ from what kits lose or gain in the mean.
      #expect(changes.allSatisfy { abs($0) < 2.5 }, "\(setting) at \(value): \(changes)")
    }
  }
}

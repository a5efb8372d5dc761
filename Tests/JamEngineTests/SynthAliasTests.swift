import JamCore
import Testing

@testable import JamEngine

/// What an oscillator adds to its own partials.
@Suite struct SynthAliasTests {
  static let waves: [(PatchShape, Float)] = [
    (.sine, 0.5), (.triangle, 0.5), (.saw, 0.5), (.pulse, 0.5), (.pulse, 0.05),
  ]

  @Test("no wave has an alias above −80 dB at any key from A0 to C8", arguments: 0..<5)
  func aliases(wave: Int) {
    let (shape, width) = Self.waves[wave]
    var worst = (decibels: -200.0, key: 0)
    for key in 21...108 {
      // Off the keys, so that no alias hides behind a partial.
      let pitch = Float(key) - 0.13
      let sound = SynthRig.sound(SynthRig.bare(shape, width: width), pitch, skip: 1_200, frames: 32_768)
      let stray = FrequencyLines(sound).highestStray(beside: Self.hertz(pitch))
      if stray > worst.decibels { worst = (stray, key) }
    }
    #expect(worst.decibels < -80, "\(shape) \(width): \(worst.decibels) dB at key \(worst.key)")
  }

  static func hertz(_ pitch: Float) -> Double { 440 * Decibels.powerOfTwo((Double(pitch) - 69) / 12) }
}

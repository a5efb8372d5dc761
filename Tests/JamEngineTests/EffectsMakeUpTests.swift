import JamCore
import Testing

@testable import JamEngine

@Suite("Effects: make-up")
struct EffectsMakeUpTests {
  @Test("an effect that is off needs no gain, and a step of a hundredth changes it by less than 0.4 dB")
  func smooth() {
    let curves: [(name: String, off: Float, gain: (Float) -> Float)] = [
      ("drive", 0, { MakeUp.drive(amount: $0) }), ("chorus", 0, { MakeUp.chorus(mix: $0) }),
      ("macro of the drive", 0, { MakeUp.driveMacro($0) }), ("macro of the filter", 0.5, { MakeUp.filterMacro($0) }),
      ("ratio", 0, { MakeUp.compressor(threshold: -18, ratio: 1 + 19 * $0, detector: .peak) }),
      ("threshold", .nan, { MakeUp.compressor(threshold: -60 + 60 * $0, ratio: 4, detector: .rms) }),
    ]
    #expect(MakeUp.compressor(threshold: -60, ratio: 20, detector: .peak) == 18)
    for (name, off, gain) in curves {
      // A threshold has no place at which a compressor is off.
      #expect(off.isNaN || gain(off) == 0, "\(name)")
      for step in 0..<100 {
        let (here, next) = (gain(Float(step) / 100), gain(Float(step + 1) / 100))
        #expect(abs(next - here) < (name == "ratio" ? 1.5 : 0.5), "\(name) at \(step) %: \(here), \(next)")
      }
    }
  }

  @Test("a chain whose macros are at rest changes no bit")
  func neutral() {
    let chain = EffectsChain { $0.compressorThreshold = -40 }
    chain.settle()
    let noise = EffectsSound.noise(4_800)
    #expect(noise.through(chain.process).bits == noise.bits)
  }

  @Test("the gain of the filter's macro lies on the filter's whole output")
  func filter() {
    let gain = MakeUp.filterMacro(0.75)
    #expect(gain > 1)
    let chain = EffectsChain { $0.filterMacro = 0.75 }
    chain.settle()
    // Far above the high-pass, nothing but the make-up changes the level.
    let tone = EffectsSound.tone(6_000, level: 0.1, 24_000)
    let made = EffectsDynamicsTests.level(tone.through(chain.process).left.suffix(9_600))
    #expect(abs(made - EffectsDynamicsTests.level(tone.left.suffix(9_600)) - Double(gain)) < 0.1)
  }
}

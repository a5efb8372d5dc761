import JamCore
import Testing

@testable import JamEngine

@Suite("Effects: levels")
struct EffectsDynamicsTests {
  static func level(_ samples: some Collection<Float>) -> Double {
    let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    return EffectsMeasure.decibels((2 * power).squareRoot())
  }

  /// What a compressor of a textbook gives, in dB.
  static func curve(_ level: Double, _ threshold: Double, _ ratio: Double, _ knee: Double) -> Double {
    let over = level - threshold
    if over <= -knee / 2 { return 0 }
    if over >= knee / 2 { return -over * (1 - 1 / ratio) }
    return -(1 - 1 / ratio) * (over + knee / 2) * (over + knee / 2) / (2 * knee)
  }

  @Test("a steady tone is turned down as the curve says, within 0.5 dB", arguments: LevelDetector.allCases, [2, 4, 20])
  func curve(detector: LevelDetector, ratio: Float) {
    for level in stride(from: -48.0, through: 0, by: 6) {
      for knee in [Float(0), 12] {
        let chain = EffectsChain {
          $0.compressorThreshold = -24
          $0.compressorRatio = ratio
          $0.compressorKnee = knee
          $0.compressorRelease = 300
          $0.compressorMakeUp = 3
          $0.compressorDetector = detector
        }
        chain.settle()
        let tone = EffectsSound.tone(1_000, level: Decibels.gain(Float(level)), 48_000)
        let made = tone.through(chain.process)
        let gain = EffectsDynamicsTests.level(made.left[43_200...]) - EffectsDynamicsTests.level(tone.left[43_200...])
        let heard = detector == .rms ? level - 3.01 : level
        let makeUp = MakeUp.compressor(threshold: -24, ratio: ratio, detector: detector) + 3
        let asked = EffectsDynamicsTests.curve(heard, -24, Double(ratio), Double(knee)) + Double(makeUp)
        #expect(abs(gain - asked) < 0.5, "\(level) dBFS, knee \(knee): \(gain) instead of \(asked)")
      }
    }
  }

  @Test("each band lifts its own frequency by what is set, within 0.2 dB")
  func bands() {
    let cases: [(Double, @Sendable (inout EffectSettings) -> Void)] = [
      (
        30,
        {
          $0.lowGain = 9; $0.lowFrequency = 200
        }
      ), (400, { $0.lowMidGain = 9 }),
      (
        2_500,
        {
          $0.highMidGain = 9; $0.highMidQ = 4
        }
      ),
      (
        17_000,
        {
          $0.highGain = 9; $0.highFrequency = 4_000
        }
      ),
    ]
    for (hertz, change) in cases {
      let chain = EffectsChain(change)
      chain.settle()
      let tone = EffectsSound.tone(hertz, level: 0.1, 48_000)
      let gain = EffectsDynamicsTests.level(tone.through(chain.process).left[28_800...])
      #expect(abs(gain - EffectsDynamicsTests.level(tone.left[28_800...]) - 9) < 0.2, "\(hertz)")
    }
  }

  @Test("a trigger ducks by the depth within 0.5 dB, from its frame on, and is over after attack and release")
  func ducking() {
    for depth in [Float(3), 6, 12, 24] {
      let chain = EffectsChain {
        $0.duckDepth = depth
        $0.duckAttack = 10
        $0.duckRelease = 100
      }
      chain.settle()
      let steady = EffectsSound([Float](repeating: 0.5, count: 12_000))
      let made = steady.through(before: { if $0 == 2_400 { chain.chains.trigger(0, at: 50) } }, chain.process)
      #expect(made.left.firstIndex { $0 != 0.5 }.map { (2_450...2_453).contains($0) } == true)
      let least = EffectsMeasure.decibels(Double(made.left.min()!) / 0.5)
      #expect(abs(least + Double(depth)) < 0.5, "\(least)")
      #expect(made.left.lastIndex { $0 != 0.5 }! < 2_450 + 480 + 4_800)
    }
  }

  @Test("a trigger while it comes back goes down from there to the same depth; one in silence counts, too")
  func duckingAgain() {
    let chain = EffectsChain {
      $0.duckDepth = 12; $0.duckAttack = 10; $0.duckRelease = 100
    }
    let steady = EffectsSound([Float](repeating: 0.5, count: 9_600))
    let made = steady.through(
      before: { if $0 == 0 || $0 == 2_400 { chain.chains.trigger(0, at: 0) } }, chain.process)
    #expect(abs(EffectsMeasure.decibels(Double(made.left[2_640..<4_800].min()!) / 0.5) + 12) < 0.5)
    let steps = zip(made.left, made.left.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! < 0.004)
    let quiet = EffectsChain {
      $0.duckDepth = 12; $0.duckAttack = 10; $0.duckRelease = 100; $0.lowGain = 1
    }
    quiet.settle()
    quiet.chains.trigger(0, at: 0)
    _ = EffectsSound.silence(480).through(quiet.process)
    #expect(EffectsMeasure.decibels(Double(steady.through(quiet.process).left[0]) / 0.5) < -8)
  }

  @Test("the glue takes some dB off a loud mix, none off a quiet one")
  func glue() {
    let box = EffectsBox(GlueCompressor())
    box.effect.set(amount: 1)
    box.effect.arrive()
    _ = EffectsSound.tone(200, level: 0.7, 48_000).through { box.effect.process($0, $1, $2) }
    #expect((6...14).contains(box.effect.reduction))
    box.effect.reset()
    _ = EffectsSound.tone(200, level: 0.01, 48_000).through { box.effect.process($0, $1, $2) }
    #expect(box.effect.reduction < 0.01)
  }
}

import JamCore
import Testing

@testable import JamEngine

@Suite("Effects: distortion")
struct EffectsDriveTests {
  /// The loudest tone that is none of the played one's harmonics, beside the fundamental, in dB.
  static func aliases(amount: Float, hertz: Double, level: Float) -> Double {
    let chain = EffectsChain { $0.driveAmount = amount }
    chain.settle()
    // The tone lies in the middle of a bin.
    let count = 32_768
    let bin = (hertz / 48_000 * Double(count)).rounded()
    let tone = EffectsSound.tone(bin / Double(count) * 48_000, level: level, count + 4_800)
    let power = EffectsMeasure.spectrum(tone.through(chain.process).left.suffix(count))
    var loudest = 0.0
    for (i, value) in power.enumerated() where i > 16 && Double(i) < 20_000 / 48_000 * Double(count) {
      let distance = Double(i).remainder(dividingBy: bin)
      if abs(distance) > 4 { loudest = max(loudest, value) }
    }
    return EffectsMeasure.decibels((loudest / power[Int(bin)]).squareRoot())
  }

  /// By amount and pitch of a tone of −6 dBFS, in dB.
  static let promises: [(amount: Float, hertz: Double, decibels: Double)] = [
    (0.25, 220, -120), (0.25, 1_000, -120), (0.25, 2_100, -120), (0.25, 4_300, -120), (0.25, 8_100, -120),
    (0.5, 220, -120), (0.5, 1_000, -120), (0.5, 2_100, -120), (0.5, 4_300, -110), (0.5, 8_100, -100),
    (0.75, 220, -120), (0.75, 1_000, -120), (0.75, 2_100, -110), (0.75, 4_300, -80), (0.75, 8_100, -50),
    (1, 220, -120), (1, 1_000, -110), (1, 2_100, -85), (1, 4_300, -50), (1, 8_100, -33),
  ]

  @Test("what folds back stays as far below the tone as promised, by drive and pitch")
  func aliasing() {
    for (amount, hertz, promise) in EffectsDriveTests.promises {
      let found = EffectsDriveTests.aliases(amount: amount, hertz: hertz, level: 0.5)
      #expect(found < promise, "drive \(amount), \(hertz) Hz: \(found)")
    }
  }

  @Test("a tone of −10 dBFS keeps its peak but for the make-up, and gets harmonics")
  func level() {
    let chain = EffectsChain { $0.driveAmount = 0.6 }
    chain.settle()
    let made = EffectsSound.tone(220, level: 0.316, 9_600).through(chain.process)
    let kept = made.left[4_800...].map(abs).max()! / Decibels.gain(MakeUp.drive(amount: 0.6))
    #expect((0.28...0.4).contains(kept))
    #expect(Spectrum.level(of: made.left.suffix(4_800), at: 660) > 0.03)
  }

  @Test("no latency: a bass tone is in phase with what came in, within four frames")
  func latency() {
    let chain = EffectsChain { $0.driveAmount = 0.06 }
    chain.settle()
    let tone = EffectsSound.tone(200, level: 0.01, 9_600)
    let made = tone.through(chain.process)
    func likeness(_ delay: Int) -> Double {
      (4_800..<9_500).reduce(0.0) { $0 + Double(made.left[$1]) * Double(tone.left[$1 - delay]) }
    }
    let best = (0..<20).max { likeness($0) < likeness($1) }!
    #expect(best <= 4)
  }
}

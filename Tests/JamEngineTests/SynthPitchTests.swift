import JamCore
import Testing

@testable import JamEngine

/// How well a note is in tune.
@Suite struct SynthPitchTests {
  @Test("every key is within a tenth of a cent")
  func keys() {
    var worst = 0.0
    for key in stride(from: 12, through: 108, by: 1) {
      let wanted = SynthAliasTests.hertz(Float(key))
      let sound = SynthRig.sound(SynthRig.bare(.sine), Float(key), skip: 1_200, frames: 48_000)
      worst = max(worst, abs(cents(measured(sound, near: wanted), wanted)))
    }
    #expect(worst < 0.1, "\(worst) cents")
  }

  @Test("a bend, an octave and a detuned oscillator are where they say")
  func offsets() {
    var settings = SynthRig.bare(.sine)
    settings.first.semitones = 7
    settings.first.fine = -13
    let rig = SynthRig()
    rig.pool.setBend(1.5, bus: 0)
    rig.start(settings, 60.25)
    _ = rig.render(1_200)
    let wanted = SynthAliasTests.hertz(60.25 + 7 - 0.13 + 1.5)
    let found = measured(rig.render(48_000).left, near: wanted)
    #expect(abs(cents(found, wanted)) < 0.1)
  }

  @Test("a glide goes from the last note to the next in its time, and a legato note does not begin anew")
  func glide() {
    var settings = SynthRig.bare(.sine)
    settings.mode = .legato
    settings.glide = 100
    let rig = SynthRig()
    rig.start(settings, 48, key: 1)
    _ = rig.render(4_800)
    rig.start(settings, 60, key: 2)
    _ = rig.render(2_400)
    #expect(rig.pool.activeCount == 1)
    // A little over half the way, of semitones.
    let middle = measured(rig.render(600).left, near: SynthAliasTests.hertz(54.75), isRough: true)
    #expect(abs(cents(middle, SynthAliasTests.hertz(54.75))) < 60)
    _ = rig.render(2_400)
    let end = SynthAliasTests.hertz(60)
    #expect(abs(cents(measured(rig.render(48_000).left, near: end), end)) < 0.1)
    // The key before has it again.
    rig.pool.release(bus: 0, key: 2, at: 0)
    _ = rig.render(6_000)
    let back = SynthAliasTests.hertz(48)
    #expect(abs(cents(measured(rig.render(48_000).left, near: back), back)) < 0.1)
    rig.pool.release(bus: 0, key: 1, at: 0)
    _ = rig.render(48_000)
    #expect(rig.pool.activeCount == 0)
  }

  /// The frequency of a tone near `hertz`: by the turn of its phase from the first half to the second.
  private func measured(_ sound: [Float], near hertz: Double, isRough: Bool = false) -> Double {
    if isRough {
      // The rising zeros.
      var zeros: [Double] = []
      for i in 1..<sound.count where sound[i - 1] < 0 && sound[i] >= 0 {
        zeros.append(Double(i) - Double(sound[i]) / Double(sound[i] - sound[i - 1]))
      }
      guard zeros.count > 1 else { return 0 }
      return 48_000 * Double(zeros.count - 1) / (zeros[zeros.count - 1] - zeros[0])
    }
    let half = sound.count / 2
    func phase(_ start: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for i in 0..<half {
        let at = Double(i) / Double(half)
        let weight = 0.5 - 0.5 * Polynomial.sine(turns: at + 0.25)
        let turns = hertz / 48_000 * Double(start + i)
        real += weight * Double(sound[start + i]) * Polynomial.sine(turns: turns + 0.25)
        imaginary -= weight * Double(sound[start + i]) * Polynomial.sine(turns: turns)
      }
      return Self.turns(imaginary, real)
    }
    var way = phase(half) - phase(0)
    if way > 0.5 { way -= 1 }
    if way < -0.5 { way += 1 }
    return hertz + way * 48_000 / Double(half)
  }

  /// An angle in turns, by halving: the angle whose sine and cosine these are.
  private static func turns(_ y: Double, _ x: Double) -> Double {
    let length = (x * x + y * y).squareRoot()
    var (low, high) = (-0.25, 0.25)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if Polynomial.sine(turns: middle) < y / length { low = middle } else { high = middle }
    }
    let angle = (low + high) / 2
    return x >= 0 ? angle : (y >= 0 ? 0.5 - angle : -0.5 - angle)
  }

  private func cents(_ a: Double, _ b: Double) -> Double { 1_200 * SynthMath.logarithm(a / b) }
}

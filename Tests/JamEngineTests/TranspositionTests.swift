import JamCore
import Testing

@testable import JamEngine

/// What transposition adds to a sound and takes from it, measured in spectra of the mix.
@Suite struct TranspositionTests {
  private static let level: Float = 0.2

  /// A tone at a rate: 4,096 frames from its midst.
  private func render(_ hertz: Double, rate: Float) -> ArraySlice<Float> {
    let rig = Rig()
    let sound = (0..<Int(6_000 * max(rate, 1))).map { i in
      Self.level * Float(Polynomial.sine(turns: hertz / 48_000 * Double(i)))
    }
    rig.send(rig.start(Sound(sound), rate: rate), at: 0)
    return rig.mix(frames: 4_800).left[500..<4_596]
  }

  @Test(
    "of whatever a sound has, images and aliases below 16 kHz stay 80 dB below it, over ±24 semitones and the room's 12",
    arguments: [-24, -17, -12, -8, -7, -3, -1, 1, 2, 3, 5, 7, 10, 12, 15, 19, 24, 30, 36])
  func aliases(semitones: Float) {
    let rate = Decibels.ratio(semitones: semitones)
    for hertz in stride(from: 700.0, to: 23_900, by: 1_930) {
      let mix = render(hertz, rate: rate)
      let own = hertz * Double(rate)
      // Images lie on both sides of the multiples of the sound's 48 kHz, and fold at those of the mix.
      var unwanted = (1...3).flatMap { (fold: Int) -> [Double] in
        [Double(fold) * 48_000 - hertz, Double(fold) * 48_000 + hertz]
      }
      if own > 24_000 { unwanted.append(hertz) }
      for image in unwanted {
        let place = Spectrum.folded(image * Double(rate))
        guard place > 100, place < 16_000, abs(place - Spectrum.folded(own)) > 100 else { continue }
        let share = Spectrum.level(of: mix, at: place) / Double(Self.level)
        #expect(share < 0.0001, "\(hertz) Hz: \(share) at \(place) Hz")
      }
      if own > 24_000, Spectrum.folded(own) < 16_000 {
        #expect(Spectrum.level(of: mix, at: Spectrum.folded(own)) / Double(Self.level) < 0.0001, "\(hertz) Hz folds")
      }
    }
  }

  @Test(
    "the passband keeps within 0.2 dB up to 16 kHz of the mix, or 20 kHz of the sound",
    arguments: [0.25, 0.5, 0.94, 1.06, 1.25, 1.5, 1.75, 2, 2.7, 4] as [Float])
  func passband(rate: Float) {
    for mixHertz in [100.0, 1_000, 4_000, 8_000, 12_000, 16_000] where mixHertz / Double(rate) <= 20_000 {
      let level = Spectrum.level(of: render(mixHertz / Double(rate), rate: rate), at: mixHertz) / Double(Self.level)
      // ±0.2 dB.
      #expect(level > 0.9772 && level < 1.0233, "\(level) at \(mixHertz) Hz")
    }
  }

  @Test("images of 12 kHz stay 90 dB below it at rates around 1", arguments: [0.9, 0.94, 0.97, 1.03, 1.06] as [Float])
  func images(rate: Float) {
    let mix = render(12_000, rate: rate)
    for image in [36_000.0, 60_000, 84_000] {
      let share = Spectrum.level(of: mix, at: Spectrum.folded(image * Double(rate))) / Double(Self.level)
      #expect(share < 0.0000316, "\(share) of \(image) Hz")
    }
  }

  @Test(
    "a rate that moves from table to table does not click: above 2 kHz, 80 dB less than the tone",
    arguments: [2.0 / 3, 1.1, 1.25, 1.501, 1.75, 2.002, 2.4])
  func changeOfTables(limit: Double) {
    let rig = Rig()
    let tone = Sound.sine(400, frames: 9_600, level: Self.level, fades: false)
    rig.send(rig.start(tone, rate: Float(limit - 0.00005), isGated: true, isLooped: true), at: 0)
    let above = EngineAction.padShape(
      bus: PlayerID(index: 0), pad: Pad(1)!, level: 1, pan: PanGains(pan: 0), rate: Float(limit + 0.00005))
    rig.send(above, at: 2_400)
    #expect(Spectrum.peakAbove2kHz(Array(rig.mix(frames: 4_800).left[600...])) < Self.level * 0.0001)
  }

  @Test("a constant stays one at every place between two frames")
  func constant() {
    let rig = Rig()
    rig.send(rig.start(Sound.constant(0.5, frames: 20_000), rate: 0.793), at: 0)
    #expect(rig.mix(frames: 9_600).left[40...].allSatisfy { abs($0 - 0.5) < 1e-6 })
  }
}

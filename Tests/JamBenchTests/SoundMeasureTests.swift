import Testing

@testable import JamBench

/// What the bench of sound measures with, on signals whose figures are known.
@Suite struct SoundMeasureTests {
  private let noise = SoundKit.noise(24_000, seed: 3)

  @Test("what the filter of all sounds does is no stray energy, and an added tone is, at its level")
  func stray() {
    let same = noise.withUnsafeBufferPointer { IdealResampling().resampled($0, rate: 0.8, frames: 24_000) }
    let filtered = same.indices.map { n in
      let (before, behind) = (n > 0 ? same[n - 1] : 0, n + 1 < same.count ? same[n + 1] : 0)
      return same[n] * 0.5 + (before + behind) * 0.25
    }
    let response = KernelResponse([0.625, 0.3125], rate: 0.8)
    #expect(StrayMeter().measure(filtered, beside: response.filtered(same)).decibels < -120)
    #expect(StrayMeter().measure(filtered, beside: same).decibels > -20)
    let tone = SoundKit.sine(9_000, seconds: 0.5, amplitude: 0.005)
    let (decibels, audible) = StrayMeter().measure(zip(same, tone).map { $0 + $1 }, beside: same)
    // Noise of ±0.5 has 0.083; below 16 kHz, which is all of it but a part of what lies above.
    #expect(abs(decibels - SoundMath.decibels(power: SoundMath.energy(tone) / SoundMath.energy(same))) < 1.5)
    #expect(audible == 0)
    #expect(StrayMeter().measure(zip(same, tone).map { $0 * 0.001 + $1 }, beside: same.map { $0 * 0.001 }).audible == 1)
  }

  @Test("at a quarter of the speed, all that lies above 6 kHz is stray, and what lies just below is left out")
  func images() {
    let low = SoundKit.sine(2_000, seconds: 0.5)
    let meter = StrayMeter()
    for (hertz, expected) in [(7_000.0, -40.0), (5_400, -200), (4_000, -40)] {
      let tone = SoundKit.sine(hertz, seconds: 0.5, amplitude: 0.005)
      let both = zip(SoundBench.faded(low), SoundBench.faded(tone)).map { $0 + $1 }
      let found = meter.measure(both, beside: SoundBench.faded(low), rate: 0.25).decibels
      #expect(expected < -100 ? found < -90 : abs(found - expected) < 0.1, "\(hertz) Hz: \(found) dB")
    }
  }

  @Test("an ideal resampling keeps a tone at its place and level, and leaves nothing else")
  func ideal() {
    let tone = SoundKit.sine(3_000, seconds: 1)
    let higher = tone.withUnsafeBufferPointer { IdealResampling().resampled($0, rate: 1.5, frames: 24_000) }
    let middle = higher[4_000..<20_000]
    #expect(abs(SoundMath.amplitude(4_500, in: middle) - 0.5) < 1e-5)
    let (c, s) = SoundMath.tone(4_500, in: middle)
    #expect(abs(SoundMath.energy(middle) / 16_000 - (c * c + s * s) / 2) < 1e-8)
  }

  @Test("a limiter's reduction is measured against what goes into it, and a spectrum has its tone in its bin")
  func spectrum() {
    let spectrum = Spectrum(size: 1_024)
    let powers = spectrum.windowed(SoundKit.sine(48_000 / 1_024 * 40, seconds: 0.1, amplitude: 1), from: 0).map(\.power)
    #expect(powers.indices.max { powers[$0] < powers[$1] } == 40)
    #expect(abs(SoundMath.decibels(power: powers[40]) - SoundMath.decibels(1_024.0 / 4)) < 0.01)
  }

  @Test("what lies below the corner is taken out by 70 dB, and what lies above it stays")
  func highPass() {
    for (hertz, low, high) in [(1_500.0, -200.0, -70.0), (3_000, -0.1, 0.1)] {
      let passed = SoundMath.highPassed(SoundKit.sine(hertz, seconds: 0.2, amplitude: 1), above: 2_000)
      let peak = passed[1_000..<8_000].reduce(0) { max($0, abs($1)) }
      #expect((low...high).contains(SoundMath.decibels(peak)))
    }
  }

  @Test("every value has to lie within a target for all, and JSON says so")
  func targets() {
    var report = BenchReport(name: "sound")
    report.rows = [
      BenchRow("a", unit: "dB", values: [-1, 0, 2], target: .allAtMost(1)),
      BenchRow("b", unit: "dB", values: [-1, 0, 2], target: .allWithin(-1...2)),
      BenchRow("c", unit: "dB", values: [-1, 0, 2], target: .allAtLeast(-1)),
    ]
    #expect(report.rows.map(\.isMet) == [false, true, true])
    #expect(report.json.contains(#""target":{"allWithin":[-1.0,2.0]},"met":true"#))
  }

  @Test("a picture is a PNG whose length and checksums hold")
  func picture() {
    let png = SoundPicture.png([0, 1, 2, 0, 3, 4], width: 2, height: 2)
    #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    // The end's chunk is the same in every file (PNG, 11.2.5).
    #expect(png.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
  }
}

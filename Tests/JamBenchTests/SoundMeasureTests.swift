import Testing

@testable import JamBench

/// What the bench of sound measures with, on signals whose figures are known.
@Suite struct SoundMeasureTests {
  private let noise = SoundKit.noise(24_000, seed: 3)

  @Test("what is only softer and later by part of a frame is no stray energy, and an added tone is, at its level")
  func stray() {
    let ideal = IdealResampling()
    let (same, shifted) = noise.withUnsafeBufferPointer {
      (ideal.resampled($0, rate: 0.8, frames: 24_000), ideal.resampled($0, rate: 0.8, frames: 24_000).map { $0 * 0.5 })
    }
    #expect(StrayMeter().measure(shifted, beside: same).decibels < -120)
    let tone = SoundKit.sine(9_000, seconds: 0.5, amplitude: 0.005)
    let (decibels, audible) = StrayMeter().measure(zip(same, tone).map { $0 + $1 }, beside: same)
    // Noise of ±0.5 has 0.083; below 16 kHz, which is all of it but a part of what lies above.
    #expect(abs(decibels - SoundMath.decibels(power: SoundMath.energy(tone) / SoundMath.energy(same))) < 1.5)
    #expect(audible == 0)
    #expect(StrayMeter().measure(zip(same, tone).map { $0 * 0.001 + $1 }, beside: same.map { $0 * 0.001 }).audible == 1)
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

internal import JamCore
internal import JamKit

extension SoundBench {
  /// The limiter's distortion of a low tone that is 6 dB too loud, and the effect of a short hit on
  /// the sounds beside it.
  func limiter() throws -> [BenchRow] {
    [
      BenchRow("limiter, 50 Hz 6 dB over: distortion", unit: "%", values: [try distortion(50)], target: .atMost(0.05)),
      BenchRow("limiter, 30 Hz 6 dB over: distortion", unit: "%", values: [try distortion(30)]),
    ] + (try pumping())
  }

  /// Harmonics relative to the tone, in per cent, where the sum in front of the limiter is 6 dB
  /// over the output.
  private func distortion(_ hertz: Double) throws -> Double {
    let kit = try SoundKit([.init("tone", [SoundKit.sine(hertz, seconds: 6, amplitude: 0.99)], fields: #""voices": 1"#)]
    )
    let stage = try kit.stage()
    var gain = 6.0
    var distortion = 0.0
    // This looks for the gain at which the sum is 6 dB over, because other stages in front of the
    // limiter may turn it down.
    for _ in 0..<5 {
      let acts = [
        SoundStage.Act(0, .set(.pad(.gain, Pad.all[0]), .float(Float(min(12, gain))))),
        SoundStage.Act(0, .set(.gain, .float(Float(max(0, gain - 12))))),
        SoundStage.Act(2_400, .hit(Pad.all[0], .full)),
      ]
      let take = try stage.play(acts, kits: [SoundKit.id], seconds: 5)
      // A second, which has whole periods of both tones.
      let window = 4 * SoundStage.rate..<5 * SoundStage.rate
      let out = take.left[window]
      let over = SoundMath.decibels(SoundMath.peak(take.sumLeft[window]) / SoundMath.peak(out))
      let tone = SoundMath.amplitude(hertz, in: out)
      let harmonics = (2...20).reduce(0.0) { sum, n in
        let amplitude = SoundMath.amplitude(hertz * Double(n), in: out)
        return sum + amplitude * amplitude
      }
      distortion = harmonics.squareRoot() / tone * 100
      guard abs(over - 6) > 0.05 else { break }
      gain = min(24, gain + 6 - over)
    }
    return distortion
  }

  /// A steady tone of 1 kHz, and a hit of 30 ms that is 6 dB over.
  private func pumping() throws -> [BenchRow] {
    let hit = zip(SoundKit.sine(100, seconds: 0.03, amplitude: 0.99), 0..<1_440).map { value, frame in
      value * (1 - Float(frame) / 1_440)
    }
    let kit = try SoundKit([
      .init("tone", [SoundKit.sine(1_000, seconds: 4, amplitude: 0.1)]),
      .init("hit", [hit], fields: #""gain": 9"#),
    ])
    let begin = 96_000
    let acts = [SoundStage.Act(2_400, .hit(Pad.all[0], .full)), SoundStage.Act(begin, .hit(Pad.all[1], .full))]
    let take = try kit.stage().play(acts, kits: [SoundKit.id], seconds: 4)
    // The tone shows the limiter's gain during the hit, with one value for each millisecond.
    let gains = stride(from: begin - 4_800, to: begin + 72_000, by: 48).map { start -> Double in
      let window = start..<start + 48
      let both = window.reduce(0.0) { $0 + Double(take.left[$1]) * Double(take.sumLeft[$1]) }
      return SoundMath.decibels(both / max(1e-12, SoundMath.energy(take.sumLeft[window])))
    }
    let behind = gains.dropFirst(130)
    return [
      BenchRow("release: a tone beside a short loud hit dips by", unit: "dB", values: [-(gains.min() ?? 0)]),
      BenchRow(
        "  100 ms behind the hit still by", unit: "dB", values: [-(behind.dropFirst(100).min() ?? 0)],
        target: .atMost(1)),
      BenchRow(
        "  more than 1 dB behind the hit for", unit: "ms", values: [Double(behind.count { $0 < -1 })],
        target: .atMost(100)),
    ]
  }
}

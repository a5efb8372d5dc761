internal import JamCore
internal import JamKit

extension SoundBench {
  private static let factor = 1.5
  private static let step = 6_000

  /// Stretches a beat of 32 hits, and a chord, to one and a half times their length.
  func stretching() throws -> [BenchRow] {
    let beat = Self.beat()
    let chord = zip(
      SoundKit.sine(220, seconds: 4, amplitude: 0.15),
      zip(SoundKit.sine(277.18, seconds: 4, amplitude: 0.15), SoundKit.sine(329.63, seconds: 4, amplitude: 0.15))
    ).map { $0 + $1.0 + $1.1 }
    let kit = try SoundKit([.init("beat", [beat.sound]), .init("chord", [Self.faded(chord)])])
    let stage = try kit.stage()
    var rows: [BenchRow] = []
    for quality in StretchQuality.allCases {
      let begin = 4_800
      let acts = [0, 1].flatMap { pad in
        [
          SoundStage.Act(0, .set(.pad(.stretchQuality, Pad.all[pad]), .text(quality.rawValue))),
          SoundStage.Act(0, .set(.pad(.stretch, Pad.all[pad]), .float(Float(Self.factor)))),
          SoundStage.Act(begin + pad * 480_000, .hit(Pad.all[pad], .full)),
        ]
      }
      let take = try stage.play(acts, kits: [SoundKit.id], seconds: 17)
      let stretched = Array(take.sumLeft[begin..<begin + Int(Double(beat.sound.count) * Self.factor) + 9_600])
      let found = beat.hits.map { Self.find(beat.sound, $0, in: stretched) }
      let errors = found.map { abs($0.lag) }
      let right = errors.count { $0 <= 48 }
      let start = stretched.firstIndex { abs($0) > 0.001 } ?? stretched.count
      let original = beat.sound.firstIndex { abs($0) > 0.001 } ?? 0
      let tones = Array(take.sumLeft[begin + 480_000 + 48_000..<begin + 480_000 + 48_000 + 131_072])
      rows += [
        BenchRow(
          "beat × 1.5, \(quality.rawValue), of 32 hits within 1 ms", unit: "", values: [Double(right)],
          target: .atLeast(32)),
        BenchRow("  off by", unit: "ms", values: errors.map { Double($0) / 48 }, target: .allAtMost(1)),
        BenchRow("  attacks doubled", unit: "", values: [Double(found.count { $0.isDoubled })], target: .atMost(0)),
        BenchRow("  start off by", unit: "frames", values: [Double(abs(start - original))], target: .atMost(0)),
        BenchRow("  a chord's energy off its tones", unit: "dB", values: [Self.offTones(tones)]),
      ]
      if let pictures { try SoundPicture.draw(stretched, in: pictures, "stretched-\(quality.rawValue)") }
    }
    if let pictures { try SoundPicture.draw(beat.sound, in: pictures, "stretched-original") }
    return rows
  }

  /// 32 sixteenths at 120 bpm: kicks, snares and hats, each with an attack of its own.
  private static func beat() -> (sound: [Float], hits: [Int]) {
    var sound = [Float](repeating: 0, count: 33 * step)
    // The first hit is the sound's own beginning, which stays where it is.
    let hits = (0..<32).map { $0 * step + 1 }
    for (index, hit) in hits.enumerated() {
      let noise = SoundKit.noise(step, seed: UInt64(index + 1), amplitude: 1)
      let low = SoundKit.sine(index % 4 == 0 ? 55 : 190, seconds: 0.125)
      for frame in 0..<step - 240 {
        let time = Float(frame) / 48_000
        func decay(_ seconds: Float) -> Float { 1 / (1 + time / seconds) / (1 + time / seconds) / (1 + time / seconds) }
        let value: Float =
          switch index % 4 {
          case 0: low[frame] * 1.4 * decay(0.12) + noise[frame] * 0.4 * decay(0.004)
          case 2: low[frame] * 0.7 * decay(0.08) + noise[frame] * 0.5 * decay(0.06)
          default: noise[frame] * 0.35 * decay(0.03)
          }
        sound[hit + frame] += value * 0.6
      }
    }
    return (sound, hits)
  }

  /// The place of a hit's first 4 ms in the stretched beat, and whether they occur twice.
  private static func find(_ beat: [Float], _ hit: Int, in stretched: [Float]) -> (lag: Int, isDoubled: Bool) {
    let expected = Int((Double(hit) * factor).rounded())
    // Differences are compared, because a kick's low end is similar to itself everywhere.
    let attack = (0..<192).map { beat[hit + $0] - beat[hit + $0 - 1] }
    let energy = SoundMath.energy(attack)
    let reach = 3_000
    let likeness = (-reach...reach).map { lag -> Double in
      let start = expected + lag
      guard start > 0, start + 192 < stretched.count else { return 0 }
      var (both, own) = (0.0, 0.0)
      for frame in 0..<192 {
        let value = Double(stretched[start + frame] - stretched[start + frame - 1])
        both += value * Double(attack[frame])
        own += value * value
      }
      return own > energy * 1e-4 ? both / (own * energy).squareRoot() : 0
    }
    let best = likeness.indices.max { likeness[$0] < likeness[$1] } ?? reach
    let others = likeness.indices.filter { abs($0 - best) > 96 }.map { likeness[$0] }
    return (best - reach, (others.max() ?? 0) > 0.5)
  }

  private static func offTones(_ signal: [Float]) -> Double {
    let spectrum = Spectrum(size: signal.count)
    let powers = spectrum.windowed(signal, from: 0).map(\.power)
    let width = Double(SoundStage.rate) / Double(signal.count)
    var off = 0.0
    for (bin, power) in powers.enumerated() {
      let hertz = Double(bin) * width
      if ![220, 277.18, 329.63].contains(where: { abs(hertz - $0) < 5 * width }) { off += power }
    }
    return SoundMath.decibels(power: off / max(1e-30, powers.reduce(0, +)))
  }
}

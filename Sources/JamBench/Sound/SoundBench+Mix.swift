internal import JamCore
internal import JamKit

extension SoundBench {
  private static let seconds = 16.0

  /// The mix of one player's beat on each kit, and of several players' beats together.
  func mix(_ stage: SoundStage) throws -> [BenchRow] {
    var (loudness, beatPeaks, apart): ([Double], [Double], [Double]) = ([], [], [])
    var (greatest, median, peaks): ([Double], [Double], [Double]) = ([], [], [])
    var names: [String] = []
    let loader = KitLoader(catalogue: stage.catalogue)
    for kit in stage.catalogue.kits {
      // The beat of a kit of loops alone is silence.
      guard let beat = BeatLoudness(of: try loader.load(kit.id)) else { continue }
      let acts = SoundBeat(of: kit).acts(seconds: Self.seconds)
      let take = try stage.play(acts, kits: [kit.id], seconds: Self.seconds, isLevelled: true)
      let plain = try stage.play(acts, kits: [kit.id], seconds: Self.seconds)
      guard let measured = MixLoudness.measure(take.interleaved),
        let sum = MixLoudness.measure(plain.sumInterleaved)
      else { continue }
      let reductions = take.reductions()
      names.append(kit.id)
      loudness.append(beat.integrated)
      beatPeaks.append(beat.truePeak)
      apart.append(sum.integrated - beat.integrated)
      // Stems are summed in another order than the mix. So a reduction below a twentieth of a
      // decibel is not the limiter's.
      greatest.append(reductions.max() ?? 0)
      median.append(reductions.median)
      peaks.append(measured.truePeak)
    }
    var rows = names.indices.map {
      BenchRow("beat on \(names[$0])", unit: "LUFS", values: [loudness[$0]], target: .allWithin(-17 ... -15))
    }
    rows += [
      BenchRow(
        "one player's beat, \(names.count) kits", key: "one player's beat", unit: "LUFS", values: loudness,
        target: .allWithin(-17 ... -15)),
      BenchRow(
        "  true peak in front of the limiter", unit: "dBTP", values: beatPeaks, target: .allAtMost(-1)),
      BenchRow(
        "  as the engine plays it, beside that", unit: "LU", values: apart,
        target: .allWithin(-0.5...0.5)),
      BenchRow("  reduced at most", unit: "dB", values: greatest, target: .allAtMost(0.05)),
    ]
    rows += names.indices.filter { greatest[$0] > 0.05 }.map {
      BenchRow("    on \(names[$0])", unit: "dB", values: [greatest[$0]])
    }
    rows += [
      BenchRow("  reduced, median", unit: "dB", values: median, target: .allAtMost(0.05)),
      BenchRow("  true peak", unit: "dBTP", values: peaks, target: .allAtMost(-1)),
    ]
    for count in [2, 4, 8, 16] {
      let kits = (0..<count).map { stage.catalogue.kits[$0 % stage.catalogue.kits.count] }
      rows += try together(stage, "\(count) players", kits)
    }
    for count in [4, 8, 16] {
      let kits = [Kit](repeating: stage.catalogue.kits[0], count: count)
      rows += try together(stage, "\(count) players in unison", kits)
    }
    return rows
  }

  private func together(_ stage: SoundStage, _ name: String, _ kits: [Kit]) throws -> [BenchRow] {
    let acts = kits.enumerated().flatMap { SoundBeat(of: $1, tempo: 120).acts(seconds: Self.seconds, player: $0) }
    let take = try stage.play(acts, kits: kits.map(\.id), seconds: Self.seconds, isLevelled: true)
    // At 120 bpm a bar is two seconds.
    let later = take.reductions(from: 2 * SoundStage.rate)
    let all = take.reductions()
    let over = Double(all.count { $0 > 3 }) / Double(max(1, all.count)) * 100
    let loudness = MixLoudness.measure(take.interleaved)?.integrated ?? -70
    return [
      BenchRow(
        "\(name), reduced, median", unit: "dB", values: [later.median], target: .atMost(1)),
      BenchRow("  at most, behind the first bar", unit: "dB", values: [later.max() ?? 0], target: .atMost(4)),
      BenchRow("  at most, from the start", unit: "dB", values: [all.max() ?? 0], target: .atMost(4)),
      BenchRow("  of the time more than 3 dB", unit: "%", values: [over]),
      BenchRow("  the mix", unit: "LUFS", values: [loudness], target: .allWithin(-15 ... -13)),
    ]
  }
}

internal import JamCore
internal import JamKit

extension SoundBench {
  private static let drums: Set<String> = ["kick", "snare", "clap", "hat", "cymbal", "tom", "percussion"]

  /// The level of low pads that overlap themselves, and the effect of velocity on timbre.
  func hits(_ stage: SoundStage) throws -> [BenchRow] {
    var (over, centroids): ([Double], [Double]) = ([], [])
    var (loud, same): ([BenchRow], [BenchRow]) = ([], [])
    for kit in stage.catalogue.kits {
      for (pad, value) in try overThemselves(kit, stage) {
        over.append(value)
        if value > 1 { loud.append(BenchRow("  \(kit.id), pad \(pad.number)", unit: "dB", values: [value])) }
      }
      let own = try timbres(kit, stage)
      centroids += own.map(\.value)
      let kept = own.filter { abs($0.value) <= 0.05 }.map { "\($0.pad.number)" }
      if !kept.isEmpty {
        let name = "  alike in \(kit.id), pads \(kept.joined(separator: " "))"
        same.append(BenchRow(name, unit: "", values: [Double(kept.count)]))
      }
    }
    let changed = Double(centroids.count { abs($0) > 0.05 })
    return [
      BenchRow(
        "\(over.count) kicks and basses, sixteenths above one", key: "kicks and basses, sixteenths above one",
        unit: "dB", values: over, target: .allAtMost(1))
    ] + loud + [
      BenchRow(
        "of \(centroids.count) drum pads change timbre with velocity", key: "drum pads change timbre with velocity",
        unit: "", values: [changed], target: .atLeast(Double(centroids.count))),
      BenchRow("  brightness of 0.25 beside 1", unit: "%", values: centroids.map { $0 * 100 }),
    ] + same
  }

  /// The peak of 16 sixteenths at 140 bpm above the peak of one hit, in dB, for each kick and bass.
  private func overThemselves(_ kit: Kit, _ stage: SoundStage) throws -> [(pad: Pad, value: Double)] {
    let pads = Pad.all.filter { kit[$0]?.category == "kick" || kit[$0]?.category == "bass" }
    let slot = 240_000
    var acts: [SoundStage.Act] = []
    for (index, pad) in pads.enumerated() {
      acts.append(SoundStage.Act(index * slot + 480, .hit(pad, .full)))
      acts.append(SoundStage.Act(index * slot + 84_000, .panic))
      for hit in 0..<16 { acts.append(SoundStage.Act(index * slot + 96_000 + hit * 5_143, .hit(pad, .full))) }
      acts.append(SoundStage.Act(index * slot + slot - 4_800, .panic))
    }
    guard !pads.isEmpty else { return [] }
    let take = try stage.play(acts, kits: [kit.id], seconds: Double(pads.count * slot) / Double(SoundStage.rate))
    return pads.indices.map { index in
      let one = SoundMath.peak(take.sumLeft[index * slot..<index * slot + 90_000])
      let many = SoundMath.peak(take.sumLeft[index * slot + 92_000..<(index + 1) * slot])
      return (pads[index], SoundMath.decibels(many / max(one, 1e-9)))
    }
  }

  /// The relative difference between the spectral centre of a soft hit and that of a hard one, for
  /// each drum.
  private func timbres(_ kit: Kit, _ stage: SoundStage) throws -> [(pad: Pad, value: Double)] {
    let pads = Pad.all.filter { Self.drums.contains(kit[$0]?.category ?? "") }
    let slot = 36_000
    var acts: [SoundStage.Act] = []
    for (index, pad) in pads.enumerated() {
      for (turn, velocity) in [Float(0.25), 1].enumerated() {
        let begin = (2 * index + turn) * slot
        acts += Self.plain(pad, at: begin)
        acts.append(SoundStage.Act(begin + 480, .hit(pad, Velocity(velocity) ?? .full)))
        // The sound is silent before the window of the next one begins.
        acts.append(SoundStage.Act(begin + slot - 9_600, .panic))
      }
    }
    guard !pads.isEmpty else { return [] }
    let take = try stage.play(acts, kits: [kit.id], seconds: Double(2 * pads.count * slot) / Double(SoundStage.rate))
    let spectrum = Spectrum(size: 16_384)
    func centre(_ place: Int) -> Double {
      let powers = spectrum.windowed(take.sumLeft, from: place * slot + 480 - 8_192).map(\.power)
      let others = spectrum.windowed(take.sumRight, from: place * slot + 480 - 8_192).map(\.power)
      var (sum, weighted) = (0.0, 0.0)
      for bin in powers.indices {
        let amplitude = (powers[bin] + others[bin]).squareRoot()
        sum += amplitude
        weighted += amplitude * Double(bin)
      }
      return weighted / max(sum, 1e-12)
    }
    return pads.indices.map { index in
      let (soft, hard) = (centre(2 * index), centre(2 * index + 1))
      return (pads[index], hard > 0 ? soft / hard - 1 : 0)
    }
  }

  /// The seam of a loop whose end fits its beginning exactly.
  func loops() throws -> [BenchRow] {
    // The loop has whole periods, so its end continues into its beginning.
    let kit = try SoundKit([.init("loop", [SoundKit.sine(100, seconds: 0.5)], fields: #""mode": "loop""#)])
    let take = try kit.stage().play([SoundStage.Act(0, .hit(Pad.all[0], .full))], kits: [SoundKit.id], seconds: 4)
    let signal = Array(take.sumLeft[48_000..<144_000])
    let (c, s) = SoundMath.tone(100, in: signal)
    let rest = signal.enumerated().map { frame, value in
      let turns = 100 * Double(frame) / Double(SoundStage.rate)
      return abs(Double(value) - c * PortableMath.cosine(turns: turns) - s * PortableMath.sine(turns: turns))
    }
    let worst = SoundMath.decibels((rest.max() ?? 0) / (c * c + s * s).squareRoot())
    return [BenchRow("the seam of a seamless loop", unit: "dB", values: [worst], target: .atMost(-100))]
  }
}

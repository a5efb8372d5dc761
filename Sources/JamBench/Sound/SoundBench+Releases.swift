internal import JamCore
internal import JamKit

extension SoundBench {
  /// How long a held sound of a kit is heard once its pad is let go of: until it is 40 dB below its
  /// peak before that.
  func releases(_ stage: SoundStage) throws -> [BenchRow] {
    let slot = 48_000
    var (basses, others): ([Double], [Double]) = ([], [])
    for kit in stage.catalogue.kits {
      let pads = Pad.all.filter { kit[$0]?.settings.mode == .gate }
      guard !pads.isEmpty else { continue }
      let acts = pads.enumerated().flatMap { index, pad in
        [
          SoundStage.Act(index * slot, .hit(pad, .full)),
          SoundStage.Act(index * slot + 12_000, .release(pad)),
        ]
      }
      let take = try stage.play(acts, kits: [kit.id], seconds: Double(pads.count))
      for (index, pad) in pads.enumerated() {
        let sound = take.sumLeft[index * slot..<(index + 1) * slot]
        let letGo = sound.startIndex + 12_000
        let peak = SoundMath.peak(sound[letGo - 2_400..<letGo])
        guard peak > 0 else { continue }
        let end = sound.lastIndex { abs(Double($0)) > peak * 0.01 } ?? letGo
        let milliseconds = Double(max(0, end - letGo)) / 48
        if kit[pad]?.category == "bass" { basses.append(milliseconds) } else { others.append(milliseconds) }
      }
    }
    guard !basses.isEmpty, !others.isEmpty else { return [] }
    return [
      BenchRow(
        "basses of kits, let go of, are heard for", unit: "ms", values: basses,
        target: .allWithin(50...150)),
      BenchRow(
        "other held sounds of kits, let go of, are heard for", unit: "ms", values: others,
        target: .allWithin(40...300)),
    ]
  }
}

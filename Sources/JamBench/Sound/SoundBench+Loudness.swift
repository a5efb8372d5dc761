internal import JamCore
internal import JamKit

extension SoundBench {
  /// Compares the loudness of pads as kits tell it with the loudness as the engine plays it: mono
  /// sounds have to be as loud as stereo ones.
  func loudness(_ stage: SoundStage) throws -> [BenchRow] {
    let slot = 72_000
    let loader = KitLoader(catalogue: stage.catalogue)
    var (mono, stereo): ([Double], [Double]) = ([], [])
    for kit in stage.catalogue.kits {
      let loaded = try loader.load(kit.id)
      var acts: [SoundStage.Act] = []
      let told = KitLoudness(of: loaded).sounds
      for (index, sound) in told.enumerated() {
        acts += SoundBench.plain(sound.pad, at: index * slot)
        acts.append(SoundStage.Act(index * slot + 480, .hit(sound.pad, .full)))
        acts.append(SoundStage.Act(index * slot + slot - 2_400, .panic))
      }
      let take = try stage.play(acts, kits: [kit.id], seconds: Double(told.count * slot) / Double(SoundStage.rate))
      let all = take.sumInterleaved
      for (index, sound) in told.enumerated() {
        let slice = Array(all[2 * index * slot..<2 * (index + 1) * slot])
        // A sound that is longer than the slot is skipped, because its loudest part may come later.
        guard let told = sound.loudness, let played = MixLoudness.momentaryMaximum(slice),
          let pad = loaded.kit[sound.pad],
          pad.duration.count < Int64(slot), let view = loaded.sample(sound.pad)
        else { continue }
        if view.isStereo { stereo.append(played - told) } else { mono.append(played - told) }
      }
    }
    guard !mono.isEmpty, !stereo.isEmpty else { return [] }
    let reference = stereo.median
    return [
      BenchRow(
        "mono sounds (\(mono.count)) louder than told, beside stereo", key: "mono sounds louder than told",
        unit: "LU", values: mono.map { $0 - reference }, target: .allWithin(-0.5...0.5))
    ]
  }

  /// Settings that play the sound itself once to its end, and override those of the kit.
  static func plain(_ pad: Pad, at frame: Int) -> [SoundStage.Act] {
    let settings: [(PadSetting, SettingValue)] = [
      (.transposeRandom, .float(0)), (.gainRandom, .float(0)), (.panRandom, .float(0)), (.start, .float(0)),
      (.decay, .float(0)), (.transpose, .float(0)), (.mode, .text(PadMode.oneShot.rawValue)),
    ]
    return settings.map { SoundStage.Act(frame, .set(.pad($0, pad), $1)) }
  }
}

internal import JamCore
internal import JamKit
internal import JamStream

extension SoundBench {
  /// The streams of listeners who lose packets at random: the true peak that they decode, and how
  /// long a lost packet is heard behind its own end.
  func loss(_ stage: SoundStage) throws -> [BenchRow] {
    let music = try streamedBeats(stage)
    return try [StreamProfile.rtp, .webRTC].flatMap { profile -> [BenchRow] in
      let stream = try LossyStream(music, profile)
      let name = "\(profile.frame.word) ms, \(profile.bitrate.rawValue / 1_000) kbit/s"
      var rows = try [1, 3, 10].flatMap { percent in
        try [("true peak", false), ("true peak in listen", true)].map { what, isFilled in
          let peaks = try (1...6).compactMap { seed in
            let heard = try stream.decoded(isFilled: isFilled) { number in
              Chance.mixed(UInt64(seed) << 32 | UInt64(number)) % 100 < UInt64(percent)
            }
            return MixLoudness.measure(heard)?.truePeak
          }
          return BenchRow(
            "\(name), \(percent) % lost: \(what)", unit: "dBTP", values: peaks,
            target: .allAtMost(0))
        }
      }
      // More than half a second lies between two losses, so each is over before the next one. It is
      // no beat: losses fall on hits and between them.
      let distance = 24_000 / stream.packetFrames + 7
      rows.append(
        BenchRow(
          "\(name): a lost packet is heard for", unit: "ms",
          values: try stream.healing(every: distance), target: .allAtMost(20)))
      let ours = try stream.stray(every: distance, isFilled: true)
      let theirs = try stream.stray(every: distance, isFilled: false)
      rows.append(BenchRow("  strays in listen by", unit: "dB", values: [ours]))
      rows.append(
        BenchRow("  beside libopus’s own", unit: "dB", values: [ours - theirs], target: .allAtMost(0)))
      return rows
    }
  }
}

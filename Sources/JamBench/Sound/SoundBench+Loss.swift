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
            var dice = Dice(seed: UInt64(seed))
            let heard = try stream.decoded(isFilled: isFilled) { _ in dice.roll(percent: percent) }
            return MixLoudness.measure(heard)?.truePeak
          }
          return BenchRow(
            "\(name), \(percent) % lost: \(what)", unit: "dBTP", values: peaks,
            target: .allAtMost(0))
        }
      }
      // Half a second lies between two losses: each is over before the next one.
      let distance = 24_000 / stream.packetFrames
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

  /// Chances that fall alike in every run.
  private struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func roll(percent: Int) -> Bool {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state >> 33 % 100 < percent
    }
  }
}

internal import JamCommand
internal import JamCore
internal import JamKit
internal import JamStream

extension SoundBench {
  /// The share of moments that are disturbed, for each frame length with all bit rates. Only the
  /// lowest bit rate that is offered has a target.
  func opus(_ stage: SoundStage) throws -> [BenchRow] {
    let music = try streamedBeats(stage)
    var rows: [BenchRow] = []
    for frame in StreamProfile.FrameLength.allCases {
      for bitrate in StreamProfile.Bitrate.allCases {
        let profile = StreamProfile(application: .lowDelay, frame: frame, bitrate: bitrate)
        let share = try Self.disturbed(music, profile) * 100
        rows.append(
          BenchRow(
            "Opus, \(frame.word) ms, \(bitrate.rawValue / 1_000) kbit/s: disturbed", unit: "%", values: [share],
            target: bitrate == frame.lowestBitrate ? .atMost(10) : nil))
      }
    }
    return rows
  }

  /// Beats as they are streamed: the mix after the limiter, interleaved, four seconds of each of
  /// six kits.
  func streamedBeats(_ stage: SoundStage) throws -> [Float] {
    try stage.catalogue.kits.prefix(6).flatMap { kit in
      try stage.play(SoundBeat(of: kit).acts(seconds: 4), kits: [kit.id], seconds: 4).interleaved
    }
  }

  /// The share of moments whose noise is more than 6 dB above the level that the music masks.
  static func disturbed(_ music: [Float], _ profile: StreamProfile) throws -> Double {
    let stream = try LossyStream(music, profile)
    let out = stream.whole
    let delay = Int(stream.lookahead.count)
    func mid(_ pcm: [Float], from first: Int, _ count: Int) -> [Float] {
      (first..<first + count).map { (pcm[2 * $0] + pcm[2 * $0 + 1]) / 2 }
    }
    let count = out.count / 2 - delay
    let (before, behind) = (mid(music, from: 0, count), mid(out, from: delay, count))
    let noise = zip(before, behind).map { $1 - $0 }
    let size = 1_024
    let (spectrum, masking) = (Spectrum(size: size), Masking(size: size))
    var (heard, disturbed) = (0, 0)
    for start in stride(from: 0, to: count - size, by: size / 2) {
      let sound = spectrum.windowed(before, from: start).map(\.power)
      guard sound.reduce(0, +) > 1e-3 else { continue }
      heard += 1
      let stray = spectrum.windowed(noise, from: start).map(\.power)
      if masking.excess(of: stray, over: sound, floor: 1e-5, bins: 2..<171) > 6 { disturbed += 1 }
    }
    return heard > 0 ? Double(disturbed) / Double(heard) : 0
  }
}

/// The loudness and the true peak of a kit's demo beat, played by one player.
///
/// `kits check`, the importers and the bench of sound all measure a beat by this value.
public struct BeatLoudness: Hashable, Sendable {
  /// The integrated loudness (BS.1770-4), in LUFS.
  public let integrated: Double
  /// In dBTP.
  public let truePeak: Double

  /// A beat lies near `target`, in LUFS, and differs by at most `tolerance` LU.
  public static let target = -16.0
  public static let tolerance = 1.0
  /// The greatest true peak of a beat, in dBTP: one player alone leaves the limiter at rest.
  public static let greatestPeak = -1.0

  init(integrated: Double, truePeak: Double) {
    (self.integrated, self.truePeak) = (integrated, truePeak)
  }

  /// - Returns: nil where the kit has no beat that is heard: all its pads loop, or are silent.
  /// - Thread: any; not real-time safe.
  public init?(of kit: LoadedKit) {
    let mix = DemoMix(of: kit, DemoBeat(of: kit.kit)).sound
    guard let measured = MixLoudness.measure(mix.interleaved) else { return nil }
    self.init(integrated: measured.integrated, truePeak: measured.truePeak)
  }

  /// The gain, in dB, that brings the beat to the target, or as near as its peaks allow.
  package var correction: Double { min(Self.target - integrated, Self.greatestPeak - truePeak) }

  /// The reason why the beat is wrong; nil where it is right.
  ///
  /// A beat of few and short hits cannot reach the target, because its peaks stand in the way. It
  /// is right where they are as high as they may be.
  package var problem: KitError.Reason? {
    let isAtPeak = truePeak <= Self.greatestPeak && truePeak > Self.greatestPeak - Self.tolerance
    let isLevel = abs(integrated - Self.target) <= Self.tolerance && truePeak <= Self.greatestPeak
    guard !isLevel, !(integrated < Self.target && isAtPeak) else { return nil }
    return .beatLevel(loudness: integrated, peak: truePeak, change: correction)
  }
}

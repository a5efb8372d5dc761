/// Stretches a sound with a known number of beats, so that it lasts these beats.
public enum PadFit {
  /// The allowed stretch. Beyond it, the sound fills half or twice as many beats.
  public static let range: ClosedRange<Double> = 0.5...2

  /// - Parameters:
  ///   - beats: above 0.
  ///   - seconds: the length of the original sound, above 0.
  ///   - bpm: the tempo.
  /// - Returns: how many times as long the sound must be to last its beats, or half or twice as
  ///   many.
  public static func factor(beats: Double, seconds: Double, bpm: Double) -> Double {
    var factor = beats * 60 / bpm / seconds
    guard factor.isFinite, factor > 0 else { return 1 }
    while factor < range.lowerBound { factor *= 2 }
    while factor > range.upperBound { factor /= 2 }
    return factor
  }
}

/// How a sound that knows its beats is made to last them.
public enum PadFit {
  /// So many times as long it may become: beyond that a beat counts twice, or two count as one.
  public static let range: ClosedRange<Double> = 0.5...2

  /// - Parameters:
  ///   - beats: above 0.
  ///   - seconds: of the sound as it is, above 0.
  ///   - bpm: the tempo.
  /// - Returns: how many times as long the sound must be to last its beats, or half or twice as many.
  public static func factor(beats: Double, seconds: Double, bpm: Double) -> Double {
    var factor = beats * 60 / bpm / seconds
    guard factor.isFinite, factor > 0 else { return 1 }
    while factor < range.lowerBound { factor *= 2 }
    while factor > range.upperBound { factor /= 2 }
    return factor
  }
}

extension ClosedRange<Int> {
  /// The range as people read it: `4…64`.
  public var words: String { "\(lowerBound)…\(upperBound)" }
}

extension ClosedRange<Double> {
  /// The range as people read it, in whole numbers: `20…300`.
  public var wholeWords: String { "\(Int64(saturating: lowerBound))…\(Int64(saturating: upperBound))" }
}

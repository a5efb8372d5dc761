extension Collection<Double> {
  /// The middle one, or the mean of the middle two; 0 where there is none.
  public var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = self.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

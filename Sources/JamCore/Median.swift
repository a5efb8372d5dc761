extension Collection<Double> {
  /// The middle value, or the mean of the two middle values; 0 for an empty collection.
  public var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = self.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

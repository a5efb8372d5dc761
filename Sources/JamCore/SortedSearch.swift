extension Range<Int> {
  /// The first place in a sorted list for which `isInFront` is false, or the end where there is
  /// none. The range holds the list's places. The number of calls is the number of binary digits of
  /// the list's length.
  /// - Parameter isInFront: true for the first places, and false from some place on.
  @inlinable @inline(__always) public func firstPlace(behind isInFront: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if isInFront(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Range<Int> {
  /// The first place of a sorted list, of which these are places, that is not in front; the end where all are.
  /// Takes as many looks as the list's length has binary digits.
  /// - Parameter isInFront: true of the places up to some one, and false from there on.
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

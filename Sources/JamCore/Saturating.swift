// Conversions that cannot trap: what comes from outside, or from time, is never converted in another way.
//
// Thread: any. Real-time safe: no calls into libm, and nothing generic.

extension Int64 {
  /// The whole part of `value`; beyond the range its nearest end, and 0 for NaN.
  @inlinable public init(saturating value: Double) {
    // 2⁶³ is the first Double beyond the range; the range's lower end is one itself.
    if value >= 9_223_372_036_854_775_808 {
      self = .max
    } else if value <= -9_223_372_036_854_775_808 {
      self = .min
    } else {
      self = value == value ? Int64(value) : 0
    }
  }

  /// The nearest whole number to `value`, halves away from zero, as a count of something in time: within ±2⁶⁰, so that sums of
  /// several do not wrap; 0 for NaN.
  @inlinable init(nearestTime value: Double) {
    let most = 1_152_921_504_606_846_976.0
    let bounded = value > most ? most : value < -most ? -most : value
    self.init(saturating: bounded >= 0 ? bounded + 0.5 : bounded - 0.5)
  }
}

extension Int {
  /// The whole part of `value`; beyond the range its nearest end, and 0 for NaN.
  @inlinable public init(saturating value: Double) { self.init(truncatingIfNeeded: Int64(saturating: value)) }
}

extension Int32 {
  /// The whole part of `value`; beyond the range its nearest end, and 0 for NaN.
  @inlinable public init(saturating value: Float) { self.init(clamping: Int64(saturating: Double(value))) }
}

extension Range {
  /// From `start` to `end`; empty at `start` where `end` lies before it.
  ///
  /// `a..<b` traps there. What comes from a clock, or from outside, may run backwards.
  @inlinable public init(from start: Bound, to end: Bound) {
    self.init(uncheckedBounds: (lower: start, upper: end > start ? end : start))
  }
}

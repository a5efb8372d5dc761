// Conversions that cannot trap. All numbers from outside, and all times, are converted only with
// these.
//
// Thread: any. Real-time safe: no calls into libm, and no generic code.

extension Int64 {
  /// The whole part of `value`. A value beyond the range gives the nearest end of the range, and
  /// NaN gives 0.
  @inlinable public init(saturating value: Double) {
    // 2⁶³ is the first Double above the range. The lower end of the range is itself a Double.
    if value >= 9_223_372_036_854_775_808 {
      self = .max
    } else if value <= -9_223_372_036_854_775_808 {
      self = .min
    } else {
      self = value == value ? Int64(value) : 0
    }
  }

  /// The whole number nearest to `value`, for times. Halves go away from zero. The result is
  /// limited to ±2⁶⁰, so that sums of several times do not wrap. NaN gives 0.
  @inlinable init(nearestTime value: Double) {
    let most = 1_152_921_504_606_846_976.0
    let bounded = value > most ? most : value < -most ? -most : value
    self.init(saturating: bounded >= 0 ? bounded + 0.5 : bounded - 0.5)
  }
}

extension Int {
  /// The whole part of `value`. A value beyond the range gives the nearest end of the range, and
  /// NaN gives 0.
  @inlinable public init(saturating value: Double) { self.init(truncatingIfNeeded: Int64(saturating: value)) }
}

extension Int32 {
  /// The whole part of `value`. A value beyond the range gives the nearest end of the range, and
  /// NaN gives 0.
  @inlinable public init(saturating value: Float) { self.init(clamping: Int64(saturating: Double(value))) }
}

extension Range {
  /// From `start` to `end`; empty at `start` where `end` lies before it.
  ///
  /// `a..<b` traps in that case. Times from a clock or from outside may run backwards.
  @inlinable public init(from start: Bound, to end: Bound) {
    self.init(uncheckedBounds: (lower: start, upper: end > start ? end : start))
  }
}

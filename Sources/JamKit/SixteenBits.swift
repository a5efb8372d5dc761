internal import JamCore

/// Sounds as 16-bit integers. Exact arithmetic alone, so the integers are the same on every
/// machine.
enum SixteenBits {
  /// The shift of sounds from files with 16 bits: 32,768 stands for 1.
  static let shift: UInt8 = 15
  /// The shift of the softest sound. Its level is far below silence.
  private static let most: UInt8 = 60

  /// Whether each value can be stored in 16 bits without any change.
  static func holds(_ values: UnsafeBufferPointer<Float>) -> Bool {
    // Piece by piece, and each piece to its end: a loop without an early exit is vectorised.
    var start = 0
    while start < values.count {
      let piece = Range(from: start, to: min(start + 4_096, values.count))
      var isOther: UInt32 = 0
      for value in values[piece] {
        let scaled = value * full
        // −0 would come back as 0, so a zero with a sign counts as another value.
        isOther |= (scaled + whole - whole).bitPattern ^ scaled.bitPattern
        isOther |= scaled >= -full && scaled < full ? 0 : 1
      }
      guard isOther == 0 else { return false }
      start = piece.upperBound
    }
    return true
  }

  /// 32,768, which stands for 1.
  private static let full = Float(1 << shift)
  /// 1.5 × 2^23: a float of this size has no room for fractions, and its last bits are the integer
  /// that was added.
  private static let whole: Float = 12_582_912

  /// - Parameter value: one that fits in 16 bits, as `holds` checks.
  @inline(__always) static func exact(_ value: Float) -> Int16 {
    Int16(truncatingIfNeeded: (value * full + whole).bitPattern)
  }

  /// The largest shift that has room for the loudest value. Values above full scale need a smaller
  /// one than `shift`.
  static func shift(for values: UnsafeBufferPointer<Float>) -> UInt8 {
    let peak = values.reduce(0) { max($0, abs($1)) }
    var shift = most
    // `Sound.loudest` is 64: 1 is always enough.
    while shift > 1, peak / SamplePlane.scale(shift) > 32_767 { shift -= 1 }
    return shift
  }

  static func nearest(_ value: Float, shift: UInt8) -> Int16 {
    // Finite: sounds are checked when they are decoded, and the shift suits their peak.
    Int16(min(max((value / SamplePlane.scale(shift)).rounded(.toNearestOrEven), -32_768), 32_767))
  }
}

internal import JamCore

/// Sounds as 16-bit integers. Exact arithmetic alone, so the integers are the same on every machine.
enum SixteenBits {
  /// Of sounds from files with 16 bits: 32,768 stands for 1.
  static let shift: UInt8 = 15
  /// Of the softest sound: far below what is silence already.
  private static let most: UInt8 = 60

  /// Whether each value is one of 16 bits, to the bit.
  static func holds(_ values: UnsafeBufferPointer<Float>) -> Bool {
    // Piece by piece, and to the end of each: a loop without a way out takes many values at once.
    var start = 0
    while start < values.count {
      let piece = Range(from: start, to: min(start + 4_096, values.count))
      var isOther: UInt32 = 0
      for value in values[piece] {
        let scaled = value * full
        // A sound's zero has no sign here: −0 would come back as 0.
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
  /// 1.5 × 2^23: a float beside it has no place for fractions, and its last bits are the integer
  /// that was added.
  private static let whole: Float = 12_582_912

  /// - Parameter value: one of 16 bits, as `holds` says.
  @inline(__always) static func exact(_ value: Float) -> Int16 {
    Int16(truncatingIfNeeded: (value * full + whole).bitPattern)
  }

  /// The largest shift that the loudest value leaves room for; those above full scale get a smaller one than `shift`.
  static func shift(for values: UnsafeBufferPointer<Float>) -> UInt8 {
    let peak = values.reduce(0) { max($0, abs($1)) }
    var shift = most
    // `Sound.loudest` is 64: 1 is always enough.
    while shift > 1, peak / SamplePlane.scale(shift) > 32_767 { shift -= 1 }
    return shift
  }

  static func nearest(_ value: Float, shift: UInt8) -> Int16 {
    // Finite: sounds are checked as they are decoded, and the shift is made for their peak.
    Int16(min(max((value / SamplePlane.scale(shift)).rounded(.toNearestOrEven), -32_768), 32_767))
  }
}

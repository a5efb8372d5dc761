internal import JamCore

/// Sounds as 16-bit integers. Exact arithmetic alone, so the integers are the same on every machine.
enum SixteenBits {
  /// Of sounds from files with 16 bits: 32,768 stands for 1.
  static let shift: UInt8 = 15
  /// Of the softest sound: far below what is silence already.
  private static let most: UInt8 = 60

  /// Whether each value is one of 16 bits, to the bit.
  static func holds(_ values: UnsafeBufferPointer<Float>) -> Bool {
    let scale = SamplePlane.scale(shift)
    return values.allSatisfy { value in
      guard value >= -1 && value < 1 else { return false }
      // Finite: within −32,768 ..< 32,768 once it is divided.
      // A sound's zero has no sign here: −0 would come back as 0.
      return (Float(Int16(value / scale)) * scale).bitPattern == value.bitPattern
    }
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

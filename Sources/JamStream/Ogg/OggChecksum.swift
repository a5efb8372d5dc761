/// The CRC of Ogg pages: polynomial 0x04c11db7, not reflected, from 0, not inverted.
///
/// - Source: RFC 3533 §6, field 7.
enum OggChecksum {
  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index) << 24
    for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04c1_1db7 : value << 1 }
    return value
  }

  /// Of a page whose own checksum field is zero.
  static func of(_ page: some Sequence<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var value: UInt32 = 0
      for byte in page { value = value << 8 ^ table[Int(UInt8(truncatingIfNeeded: value >> 24) ^ byte)] }
      return value
    }
  }
}

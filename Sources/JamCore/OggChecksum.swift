/// The CRC of Ogg pages: polynomial 0x04c11db7, not reflected, from 0, not inverted. Streams write
/// it; the listening client and the reader of sound files check it.
///
/// Thread: any.
/// - Source: RFC 3533 §6, field 7.
package enum OggChecksum {
  private static let polynomial: UInt32 = 0x04c1_1db7

  @usableFromInline package static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index) << 24
    for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ polynomial : value << 1 }
    return value
  }

  /// The checksum of a page whose own checksum field is zero.
  @inlinable package static func of(_ page: some Sequence<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var value: UInt32 = 0
      for byte in page {
        value = value << 8 ^ table[Int(UInt8(truncatingIfNeeded: value >> 24) ^ byte)]
      }
      return value
    }
  }

  /// The product of two polynomials modulo the CRC's.
  package static func product(_ a: UInt32, _ b: UInt32) -> UInt32 {
    var result: UInt32 = 0
    for bit in stride(from: 31, through: 0, by: -1) {
      result = result & 0x8000_0000 != 0 ? result << 1 ^ polynomial : result << 1
      if b >> UInt32(bit) & 1 != 0 { result ^= a }
    }
    return result
  }

  /// The factor of a checksum when `count` zero bytes follow: x to the power of 8 times that count.
  package static func shift(byZeros count: Int) -> UInt32 {
    var result: UInt32 = 1
    var power: UInt32 = 1 << 8
    var rest = count
    while rest > 0 {
      if rest & 1 != 0 { result = product(result, power) }
      power = product(power, power)
      rest >>= 1
    }
    return result
  }
}

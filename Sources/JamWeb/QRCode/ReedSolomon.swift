/// Reed–Solomon error correction over GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1.
///
/// - Source: ISO/IEC 18004:2015, clause 7.5.2 and annex A.
enum ReedSolomon {
  /// The remainder of `data` divided by the generator polynomial of degree `count`.
  static func correction(of data: [UInt8], count: Int) -> [UInt8] {
    let generator = generator(degree: count)
    var remainder = [UInt8](repeating: 0, count: count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for i in 0..<count { remainder[i] ^= multiply(generator[i], factor) }
    }
    return remainder
  }

  /// (x − α⁰)(x − α¹)… without its leading 1, highest power first.
  private static func generator(degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree)
    result[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      for i in 0..<degree {
        result[i] = multiply(result[i], root)
        if i + 1 < degree { result[i] ^= result[i + 1] }
      }
      root = multiply(root, 2)
    }
    return result
  }

  static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var product: UInt8 = 0
    for i in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) &* 0x1d
      if b >> UInt8(i) & 1 == 1 { product ^= a }
    }
    return product
  }
}

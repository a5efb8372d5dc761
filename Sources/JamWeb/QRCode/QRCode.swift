/// A QR code of up to 213 bytes: byte mode, versions 1–10, error correction level M.
///
/// - Source: ISO/IEC 18004:2015.
package struct QRCode {
  static let mostBytes = 213

  /// Modules along each side: 21, 25, … 57.
  package let size: Int
  /// The modules row by row; true is dark.
  private(set) var modules: [Bool]
  /// Modules that carry no data: patterns, timing and format.
  private var isFixed: [Bool]

  /// - Returns: nil where `text` is longer than 213 bytes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
    size = version.size
    modules = Array(repeating: false, count: size * size)
    isFixed = modules
    drawPatterns(version)
    drawData(version.codewords(of: bytes))
    chooseMask()
  }

  subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

  private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard (0..<size).contains(x), (0..<size).contains(y) else { return }
    modules[y * size + x] = isDark
    isFixed[y * size + x] = true
  }

  private mutating func drawPatterns(_ version: QRVersion) {
    // The timing patterns come first, because the other patterns overlay their ends.
    for i in 0..<size {
      fix(i, 6, i % 2 == 0)
      fix(6, i, i % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for dy in -4...4 {
        for dx in -4...4 {
          let ring = max(abs(dx), abs(dy))
          fix(x + dx, y + dy, ring != 2 && ring != 4)
        }
      }
    }
    for (x, y) in version.alignments {
      for dy in -2...2 {
        for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
      }
    }
    if version.number >= 7 { drawVersion(version.number) }
    drawFormat(mask: 0)
  }

  /// Draws the number of the version, twice: its six bits and their BCH(18,6) remainder (clause
  /// 7.10).
  private mutating func drawVersion(_ number: Int) {
    var remainder = number
    for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1f25 }
    let bits = number << 12 | remainder
    for i in 0..<18 {
      let (along, across) = (size - 11 + i % 3, i / 3)
      fix(along, across, bits >> i & 1 == 1)
      fix(across, along, bits >> i & 1 == 1)
    }
  }

  /// Draws the format bits, twice, and the dark module beside them (clause 7.9).
  private mutating func drawFormat(mask: Int) {
    // Level M is 00, in front of the mask's three bits. Then come the BCH(15,5) remainder and the
    // fixed mask.
    var remainder = mask
    for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
    let bits = (mask << 10 | remainder) ^ 0x5412
    func bit(_ i: Int) -> Bool { bits >> i & 1 == 1 }
    for i in 0...5 { fix(8, i, bit(i)) }
    fix(8, 7, bit(6))
    fix(8, 8, bit(7))
    fix(7, 8, bit(8))
    for i in 9..<15 { fix(14 - i, 8, bit(i)) }
    for i in 0..<8 { fix(size - 1 - i, 8, bit(i)) }
    for i in 8..<15 { fix(8, size - 15 + i, bit(i)) }
    fix(8, size - 8, true)
  }

  /// Draws the data, two columns at a time from the right, up and down in turn, around the fixed
  /// modules (clause 7.7.3).
  private mutating func drawData(_ codewords: [UInt8]) {
    var bit = 0
    var right = size - 1
    var isUpward = true
    while right > 0 {
      if right == 6 { right = 5 }
      for step in 0..<size {
        let y = isUpward ? size - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * size + x] && bit < codewords.count * 8 {
          modules[y * size + x] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      right -= 2
      isUpward.toggle()
    }
  }

  private mutating func chooseMask() {
    var best = 0
    var least = Int.max
    for mask in 0..<8 {
      apply(mask)
      let penalty = self.penalty
      if penalty < least { (best, least) = (mask, penalty) }
      apply(mask)  // Applying a mask twice removes it.
    }
    apply(best)
  }

  private mutating func apply(_ mask: Int) {
    drawFormat(mask: mask)
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] && QRCode.isMasked(x, y, mask) {
        modules[y * size + x].toggle()
      }
    }
  }

  private static func isMasked(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }
}

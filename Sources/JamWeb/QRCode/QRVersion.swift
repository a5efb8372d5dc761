/// One of the ten supported sizes, with its blocks at level M.
///
/// - Source: ISO/IEC 18004:2015, tables 3, 7, 9 and E.1.
struct QRVersion {
  let number: Int
  /// The data codewords of each block.
  private let blocks: [Int]
  /// The error correction codewords of each block.
  private let correctionPerBlock: Int

  private static let all = [
    QRVersion(number: 1, blocks: [16], correctionPerBlock: 10),
    QRVersion(number: 2, blocks: [28], correctionPerBlock: 16),
    QRVersion(number: 3, blocks: [44], correctionPerBlock: 26),
    QRVersion(number: 4, blocks: [32, 32], correctionPerBlock: 18),
    QRVersion(number: 5, blocks: [43, 43], correctionPerBlock: 24),
    QRVersion(number: 6, blocks: [27, 27, 27, 27], correctionPerBlock: 16),
    QRVersion(number: 7, blocks: [31, 31, 31, 31], correctionPerBlock: 18),
    QRVersion(number: 8, blocks: [38, 38, 39, 39], correctionPerBlock: 22),
    QRVersion(number: 9, blocks: [36, 36, 36, 37, 37], correctionPerBlock: 22),
    QRVersion(number: 10, blocks: [43, 43, 43, 43, 44], correctionPerBlock: 26),
  ]

  static func smallest(for bytes: Int) -> QRVersion? {
    // Four bits of mode and the length come in front of the bytes.
    all.first { $0.capacity * 8 >= 4 + ($0.lengthBytes + bytes) * 8 }
  }

  var size: Int { 17 + 4 * number }
  private var capacity: Int { blocks.reduce(0, +) }
  private var lengthBytes: Int { number < 10 ? 1 : 2 }

  /// The centres of the alignment patterns.
  var alignments: [(x: Int, y: Int)] {
    let last = size - 7
    let places = number == 1 ? [] : number < 7 ? [6, last] : [6, (size - 1) / 2, last]
    // Three corners have finder patterns.
    return places.flatMap { y in places.map { x in (x, y) } }
      .filter { x, y in !(x == 6 && (y == 6 || y == last) || x == last && y == 6) }
  }

  /// The codewords of `bytes` in byte mode: padded, with error correction, interleaved (clauses
  /// 7.4–7.6).
  func codewords(of bytes: [UInt8]) -> [UInt8] {
    // Mode 0100, the length, the bytes, and a terminator of four zeros. The mode has half a byte,
    // so all bytes are shifted by half a byte.
    let length = (0..<lengthBytes).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    var data: [UInt8] = []
    var carry: UInt8 = 0x4
    for byte in length + bytes {
      data.append(carry << 4 | byte >> 4)
      carry = byte & 0xf
    }
    data.append(carry << 4)
    let filled = data.count
    while data.count < capacity { data.append((data.count - filled) % 2 == 0 ? 0xec : 0x11) }

    var rest = data[...]
    let parts = blocks.map { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    let corrections = parts.map { ReedSolomon.correction(of: $0, count: correctionPerBlock) }
    return QRVersion.interleaved(parts) + QRVersion.interleaved(corrections)
  }

  /// The first codewords of all blocks, then the second ones, and so on. The last blocks may be one
  /// codeword longer.
  private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
    let longest = blocks.map(\.count).max() ?? 0
    return (0..<longest).flatMap { i in blocks.filter { i < $0.count }.map { $0[i] } }
  }
}

/// One of the six supported sizes, with its blocks at level M.
///
/// - Source: ISO/IEC 18004:2015, tables 7 and 9.
struct QRVersion {
  let number: Int
  private let blocks: Int
  /// The data codewords of each block.
  private let dataPerBlock: Int
  private let correctionPerBlock: Int

  private static let all = [
    QRVersion(number: 1, blocks: 1, dataPerBlock: 16, correctionPerBlock: 10),
    QRVersion(number: 2, blocks: 1, dataPerBlock: 28, correctionPerBlock: 16),
    QRVersion(number: 3, blocks: 1, dataPerBlock: 44, correctionPerBlock: 26),
    QRVersion(number: 4, blocks: 2, dataPerBlock: 32, correctionPerBlock: 18),
    QRVersion(number: 5, blocks: 2, dataPerBlock: 43, correctionPerBlock: 24),
    QRVersion(number: 6, blocks: 4, dataPerBlock: 27, correctionPerBlock: 16),
  ]

  static func smallest(for bytes: Int) -> QRVersion? {
    // Four bits of mode and eight bits of length come in front of the bytes.
    all.first { ($0.blocks * $0.dataPerBlock) * 8 >= bytes * 8 + 12 }
  }

  var size: Int { 17 + 4 * number }
  /// The centre of the one alignment pattern, on both axes.
  var alignment: Int? { number == 1 ? nil : size - 7 }

  /// The codewords of `bytes` in byte mode: padded, with error correction, interleaved (clauses
  /// 7.4–7.6).
  func codewords(of bytes: [UInt8]) -> [UInt8] {
    let capacity = blocks * dataPerBlock
    // Mode 0100, the length, the bytes, and a terminator of four zeros. The mode has half a byte,
    // so all bytes are shifted by half a byte.
    var data: [UInt8] = []
    var carry: UInt8 = 0x4
    for byte in [UInt8(bytes.count)] + bytes {
      data.append(carry << 4 | byte >> 4)
      carry = byte & 0xf
    }
    data.append(carry << 4)
    while data.count < capacity {
      data.append((capacity - data.count) % 2 == (capacity - bytes.count - 2) % 2 ? 0xec : 0x11)
    }

    // The ranges are in order: one block follows the other.
    let parts = (0..<blocks).map { Array(data[$0 * dataPerBlock..<($0 + 1) * dataPerBlock]) }
    let corrections = parts.map { ReedSolomon.correction(of: $0, count: correctionPerBlock) }
    return (0..<dataPerBlock).flatMap { i in parts.map { $0[i] } }
      + (0..<correctionPerBlock).flatMap { i in corrections.map { $0[i] } }
  }
}

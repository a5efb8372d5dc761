internal import CZlib
internal import JamCore

/// A picture in full colour, and the PNG file of it.
///
/// Thread: any.
/// - Source: Portable Network Graphics (PNG) Specification, Third Edition; zlib packs the bytes.
struct PNGImage: Sendable {
  /// Red, green and blue, 0…255 each.
  struct Colour: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    /// - Parameter hex: `0xrrggbb`.
    init(_ hex: UInt32) {
      red = UInt8(truncatingIfNeeded: hex >> 16)
      green = UInt8(truncatingIfNeeded: hex >> 8)
      blue = UInt8(truncatingIfNeeded: hex)
    }
  }

  let width: Int
  let height: Int
  /// The rows from the top, with three bytes for each dot. Equal rows may share their memory.
  private(set) var rows: [[UInt8]]

  /// - Parameters:
  ///   - width: the dots of a row, at least 1.
  ///   - height: the number of rows, at least 1.
  init(width: Int, height: Int, ground: Colour) {
    precondition(width > 0 && height > 0, "a picture has dots")
    self.width = width
    self.height = height
    var row = [UInt8](repeating: 0, count: width * 3)
    for x in 0..<width { PNGImage.put(ground, at: x, of: &row) }
    rows = Array(repeating: row, count: height)
  }

  /// Fills a rectangle. The part outside the picture is ignored.
  mutating func fill(x: Range<Int>, y: Range<Int>, with colour: Colour) {
    let columns = x.clamped(to: 0..<width)
    for line in y.clamped(to: 0..<height) {
      for column in columns { PNGImage.put(colour, at: column, of: &rows[line]) }
    }
  }

  /// Paints a shape with soft edges.
  /// - Parameter coverage: how much of a dot the shape covers, 0…1. The arguments are the middle of
  ///   the dot.
  mutating func paint(
    x: Range<Int>, y: Range<Int>, with colour: Colour, coverage: (_ x: Double, _ y: Double) -> Double
  ) {
    let columns = x.clamped(to: 0..<width)
    for line in y.clamped(to: 0..<height) {
      for column in columns {
        let part = coverage(Double(column) + 0.5, Double(line) + 0.5)
        guard part > 0 else { continue }
        PNGImage.mix(colour, min(1, part), at: column, of: &rows[line])
      }
    }
  }

  private static func put(_ colour: Colour, at column: Int, of row: inout [UInt8]) {
    row[column * 3] = colour.red
    row[column * 3 + 1] = colour.green
    row[column * 3 + 2] = colour.blue
  }

  private static func mix(_ colour: Colour, _ part: Double, at column: Int, of row: inout [UInt8]) {
    func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
      let value = Double(old) + (Double(new) - Double(old)) * part + 0.5
      return UInt8(clamping: Int(saturating: value))
    }
    row[column * 3] = mixed(row[column * 3], colour.red)
    row[column * 3 + 1] = mixed(row[column * 3 + 1], colour.green)
    row[column * 3 + 2] = mixed(row[column * 3 + 2], colour.blue)
  }

  // MARK: The file

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Eight bits a channel; red, green and blue; zlib's packing, all filters, no interlacing.
  private static let form: [UInt8] = [8, 2, 0, 0, 0]
  /// The filter `Up`, which stores each byte as the difference to the byte above (clause 9.2).
  private static let up: UInt8 = 2

  /// The picture as a file; nil where there is no memory for packing.
  var file: [UInt8]? {
    guard let packed = PNGImage.packed(filtered) else { return nil }
    var file = PNGImage.signature
    let size = PNGImage.bytes(UInt32(width)) + PNGImage.bytes(UInt32(height))
    PNGImage.append("IHDR", size + PNGImage.form, to: &file)
    PNGImage.append("IDAT", packed, to: &file)
    PNGImage.append("IEND", [], to: &file)
    return file
  }

  /// The rows, each with the number of its filter in front.
  private var filtered: [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity(height * (1 + width * 3))
    var above = [UInt8](repeating: 0, count: width * 3)
    for row in rows {
      lines.append(PNGImage.up)
      if row == above {
        lines.append(contentsOf: repeatElement(0, count: row.count))
      } else {
        for (dot, before) in zip(row, above) { lines.append(dot &- before) }
      }
      above = row
    }
    return lines
  }

  private static func packed(_ bytes: [UInt8]) -> [UInt8]? {
    var packed = [UInt8](repeating: 0, count: Int(compressBound(UInt(bytes.count))))
    var length = UInt(packed.count)
    guard compress2(&packed, &length, bytes, UInt(bytes.count), Z_BEST_SPEED) == Z_OK else { return nil }
    return Array(packed[..<Int(length)])
  }

  /// Appends a chunk: its length, its name, its content, and the checksum of name and content
  /// (clause 5.3).
  private static func append(_ name: String, _ content: [UInt8], to file: inout [UInt8]) {
    let told = Array(name.utf8) + content
    file += bytes(UInt32(content.count))
    file += told
    file += bytes(UInt32(truncatingIfNeeded: crc32(0, told, UInt32(told.count))))
  }

  /// The four bytes of a number, the most significant one first.
  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

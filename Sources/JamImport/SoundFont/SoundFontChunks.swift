internal import JamKit

/// The chunks of a SoundFont: a RIFF file of lists. Every size is checked against the bytes that
/// the file has.
/// - Source: SoundFont Technical Specification 2.04, §4–§7.
struct SoundFontChunks {
  /// Ranges of the file, by name. If two chunks have one name, the first counts.
  private var places: [String: Range<Int>] = [:]
  let bytes: [UInt8]
  let path: String

  static func isOne(_ head: [UInt8]) -> Bool {
    head.count >= 12 && name(head, 0) == "RIFF" && name(head, 8) == "sfbk"
  }

  init(_ bytes: [UInt8], named path: String) throws(KitError) {
    self.bytes = bytes
    self.path = path
    guard Self.isOne(bytes) else { throw KitError(path, .notSoundFont(cause: "it is no RIFF file of kind sfbk")) }
    try walk(12..<bytes.count, depth: 0)
  }

  private mutating func walk(_ range: Range<Int>, depth: Int) throws(KitError) {
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      let name = Self.name(bytes, position)
      let size = Int(number(at: position + 4, bytes: 4))
      let start = position + 8
      guard size <= range.upperBound - start else {
        throw KitError(
          path,
          .notSoundFont(
            cause: "its chunk \(PadName.safe(name, atMost: 4)) claims \(size) of \(range.upperBound - start) bytes"))
      }
      if name == "LIST", size >= 4, depth == 0 {
        try walk(start + 4..<start + size, depth: 1)
      } else if places[name] == nil {
        places[name] = start..<start + size
      }
      position = start + size + size % 2
    }
  }

  /// The range of the chunk's bytes; empty where there is no such chunk.
  subscript(name: String) -> Range<Int> { places[name] ?? 0..<0 }

  /// The offsets of the chunk's records of `size` bytes each.
  func records(_ name: String, size: Int) throws(KitError) -> [Int] {
    let range = self[name]
    guard range.count >= size, range.count % size == 0 else {
      throw KitError(
        path, .notSoundFont(cause: "its chunk \(name) has \(range.count) bytes, which is no list of \(size) each"))
    }
    return Array(stride(from: range.lowerBound, to: range.upperBound, by: size))
  }

  /// - Precondition: within the file.
  func number(at position: Int, bytes count: Int) -> UInt32 {
    (0..<count).reduce(0) { $0 | UInt32(bytes[position + $1]) << UInt32(8 * $1) }
  }

  /// Up to 20 letters, ended by a zero.
  func text(at position: Int) -> String {
    PadName.safe(String(decoding: bytes[position..<position + 20].prefix { $0 != 0 }, as: UTF8.self), atMost: 20)
  }

  private static func name(_ bytes: [UInt8], _ position: Int) -> String {
    String(decoding: bytes[position..<position + 4], as: Unicode.ASCII.self)
  }
}

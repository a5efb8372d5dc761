/// A CAF file whose sound has no length, with the length in its place: the rest of the file is the
/// sound.
/// - Source: Apple, "Core Audio Format Specification 1.0", "Audio Data Chunk".
struct OpenCore {
  private(set) var bytes: [UInt8]
  /// Nobody wrote the length. Where the file says -1, it says itself that the rest is its sound.
  let isLost: Bool

  /// The number of edits, in front of the frames.
  private static let head = 4

  /// - Returns: nil where it is no such file.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "caff".utf8), let (start, size) = Self.sound(in: bytes) else { return nil }
    let left = bytes.count - start
    guard left > Self.head else { return nil }
    if size != .max {
      guard size <= UInt64(Self.head), !Self.areChunks(bytes, from: start + Int(size)) else { return nil }
    }
    self.bytes = bytes
    isLost = size != .max
    for index in 0..<8 { self.bytes[start - 1 - index] = UInt8(truncatingIfNeeded: left >> (8 * index)) }
  }

  /// Where the sound begins, and how long it is by its header.
  private static func sound(in bytes: [UInt8]) -> (start: Int, size: UInt64)? {
    var position = 8
    while let name = bytes.letters(at: position), let size = bytes.bigEndian(at: position + 4, bytes: 8) {
      let start = position + 12
      if name == "data" { return (start, size) }
      guard size <= UInt64(bytes.count - start) else { return nil }
      position = start + Int(size)
    }
    return nil
  }

  /// Whether chunks fill the file from `position` to its end.
  private static func areChunks(_ bytes: [UInt8], from position: Int) -> Bool {
    var position = position
    while position < bytes.count {
      guard let size = bytes.bigEndian(at: position + 4, bytes: 8), size <= UInt64(bytes.count - position - 12),
        bytes[position..<position + 4].allSatisfy({ (0x20...0x7e).contains($0) })
      else { return false }
      position += 12 + Int(size)
    }
    return true
  }
}

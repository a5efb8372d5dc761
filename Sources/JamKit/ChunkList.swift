/// The chunks of a WAV or AIFF file, as ranges of its bytes. Every size is checked against the
/// bytes that the file has.
///
/// A chunk of an odd size has a byte of padding behind it. Some writers forget that byte. Where a
/// chunk's name lies right behind an odd chunk and none lies behind the padding, the list goes on
/// without padding.
/// - Source: "Multimedia Programming Interface and Data Specifications 1.0", RIFF; Apple, "Audio
///   Interchange File Format", 1.3.
struct ChunkList {
  struct Chunk {
    var name: String
    /// The part of the chunk's content that is in the file.
    var content: Range<Int>
    /// The size in bytes that the chunk's header claims.
    var claimed: Int
  }

  let isBigEndian: Bool
  /// `WAVE`, `AIFF` or `AIFC`.
  let kind: String
  private(set) var chunks: [Chunk] = []
  /// A padding byte is missing somewhere.
  private(set) var lacksPadding = false
  private let bytes: [UInt8]

  /// A sound file has no use for more chunks.
  private static let most = 4_096

  /// - Returns: nil where the bytes are no WAV or AIFF file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12, let form = bytes.letters(at: 0),
      let kind = bytes.letters(at: 8)
    else { return nil }
    switch (form, kind) {
    case ("RIFF", "WAVE"): isBigEndian = false
    case ("RIFX", "WAVE"): isBigEndian = true
    case ("FORM", "AIFF"), ("FORM", "AIFC"): isBigEndian = true
    default: return nil
    }
    self.bytes = bytes
    self.kind = kind
    walk()
  }

  private mutating func walk() {
    var position = 12
    while chunks.count < Self.most, let name = bytes.letters(at: position),
      let claimed = number(at: position + 4)
    {
      let start = position + 8
      let end = start + min(claimed, bytes.count - start)
      // In order: a length is no less than zero, and the number in front of the start was read.
      chunks.append(Chunk(name: name, content: start..<end, claimed: claimed))
      guard start + claimed <= bytes.count else { return }
      position = end
      guard claimed % 2 == 1 else { continue }
      if !begins(at: end + 1), begins(at: end) {
        lacksPadding = true
      } else {
        position += 1
      }
    }
  }

  /// The content of the first chunk of that name.
  subscript(name: String) -> ArraySlice<UInt8>? { chunks.first { $0.name == name }.map { bytes[$0.content] } }

  /// The end of the last chunk. The bytes behind it are no chunk.
  var end: Int { chunks.last?.content.upperBound ?? 12 }

  /// Whether chunks fill the file from `position` to its end.
  func areChunks(from position: Int) -> Bool {
    var position = position
    while position < bytes.count {
      guard begins(at: position), let size = number(at: position + 4), size <= bytes.count - position - 8 else {
        // The padding of the last chunk.
        return position == bytes.count - 1
      }
      position += 8 + size + size % 2
    }
    return true
  }

  private func begins(at position: Int) -> Bool {
    guard position <= bytes.count - 8 else { return false }
    return bytes[position..<position + 4].allSatisfy { (0x20...0x7e).contains($0) }
  }

  private func number(at position: Int) -> Int? { bytes.number(at: position, bytes: 4, isBigEndian: isBigEndian) }
}

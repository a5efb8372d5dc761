/// The chunks of a WAV, RF64 or AIFF file, as places in it. Sizes are checked against the bytes that
/// are there.
///
/// A chunk of an odd size has a byte of padding behind it. Some writers forget that byte. Where a
/// chunk's name lies right behind an odd chunk and none lies behind the padding, the list goes on
/// without padding.
/// - Source: "Multimedia Programming Interface and Data Specifications 1.0", RIFF; Apple, "Audio
///   Interchange File Format", 1.3; EBU Tech 3306 for RF64.
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
  /// An RF64: a chunk `ds64` has the length of its sound.
  private let isLong: Bool

  /// A sound file has no use for more chunks.
  private static let most = 4_096

  /// - Returns: nil where the bytes are no WAV or AIFF file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12, let form = bytes.letters(at: 0),
      let kind = bytes.letters(at: 8)
    else { return nil }
    switch (form, kind) {
    case ("RIFF", "WAVE"), ("RF64", "WAVE"): isBigEndian = false
    case ("RIFX", "WAVE"): isBigEndian = true
    case ("FORM", "AIFF"), ("FORM", "AIFC"): isBigEndian = true
    default: return nil
    }
    self.bytes = bytes
    self.kind = kind
    isLong = form == "RF64"
    walk()
  }

  private mutating func walk() {
    var position = 12
    while chunks.count < Self.most, let name = bytes.letters(at: position),
      let size = number(at: position + 4)
    {
      let start = position + 8
      let claimed = isLong && name == "data" && size == 0xffff_ffff ? longSize : size
      let end = start + min(claimed, bytes.count - start)
      // In order: a length is no less than zero, and the number in front of the start was read.
      chunks.append(Chunk(name: name, content: start..<end, claimed: claimed))
      guard claimed <= bytes.count - start else { return }
      position = end
      guard claimed % 2 == 1 else { continue }
      if !begins(at: end + 1), begins(at: end) {
        lacksPadding = true
      } else {
        position += 1
      }
    }
  }

  /// The size of an RF64's sound; 0 where nobody wrote it.
  private var longSize: Int {
    guard let sizes = self["ds64"] else { return 0 }
    return sizes.number(at: sizes.startIndex + 8, bytes: 8, isBigEndian: false) ?? 0
  }

  /// The first chunk's content of that name.
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

internal import JamCore

/// A WAV, RF64 or AIFF file written anew where its chunks are not as libsndfile needs them.
struct MendedChunks {
  private(set) var bytes: [UInt8] = []
  private(set) var notes: [String] = []

  static let lostLength =
    "its header gives no length, as after a loss of power: all that follows is taken for its sound"

  private let isBigEndian: Bool

  /// - Returns: nil where the file needs no change.
  init?(_ list: ChunkList, _ file: [UInt8]) {
    isBigEndian = list.isBigEndian
    let isWave = list.kind == "WAVE"
    let name = isWave ? "data" : "SSND"
    // What is in front of an AIFF's frames.
    let head = isWave ? 0 : 8
    var pieces = list.chunks.filter { $0.name == name }
    let lost = Self.lost(among: pieces, list, head: head, end: file.count)
    guard !pieces.isEmpty, lost != nil || pieces.count > 1 || list.lacksPadding else { return nil }
    var end = file.count
    if let lost {
      // A chunk of unknown length reaches to the end, whatever its bytes look like.
      let content = Range(from: pieces[lost].content.lowerBound, to: file.count)
      end = content.lowerBound
      pieces.removeLast(pieces.count - lost)
      pieces.append(ChunkList.Chunk(name: name, content: content, claimed: content.count))
      notes.append(Self.lostLength)
    }
    // What the last one lacks is damage: the new header says the same as the old one.
    let lacking = pieces.filter { $0.claimed < SoundContainer.open }.reduce(0) { $0 + $1.claimed - $1.content.count }
    let isJoined = pieces.count > 1
    // An empty piece is none.
    let full = isJoined ? pieces.filter { $0.content.count > head } : pieces
    if full.count > 1 { notes.append("its \(full.count) pieces of sound follow one another") }
    let frames: [ArraySlice<UInt8>] = full.map {
      isJoined && !isWave ? Self.frames(in: $0, of: file) : file[$0.content]
    }
    let sound: [UInt8] = (isJoined ? [UInt8](repeating: 0, count: head) : []) + frames.joined()

    var content: [UInt8] = Array(list.kind.utf8)
    for chunk in list.chunks where (isWave ? ["fmt "] : ["FVER", "COMM"]).contains(chunk.name) {
      guard chunk.content.lowerBound < end else { break }
      var body = Array(file[chunk.content])
      if chunk.name == "COMM", lost != nil || isJoined { Self.count(max(0, sound.count - head), in: &body) }
      content += written(chunk.name, body)
    }
    content += written(name, sound, size: sound.count + lacking)
    bytes = Array((isWave ? isBigEndian ? "RIFX" : "RIFF" : "FORM").utf8) + size(content.count) + content
  }

  /// An AIFF's frames may begin later: the first number of a piece says how many bytes.
  private static func frames(in piece: ChunkList.Chunk, of file: [UInt8]) -> ArraySlice<UInt8> {
    let content = file[piece.content]
    let offset = content.number(at: content.startIndex, bytes: 4, isBigEndian: true) ?? 0
    return content.dropFirst(8 + offset)
  }

  /// The piece that says that it is empty, and sound follows all the same.
  private static func lost(
    among pieces: [ChunkList.Chunk], _ list: ChunkList, head: Int, end: Int
  ) -> Int? {
    let empty = pieces.firstIndex {
      ($0.claimed == 0 || $0.claimed == head) && end - $0.content.lowerBound > head
    }
    // An empty sound may have other chunks behind it; then those that follow are whole, too.
    guard let empty, !list.areChunks(from: pieces[empty].content.lowerBound + pieces[empty].claimed) else { return nil }
    return empty
  }

  /// Writes the number of frames that fit in `bytes` into an AIFF's `COMM`.
  private static func count(_ bytes: Int, in common: inout [UInt8]) {
    guard let channels = common.bigEndian(at: 0, bytes: 2), let bits = common.bigEndian(at: 6, bytes: 2) else { return }
    let frame = Int(channels) * ((Int(bits) + 7) / 8)
    guard frame > 0 else { return }
    let frames = UInt32(clamping: bytes / frame)
    for index in 0..<4 { common[2 + index] = UInt8(truncatingIfNeeded: frames >> UInt32(24 - 8 * index)) }
  }

  private func written(_ name: String, _ body: [UInt8], size count: Int? = nil) -> [UInt8] {
    Array(name.utf8) + size(count ?? body.count) + body + (body.count % 2 == 1 ? [0] : [])
  }

  private func size(_ count: Int) -> [UInt8] {
    let value = UInt32(clamping: count)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}

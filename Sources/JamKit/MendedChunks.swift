internal import JamCore

/// A WAV or AIFF file, written anew so that libsndfile reads all of its sound.
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
    var sounds = list.chunks.filter { $0.name == name }
    guard let first = sounds.first else { return nil }
    // Bytes in front of an AIFF's frames: the chunk's offset and block size.
    let head = isWave ? 0 : 8
    let lost = Self.isLost(first, list, head: head, end: file.count)
    guard lost || sounds.count > 1 || list.lacksPadding else { return nil }
    // A chunk of unknown length reaches to the end of the file, whatever its bytes look like.
    if lost {
      let content = Range(from: first.content.lowerBound, to: file.count)
      sounds = [.init(name: name, content: content, claimed: file.count)]
    }
    // In an AIFF the frames may begin later in the chunk. Only the first chunk's offset is known.
    guard isWave || sounds.count == 1 else { return nil }
    if lost { notes.append(Self.lostLength) }
    if sounds.count > 1 { notes.append("its \(sounds.count) pieces of sound follow one another") }
    let sound = Array(sounds.map { file[$0.content] }.joined())
    guard sounds.allSatisfy({ $0.claimed <= $0.content.count || lost }) else { return nil }

    var others = list.chunks.filter { $0.name != name }
    if lost { others.removeAll { $0.content.lowerBound > first.content.lowerBound } }
    var content: [UInt8] = Array(list.kind.utf8)
    for chunk in others where isWave ? chunk.name == "fmt " : ["FVER", "COMM"].contains(chunk.name) {
      var body = Array(file[chunk.content])
      if chunk.name == "COMM", lost { Self.count(max(0, sound.count - head), in: &body) }
      content += written(chunk.name, body)
    }
    content += written(name, sound)
    bytes = Array((isWave ? isBigEndian ? "RIFX" : "RIFF" : "FORM").utf8) + size(content.count) + content
  }

  /// Whether a chunk claims to be empty although sound follows.
  private static func isLost(_ chunk: ChunkList.Chunk, _ list: ChunkList, head: Int, end: Int) -> Bool {
    let start = chunk.content.lowerBound
    guard chunk.claimed == 0 || chunk.claimed == head, end - start > head else { return false }
    // A sound that is really empty may have other chunks behind it.
    return !list.areChunks(from: start + chunk.claimed)
  }

  /// Writes the number of frames that fit in `bytes` into an AIFF's `COMM`.
  private static func count(_ bytes: Int, in common: inout [UInt8]) {
    guard let channels = common.bigEndian(at: 0, bytes: 2), let bits = common.bigEndian(at: 6, bytes: 2) else { return }
    let frame = Int(channels) * ((Int(bits) + 7) / 8)
    guard frame > 0 else { return }
    let frames = UInt32(clamping: bytes / frame)
    for index in 0..<4 { common[2 + index] = UInt8(truncatingIfNeeded: frames >> UInt32(24 - 8 * index)) }
  }

  private func written(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + size(body.count) + body + (body.count % 2 == 1 ? [0] : [])
  }

  private func size(_ count: Int) -> [UInt8] {
    let value = UInt32(clamping: count)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}

/// The pitch and loop that a sound file states for samplers: a `smpl` chunk of a WAV, also inside a
/// FLAC file.
///
/// Nothing is decoded. A file without such a chunk has no marks.
/// - Source: "Multimedia Data Standards Update", 1994, Sample Chunk; RFC 9639 §8.4 for the block of
///   a FLAC file that carries it.
/// Thread: any.
package struct SoundMarks: Hashable, Sendable {
  /// The MIDI note that was recorded, with its fraction; nil where the file has no `smpl` chunk.
  package var root: Double?
  /// The first loop, in the file's own frames.
  package var loop: SoundLoop?

  package init(_ bytes: [UInt8]) {
    guard let chunk = Self.chunk(in: bytes), chunk.count >= 36 else { return }
    func number(_ offset: Int) -> Int { Int(chunk.littleEndian(at: chunk.startIndex + offset, bytes: 4) ?? 0) }
    let note = number(12)
    if (0...127).contains(note) { root = Double(note) + Double(number(16)) / 4_294_967_296 }
    guard number(28) > 0, chunk.count >= 36 + 24 else { return }
    // `+ 1`: the file counts the loop's last frame as a part of the loop.
    loop = SoundLoop(start: number(36 + 8), end: number(36 + 12) + 1)
  }

  private static func chunk(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard bytes.starts(with: "fLaC".utf8) else { return ChunkList(bytes)?["smpl"] }
    var position = 4
    while position + 4 <= bytes.count {
      let (kind, size) = (bytes[position], bytes[position + 1..<position + 4].reduce(0) { $0 << 8 | Int($1) })
      let block = bytes[(position + 4)...].prefix(size)
      // An application's block: the application's name, then a chunk with its own name and size.
      if kind & 0x7f == 2, block.starts(with: "riffsmpl".utf8), block.count > 12 { return block.dropFirst(12) }
      guard kind & 0x80 == 0 else { return nil }
      position += 4 + size
    }
    return nil
  }
}

/// The part of a WAV file at 48 kHz before the sound.
///
/// - Source: Multimedia Programming Interface and Data Specifications 1.0 (RIFF); EBU Tech 3306
///   (RF64); RFC 2361 for the float format's tag.
package struct WAVHead: Hashable, Sendable {
  package var format: WAVFormat
  package var channels: Int
  package var frames: Int
  /// Chunks in front of the format.
  package var chunksBeforeFormat: [UInt8] = []
  /// Chunks between the format and the sound.
  package var chunksBeforeSound: [UInt8] = []
  /// The bytes of chunks behind the sound, without its pad byte.
  package var tailBytes = 0
  /// A file of this size or more is an RF64, and a smaller one reserves the place for its sizes.
  /// nil: never an RF64, and nothing is reserved.
  package var sizeLimit: Int?

  private static let framesPerSecond = 48_000

  package init(format: WAVFormat = .pcm24, channels: Int = 2, frames: Int = 0) {
    self.format = format
    self.channels = channels
    self.frames = frames
  }

  package var bytesPerFrame: Int { format.bytesPerSample * channels }
  /// Bytes of sound, without a pad byte.
  package var dataBytes: Int { frames * bytesPerFrame }
  /// The bytes of the whole file.
  package var fileBytes: Int { bytes.count + dataBytes + dataBytes % 2 + tailBytes }

  /// Whether the file is an RF64. 32 bits of ones mean "see `ds64`" there.
  package var isLarge: Bool { sizeLimit.map { riffBytes(chunks + fact) >= $0 } ?? false }

  /// Everything up to the sound: without more chunks 44 bytes, or 58 for floats.
  package var bytes: [UInt8] {
    let isLarge = isLarge
    // Tech 3306: `ds64` counts the frames in place of `fact`. libsndfile 1.2 fails at a `fact` in
    // an RF64.
    let middle = chunksBeforeFormat + formatChunk + (isLarge ? [] : fact) + chunksBeforeSound
    let riffBytes = riffBytes(middle)
    var head = Array((isLarge ? "RF64" : "RIFF").utf8)
    head.appendLittle(isLarge ? UInt32.max : UInt32(clamping: riffBytes))
    head += Array("WAVE".utf8)
    if isLarge {
      var sizes: [UInt8] = []
      for size in [riffBytes, dataBytes, frames] { sizes.appendLittle(UInt64(size)) }
      // Only the data chunk needs 64 bits.
      sizes.appendLittle(UInt32(0))
      head += WAVHead.chunk("ds64", sizes)
    } else if sizeLimit != nil {
      // Tech 3306, 3.5: a chunk that readers skip reserves the place.
      head += WAVHead.chunk("JUNK", [UInt8](repeating: 0, count: 28))
    }
    head += middle
    head += Array("data".utf8)
    head.appendLittle(isLarge ? UInt32.max : UInt32(clamping: dataBytes))
    return head
  }

  private var chunks: [UInt8] { chunksBeforeFormat + formatChunk + chunksBeforeSound }

  /// The size that the file's first chunk tells.
  private func riffBytes(_ middle: [UInt8]) -> Int {
    // "WAVE", the place for `ds64`, and the head of the data.
    4 + (sizeLimit == nil ? 0 : 36) + middle.count + 8 + dataBytes + dataBytes % 2 + tailBytes
  }

  /// Two channels of 24 bits or floats need no WAVE_FORMAT_EXTENSIBLE in practice; more do.
  private var formatChunk: [UInt8] {
    let tag: UInt16 = format == .float32 ? 3 : 1
    var body: [UInt8] = []
    body.appendLittle(isExtensible ? 0xfffe : tag)
    body.appendLittle(UInt16(clamping: channels))
    body.appendLittle(UInt32(WAVHead.framesPerSecond))
    body.appendLittle(UInt32(clamping: WAVHead.framesPerSecond * bytesPerFrame))
    body.appendLittle(UInt16(clamping: bytesPerFrame))
    body.appendLittle(UInt16(format.bytesPerSample * 8))
    if isExtensible {
      body.appendLittle(UInt16(22))
      body.appendLittle(UInt16(format.bytesPerSample * 8))
      // No channel is assigned to a speaker.
      body.appendLittle(UInt32(0))
      body.appendLittle(tag)
      body += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    } else if format == .float32 {
      body.appendLittle(UInt16(0))
    }
    return WAVHead.chunk("fmt ", body)
  }

  private var isExtensible: Bool { channels > 2 }

  /// All formats except plain PCM count their frames here too. An RF64 does not have this chunk.
  package var fact: [UInt8] {
    guard format == .float32 || isExtensible else { return [] }
    var body: [UInt8] = []
    body.appendLittle(UInt32(clamping: frames))
    return WAVHead.chunk("fact", body)
  }

  /// A chunk, padded to an even length.
  package static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    var chunk = Array(name.utf8)
    chunk.appendLittle(UInt32(clamping: body.count))
    chunk += body
    if body.count % 2 == 1 { chunk.append(0) }
    return chunk
  }
}

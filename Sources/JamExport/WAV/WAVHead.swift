internal import JamCore

/// The part of a WAV file before the sound. Its length is constant, so that it can be written again
/// when the sizes are known.
///
/// - Source: Multimedia Programming Interface and Data Specifications 1.0 (RIFF); EBU Tech 3306
///   (RF64); EBU Tech 3285 version 1 (`bext`).
struct WAVHead {
  var format: WAVFormat
  var channels: Int
  var metadata: WAVMetadata
  /// A file of this size or more is an RF64; tests set a low value. 32 bits of ones mean "see
  /// `ds64`".
  var sizeLimit = Int(UInt32.max)

  private static let historyBytes = 128

  var bytesPerFrame: Int { format.bytesPerSample * channels }

  /// - Parameters:
  ///   - frames: of sound.
  ///   - tailBytes: of chunks behind the sound, without its pad byte.
  func bytes(frames: Int, tailBytes: Int) -> [UInt8] {
    let dataBytes = frames * bytesPerFrame
    var middle = broadcast(padding: 0) + formatChunk + fact(frames: frames) + acid
    // "WAVE", the place for `ds64`, and the head of the data.
    let riffBytes = 4 + 36 + middle.count + 8 + dataBytes + dataBytes % 2 + tailBytes
    let isLarge = riffBytes >= sizeLimit
    // Tech 3306: `ds64` counts the frames in place of `fact`. libsndfile 1.2 fails at a `fact` in
    // an RF64.
    if isLarge { middle = broadcast(padding: fact(frames: 0).count) + formatChunk + acid }

    var head = Array((isLarge ? "RF64" : "RIFF").utf8)
    head.appendLittle(isLarge ? UInt32.max : UInt32(clamping: riffBytes))
    head += Array("WAVE".utf8)
    var sizes: [UInt8] = []
    if isLarge {
      for size in [riffBytes, dataBytes, frames] { sizes.appendLittle(UInt64(size)) }
      // Only the data chunk needs 64 bits.
      sizes.appendLittle(UInt32(0))
    } else {
      // Tech 3306, 3.5: a chunk that readers skip reserves the place.
      sizes = [UInt8](repeating: 0, count: 28)
    }
    head += WAVHead.chunk(isLarge ? "ds64" : "JUNK", sizes) + middle
    head += Array("data".utf8)
    head.appendLittle(isLarge ? UInt32.max : UInt32(clamping: dataBytes))
    return head
  }

  /// Two channels of 24 bits or floats need no WAVE_FORMAT_EXTENSIBLE in practice; more do.
  private var formatChunk: [UInt8] {
    let tag: UInt16 = format == .float32 ? 3 : 1
    var body: [UInt8] = []
    body.appendLittle(isExtensible ? 0xfffe : tag)
    body.appendLittle(UInt16(clamping: channels))
    body.appendLittle(UInt32(ExportSession.framesPerSecond))
    body.appendLittle(UInt32(clamping: ExportSession.framesPerSecond * bytesPerFrame))
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

  /// All formats except plain PCM count their frames here too.
  private func fact(frames: Int) -> [UInt8] {
    guard format == .float32 || isExtensible else { return [] }
    var body: [UInt8] = []
    body.appendLittle(UInt32(clamping: frames))
    return WAVHead.chunk("fact", body)
  }

  /// - Parameter padding: the number of additional zeros at the end, so that the head keeps its
  ///   length.
  private func broadcast(padding: Int) -> [UInt8] {
    let mode = channels == 1 ? "mono" : channels == 2 ? "stereo" : "multi"
    let coding = format == .pcm24 ? "A=PCM,F=48000,W=24" : "A=PCM,F=48000,W=32"
    let maker = metadata.software.name + " " + metadata.software.version
    var body: [UInt8] = []
    func append(_ text: String, _ width: Int) {
      let bytes = PlainText.ascii(text, atMost: width)
      body += bytes + [UInt8](repeating: 0, count: width - bytes.count)
    }
    append(metadata.description, 256)
    append(metadata.software.name, 32)
    // Tech 3285 lets the maker choose the reference. The time of the recording tells files apart.
    append(metadata.start.date + " " + metadata.start.time, 32)
    append(metadata.start.date, 10)
    append(metadata.start.time, 8)
    body.appendLittle(UInt64(metadata.start.framesSinceMidnight))
    body.appendLittle(UInt16(1))
    // No UMID, and the rest is reserved in version 1.
    body += [UInt8](repeating: 0, count: 64 + 190)
    // The length is constant, whatever the software's name is, because the metadata may change
    // until the file ends.
    let history =
      PlainText.ascii(coding + ",M=" + mode + ",T=" + maker, atMost: WAVHead.historyBytes - 2) + [0x0d, 0x0a]
    body += history + [UInt8](repeating: 0, count: WAVHead.historyBytes - history.count)
    return WAVHead.chunk("bext", body + [UInt8](repeating: 0, count: padding))
  }

  /// No standard describes this chunk. The layout is the one that libsndfile and others read.
  ///
  /// Without a loop its place is reserved, because the loop may be known only at the end.
  private var acid: [UInt8] {
    guard let loop = metadata.loop else { return WAVHead.chunk("JUNK", [UInt8](repeating: 0, count: 24)) }
    var body: [UInt8] = []
    body.appendLittle(UInt32(loop.isOneShot ? 1 : 0))
    // The root note, which the flags declare unknown.
    body.appendLittle(UInt16(60))
    body.appendLittle(UInt16(0x8000))
    body.appendLittle(UInt32(0))
    body.appendLittle(UInt32(clamping: loop.beats))
    body.appendLittle(UInt16(clamping: loop.beatUnit))
    body.appendLittle(UInt16(clamping: loop.beatsPerBar))
    body.appendLittle(Float(loop.beatsPerMinute).bitPattern)
    return WAVHead.chunk("acid", body)
  }

  /// A chunk, padded to an even length.
  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    var chunk = Array(name.utf8)
    chunk.appendLittle(UInt32(clamping: body.count))
    chunk += body
    if body.count % 2 == 1 { chunk.append(0) }
    return chunk
  }
}

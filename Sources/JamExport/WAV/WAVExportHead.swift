internal import JamCore

/// The part of an exported WAV file before the sound, with the metadata that other programs read.
/// Its length is constant, so that it can be written again when the sizes are known.
///
/// - Source: EBU Tech 3285 version 1 (`bext`).
struct WAVExportHead {
  var format: WAVFormat
  var channels: Int
  var metadata: WAVMetadata
  /// A file of this size or more is an RF64; tests set a low value.
  var sizeLimit = Int(UInt32.max)

  private static let historyBytes = 128

  var bytesPerFrame: Int { format.bytesPerSample * channels }

  /// - Parameters:
  ///   - frames: of sound.
  ///   - tailBytes: of chunks behind the sound, without its pad byte.
  func bytes(frames: Int, tailBytes: Int) -> [UInt8] {
    var head = WAVHead(format: format, channels: channels, frames: frames)
    head.chunksBeforeFormat = broadcast(padding: 0)
    head.chunksBeforeSound = acid
    head.tailBytes = tailBytes
    head.sizeLimit = sizeLimit
    if head.isLarge { head.chunksBeforeFormat = broadcast(padding: head.fact.count) }
    return head.bytes
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
    let steps = coding + ",M=" + mode + ",T=" + maker
    let history = PlainText.ascii(steps, atMost: WAVExportHead.historyBytes - 2) + [0x0d, 0x0a]
    body += history + [UInt8](repeating: 0, count: WAVExportHead.historyBytes - history.count)
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
}

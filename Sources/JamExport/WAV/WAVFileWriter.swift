public import JamCore

/// Writes a WAV file of 48 kHz as the sound comes, of any length.
///
/// The file carries `bext`, `acid` where there is a loop, and `cue ` with `LIST adtl` behind the
/// sound. From 4 GiB on it is an RF64, which needs no other name. Until `finish` it is called
/// `NAME.part`; a writer that is dropped before `finish` removes it.
///
/// Thread: any one at a time; blocks on the disk.
public struct WAVFileWriter: ~Copyable {
  private var head: WAVExportHead
  private var file: PartFile
  private var pending: [UInt8] = []

  /// Frames written so far.
  public private(set) var frameCount = 0

  private static let pendingBytes = 1 << 18

  /// Creates `path.part`.
  /// - Parameters:
  ///   - channels: 1…65,535 divided by the bytes of a sample.
  ///   - metadata: may still change until `finish`.
  /// - Throws: `ExportError.file`, `.badChannels`.
  public init(path: String, format: WAVFormat = .pcm24, channels: Int = 2, metadata: WAVMetadata = WAVMetadata())
    throws(ExportError)
  {
    try self.init(path: path, format: format, channels: channels, metadata: metadata, sizeLimit: Int(UInt32.max))
  }

  /// With a limit for RF64 that a test can reach.
  init(path: String, format: WAVFormat, channels: Int, metadata: WAVMetadata, sizeLimit: Int) throws(ExportError) {
    // The format stores the bytes of a frame in 16 bits.
    guard channels >= 1, channels * format.bytesPerSample <= Int(UInt16.max) else { throw .badChannels(channels) }
    let head = WAVExportHead(format: format, channels: channels, metadata: metadata, sizeLimit: sizeLimit)
    var file = try PartFile(path: path)
    try file.write(head.bytes(frames: 0, tailBytes: 0))
    self.head = head
    self.file = file
  }

  /// The metadata that `finish` writes.
  public var metadata: WAVMetadata {
    get { head.metadata }
    set { head.metadata = newValue }
  }

  /// Appends interleaved frames, nominally ±1.
  /// - Throws: `ExportError.file`, a full disk for one, and `.partialFrame`; then drop the writer.
  public mutating func append(_ samples: UnsafeBufferPointer<Float>) throws(ExportError) {
    guard samples.count % head.channels == 0 else {
      throw .partialFrame(samples: samples.count, channels: head.channels)
    }
    let format = head.format
    var rest = samples[...]
    while !rest.isEmpty {
      let part = rest.prefix(WAVFileWriter.pendingBytes / format.bytesPerSample)
      rest = rest.dropFirst(part.count)
      format.append(UnsafeBufferPointer(rebasing: part), to: &pending)
      if pending.count >= WAVFileWriter.pendingBytes { try writePending() }
    }
    frameCount += samples.count / head.channels
  }

  /// Appends `frames` frames of two channels that lie apart; a few thousand at once.
  /// - Throws: `ExportError.file`, `.badChannels`; then drop the writer.
  public mutating func append(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int
  ) throws(ExportError) {
    guard head.channels == 2 else { throw .badChannels(head.channels) }
    head.format.append(left: left, right: right, frames: frames, to: &pending)
    if pending.count >= WAVFileWriter.pendingBytes { try writePending() }
    frameCount += frames
  }

  /// Appends silence without writing it: a hole in the file.
  /// - Throws: `ExportError.file`; then drop the writer.
  public mutating func appendSilence(frames: Int) throws(ExportError) {
    try writePending()
    try file.skip(frames * head.bytesPerFrame)
    frameCount += frames
  }

  /// Leaves out everything from a frame on.
  /// - Throws: `ExportError.file`; then drop the writer.
  public mutating func cut(toFrames frames: Int) throws(ExportError) {
    guard frames >= 0, frames < frameCount else { return }
    try writePending()
    try file.cut(to: head.bytes(frames: 0, tailBytes: 0).count + frames * head.bytesPerFrame)
    frameCount = frames
  }

  /// Writes the markers and the sizes, makes the file durable and gives it its name.
  /// - Throws: `ExportError.file`; then there is no file.
  public consuming func finish() throws(ExportError) {
    if frameCount * head.bytesPerFrame % 2 == 1 { pending.append(0) }
    let tail = WAVTail.bytes(markers: head.metadata.markers, frames: frameCount)
    pending += tail
    try writePending()
    try file.overwrite(head.bytes(frames: frameCount, tailBytes: tail.count), at: 0)
    try file.finish()
  }

  private mutating func writePending() throws(ExportError) {
    try file.write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

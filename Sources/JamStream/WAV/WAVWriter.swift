internal import Glibc
public import JamCore

/// Writes a WAV file piece by piece. The head is correct after every `flush` and at the end.
///
/// Thread: one at a time.
public struct WAVWriter: ~Copyable {
  private let descriptor: Int32
  private var head: WAVHead
  private var pending: [UInt8] = []

  private static let pendingBytes = 1 << 16

  /// Creates or empties the file.
  /// - Throws: `StreamError.system`.
  public init(path: String, format: WAVFormat = .pcm24, channels: Int = 2) throws(StreamError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    head = WAVHead(format: format, channels: channels)
    guard descriptor >= 0 else { throw .system("opening \(path)") }
    pending = head.bytes
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  public var frameCount: Int64 { Int64(head.frames) }

  /// Appends interleaved frames.
  /// - Throws: `StreamError.system`, for example where the disk is full.
  public mutating func append(_ samples: UnsafeBufferPointer<Float>) throws(StreamError) {
    head.format.append(samples, to: &pending)
    head.frames += samples.count / head.channels
    if pending.count >= WAVWriter.pendingBytes { try writePending() }
  }

  /// Writes the pending frames, and a head that counts them. A file that is cut off here is
  /// complete.
  /// - Throws: `StreamError.system`.
  public mutating func flush() throws(StreamError) {
    try writePending()
    try writeHead()
  }

  /// Ends the file: pads the sound to an even length and writes the final head.
  /// - Throws: `StreamError.system`.
  public consuming func finish() throws(StreamError) {
    if head.dataBytes % 2 == 1 { pending.append(0) }
    try writePending()
    try writeHead()
  }

  private func writeHead() throws(StreamError) {
    let bytes = head.bytes
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    // A pipe cannot seek back to its beginning, so there the first head stays.
    guard written == bytes.count || errno == ESPIPE else { throw .system("writing the WAV header") }
  }

  private mutating func writePending() throws(StreamError) {
    var done = 0
    while done < pending.count {
      let written = pending.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, $0.count - done) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .system("writing the WAV file") }
      done += written
    }
    pending.removeAll(keepingCapacity: true)
  }
}

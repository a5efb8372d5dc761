import JamStream

/// A file whose header is true at every second.
final class WAVOutput: ListenOutput {
  private let path: String
  /// Made with the first sound: a server that refuses costs nobody an old file.
  private var writer: WAVWriter?
  private var nextFlush = WAVOutput.flushFrames

  private static let flushFrames: Int64 = 48_000

  init(path: String) { self.path = path }

  private(set) var frameCount: Int64 = 0

  func play(_ samples: UnsafeBufferPointer<Float>) throws(StreamError) {
    if writer == nil { writer = try WAVWriter(path: path) }
    try writer?.append(samples)
    frameCount += Int64(samples.count / 2)
    guard frameCount >= nextFlush else { return }
    nextFlush += WAVOutput.flushFrames
    try writer?.flush()
  }

  func finish() throws(StreamError) { try writer?.flush() }
}

package import JamStream

/// A WAV file. Its header is updated each second, so that the file is valid whenever the program
/// ends.
package final class WAVOutput: ListenOutput {
  private let path: String
  /// Created with the first sound, so that no existing file is lost where the server refuses.
  private var writer: WAVWriter?
  private var nextFlush = WAVOutput.flushFrames

  private static let flushFrames: Int64 = 48_000

  package init(path: String) { self.path = path }

  package private(set) var frameCount: Int64 = 0

  package func play(_ samples: UnsafeBufferPointer<Float>) throws(StreamError) {
    if writer == nil { writer = try WAVWriter(path: path) }
    try writer?.append(samples)
    frameCount += Int64(samples.count / 2)
    guard frameCount >= nextFlush else { return }
    nextFlush += WAVOutput.flushFrames
    try writer?.flush()
  }

  package func finish() throws(StreamError) { try writer?.flush() }
}

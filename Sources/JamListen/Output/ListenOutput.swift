package import JamStream

/// The destination of the sound of `listen`.
package protocol ListenOutput: AnyObject {
  var frameCount: Int64 { get }
  /// Interleaved stereo at 48 kHz.
  func play(_ samples: UnsafeBufferPointer<Float>) throws(StreamError)
  func finish() throws(StreamError)
}

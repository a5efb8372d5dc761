import JamDevice
import JamRealtime
import JamStream

/// Where `listen` puts the sound.
protocol ListenOutput: AnyObject {
  var frameCount: Int64 { get }
  /// Interleaved stereo at 48 kHz.
  func play(_ samples: UnsafeBufferPointer<Float>) throws(StreamError)
  func finish() throws(StreamError)
}

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

/// A sound card, which plays from a tape of its own and corrects the drift between the server's clock and the card's.
final class ALSAListenOutput: ListenOutput {
  private let tape = MixTapeOwner(seconds: 2)
  private let wake = WakeSignal()
  private let output: ALSAOutput
  private var filled = 0
  private(set) var frameCount: Int64 = 0

  private static let framesPerBuffer = 120

  init(device: String) throws(DeviceError) {
    output = ALSAOutput(device: device, tape: tape, wake: wake)
    try output.start()
  }

  func play(_ samples: UnsafeBufferPointer<Float>) {
    frameCount += Int64(samples.count / 2)
    var rest = samples[...]
    while !rest.isEmpty {
      let space = (ALSAListenOutput.framesPerBuffer - filled) * 2
      let part = rest.prefix(space)
      let place = tape.tape.nextMix + filled * 2
      for (i, sample) in part.enumerated() { place[i] = sample }
      filled += part.count / 2
      rest = rest.dropFirst(part.count)
      if filled == ALSAListenOutput.framesPerBuffer {
        tape.tape.commitBuffer()
        filled = 0
      }
    }
    wake.raise()
  }

  func finish() { output.stop() }
}

package import JamDevice
internal import JamRealtime

/// A sound card. It plays from a tape of its own, and corrects the drift between the server's clock
/// and the card's.
package final class ALSAListenOutput: ListenOutput {
  private let tape = MixTapeOwner(seconds: 2)
  private let wake = WakeSignal()
  private let output: ALSAOutput
  private var filled = 0
  package private(set) var frameCount: Int64 = 0

  private static let framesPerBuffer = 120

  package init(device: String) throws(DeviceError) {
    output = ALSAOutput(device: device, tape: tape, wake: wake)
    try output.start()
  }

  package func play(_ samples: UnsafeBufferPointer<Float>) {
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

  package func finish() { output.stop() }
}

internal import JamCore

/// A block of the mix on its way through `MixEffects`, for the cues that differ from the mix: the
/// sound in front of the crusher and behind it, and the gain of the glue.
///
/// Real-time safe except for `init` and `deallocate`.
struct MixPass: BitwiseCopyable {
  private let inputLeft: UnsafeMutablePointer<Float>
  private let inputRight: UnsafeMutablePointer<Float>
  private let outputLeft: UnsafeMutablePointer<Float>
  private let outputRight: UnsafeMutablePointer<Float>
  let gains: UnsafeMutablePointer<Float>

  init() {
    let frames = Int(Frames.perBuffer)
    inputLeft = .allocate(capacity: 5 * frames)
    inputRight = inputLeft + frames
    outputLeft = inputRight + frames
    outputRight = outputLeft + frames
    gains = outputRight + frames
  }

  func deallocate() { inputLeft.deallocate() }

  @_noLocks func keepInput(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    Signal.copy(left, to: inputLeft, frames)
    Signal.copy(right, to: inputRight, frames)
  }

  @_noLocks func keepOutput(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    Signal.copy(left, to: outputLeft, frames)
    Signal.copy(right, to: outputRight, frames)
  }

  /// Turns a difference into the sound in front of the crusher.
  @_noLocks func addInput(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    Signal.add(inputLeft, inputRight, toLeft: left, toRight: right, frames)
  }

  /// Turns the sound behind the crusher into a difference.
  @_noLocks func subtractOutput(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    Signal.subtract(outputLeft, from: left, to: left, frames)
    Signal.subtract(outputRight, from: right, to: right, frames)
  }

  /// Applies the gain of the glue.
  @_noLocks func amplify(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var i = 0
    while i < frames {
      let gain = VoiceKernels.load(gains + i)
      VoiceKernels.store(VoiceKernels.load(left + i) * gain, to: left + i)
      VoiceKernels.store(VoiceKernels.load(right + i) * gain, to: right + i)
      i &+= 4
    }
  }
}

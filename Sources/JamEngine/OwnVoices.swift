internal import JamCore

/// The voices of one bus that its player's client sounds itself, in a block. Cues without the
/// player's own hits leave them out (`CueDifferences`).
///
/// Real-time safe except for `init` and `deinit`.
struct OwnVoices: ~Copyable {
  /// The sum of the voices. It has a meaning only where `isFed`.
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  /// A single voice.
  let voiceLeft: UnsafeMutablePointer<Float>
  let voiceRight: UnsafeMutablePointer<Float>
  /// Whether the bus has such voices in this block, or something of them in its inserts.
  private(set) var isFed = false

  init() {
    let frames = Int(Frames.perBuffer)
    left = .allocate(capacity: 4 * frames)
    right = left + frames
    voiceLeft = right + frames
    voiceRight = voiceLeft + frames
  }

  deinit { left.deallocate() }

  /// Begins with the next bus, or block.
  @_noLocks mutating func begin() { isFed = false }

  /// Fills the sum with silence, unless it holds something already.
  @_noLocks mutating func open(_ frames: Int) {
    guard !isFed else { return }
    Signal.writeSilence(left, frames)
    Signal.writeSilence(right, frames)
    isFed = true
  }

  @_noLocks func clearVoice(_ frames: Int) {
    Signal.writeSilence(voiceLeft, frames)
    Signal.writeSilence(voiceRight, frames)
  }

  /// Adds the voice that was rendered to its bus and to the sum.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func addVoice(
    busLeft: UnsafeMutablePointer<Float>, busRight: UnsafeMutablePointer<Float>, frames: Int
  ) {
    open(frames)
    var i = 0
    while i < frames {
      let (l, r) = (VoiceKernels.load(voiceLeft + i), VoiceKernels.load(voiceRight + i))
      VoiceKernels.add(l, to: busLeft + i)
      VoiceKernels.add(r, to: busRight + i)
      VoiceKernels.add(l, to: left + i)
      VoiceKernels.add(r, to: right + i)
      i &+= 4
    }
  }

  /// Adds this share of the note that was rendered to the sum.
  @_noLocks mutating func addNote(_ share: VoiceKernels.Gains, frames: Int) {
    open(frames)
    var ramp = VoiceKernels.Ramp(share)
    var i = 0
    while i < frames {
      VoiceKernels.add(VoiceKernels.load(voiceLeft + i) * ramp.left, to: left + i)
      VoiceKernels.add(VoiceKernels.load(voiceRight + i) * ramp.right, to: right + i)
      ramp.advance()
      i &+= 4
    }
  }

  /// Applies the channel's fader to the sum.
  @_noLocks func amplify(_ channel: VoiceKernels.Gains, frames: Int) {
    Signal.amplify(left, right, channel, frames)
  }
}

internal import JamCore

/// What all channels give to one of the room's effects in a block, and then what comes back from it.
///
/// Real-time safe but for `init` and `deinit`.
struct SendInput: ~Copyable {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  /// Somebody gave something in this block.
  private(set) var isFed = false

  init() {
    left = .allocate(capacity: Int(Frames.perBuffer))
    left.initialize(repeating: 0, count: Int(Frames.perBuffer))
    right = .allocate(capacity: Int(Frames.perBuffer))
    right.initialize(repeating: 0, count: Int(Frames.perBuffer))
  }

  deinit {
    left.deallocate()
    right.deallocate()
  }

  /// Adds so much of a channel.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func add(
    _ sourceLeft: UnsafeMutablePointer<Float>, _ sourceRight: UnsafeMutablePointer<Float>, _ frames: Int,
    _ gains: VoiceKernels.Gains
  ) {
    if !isFed { clear(frames) }
    isFed = true
    var ramp = VoiceKernels.Ramp(gains)
    var i = 0
    while i < frames {
      VoiceKernels.add(VoiceKernels.load(sourceLeft + i) * ramp.left, to: left + i)
      VoiceKernels.add(VoiceKernels.load(sourceRight + i) * ramp.right, to: right + i)
      ramp.advance()
      i &+= 4
    }
  }

  @_noLocks private func clear(_ frames: Int) {
    Signal.writeSilence(left, frames)
    Signal.writeSilence(right, frames)
  }

  /// The block goes into the effect, in place: silence where nobody gave anything.
  @_noLocks mutating func open(_ frames: Int) {
    if !isFed { clear(frames) }
    isFed = false
  }

  /// Adds what came back, at `gains`, to the mix, and leaves it as it was added.
  @_noLocks func addReturn(
    toLeft mixLeft: UnsafeMutablePointer<Float>, toRight mixRight: UnsafeMutablePointer<Float>, _ frames: Int,
    _ gains: VoiceKernels.Gains
  ) {
    var ramp = VoiceKernels.Ramp(gains)
    var i = 0
    while i < frames {
      let l = Signal.bounded(VoiceKernels.load(left + i) * ramp.left)
      let r = Signal.bounded(VoiceKernels.load(right + i) * ramp.right)
      VoiceKernels.store(l, to: left + i)
      VoiceKernels.store(r, to: right + i)
      VoiceKernels.add(l, to: mixLeft + i)
      VoiceKernels.add(r, to: mixRight + i)
      ramp.advance()
      i &+= 4
    }
  }
}

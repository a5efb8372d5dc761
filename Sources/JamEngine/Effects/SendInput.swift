internal import JamCore

/// The sum of all channels' sends to one of the room's effects in a block, and afterwards the
/// effect's output.
///
/// Real-time safe except for `init` and `deinit`.
struct SendInput: ~Copyable {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  /// Whether any channel sent something in this block.
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

  /// Adds a channel with these gains.
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

  /// Prepares the block for the effect, which works in place. The block is silent where no channel
  /// sent anything.
  @_noLocks mutating func open(_ frames: Int) {
    if !isFed { clear(frames) }
    isFed = false
  }

  /// Adds the effect's output, at `gains`, to the mix. Afterwards the buffers hold the values that
  /// were added.
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

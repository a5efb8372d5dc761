/// The memory in which notes are rendered, eight channels at once: one for a mono note, two for one
/// that is spread.
///
/// Real-time safe except for `init` and `deallocate`.
struct SynthMemory: BitwiseCopyable {
  /// Each of `SynthFilter.stride` frames for each channel.
  let channels: UnsafeMutablePointer<Float>
  let cutoffs: UnsafeMutablePointer<Float>
  let gains: UnsafeMutablePointer<Float>
  let wave: UnsafeMutablePointer<Float>
  let lanes: UnsafeMutablePointer<SynthFilter.Lane>
  let notes: UnsafeMutablePointer<Note>

  /// One of the notes that are rendered together.
  struct Note: BitwiseCopyable {
    var slot = 0
    /// The number of its channel, and of its right channel.
    var left = 0
    var right = 0
    var isOver = false

    @_noLocks init() {}
  }

  static var channelCount: Int { @_noLocks get { 8 } }

  init() {
    let frames = SynthMemory.channelCount * SynthFilter.stride
    channels = .allocate(capacity: frames)
    channels.initialize(repeating: 0, count: frames)
    cutoffs = .allocate(capacity: frames)
    cutoffs.initialize(repeating: 0, count: frames)
    gains = .allocate(capacity: frames)
    gains.initialize(repeating: 0, count: frames)
    wave = .allocate(capacity: SynthFilter.stride)
    wave.initialize(repeating: 0, count: SynthFilter.stride)
    lanes = .allocate(capacity: SynthMemory.channelCount)
    lanes.initialize(repeating: SynthFilter.Lane(), count: SynthMemory.channelCount)
    notes = .allocate(capacity: SynthMemory.channelCount)
    notes.initialize(repeating: Note(), count: SynthMemory.channelCount)
  }

  func deallocate() {
    channels.deallocate()
    cutoffs.deallocate()
    gains.deallocate()
    wave.deallocate()
    lanes.deallocate()
    notes.deallocate()
  }
}

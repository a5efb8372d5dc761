internal import JamCore
internal import JamStream

/// Turns the jitter buffer's steps into sound.
///
/// Thread: one at a time.
struct StreamDecoder: ~Copyable {
  private var decoder: OpusDecoder
  private let memory: UnsafeMutableBufferPointer<Float>
  private var filler = GapFiller()

  init() throws(StreamError) {
    decoder = try OpusDecoder()
    memory = .allocate(capacity: OpusDecoder.maximumFrames * 2)
  }

  deinit { memory.deallocate() }

  /// - Returns: interleaved frames, valid until the next call. A damaged packet is concealed.
  mutating func decode(_ packet: [UInt8]) -> UnsafeBufferPointer<Float> {
    let frames = packet.withUnsafeBytes { OpusDecoder.frames(in: $0) }
    do {
      let count = try packet.withUnsafeBytes { bytes throws(StreamError) in try decoder.decode(bytes, into: memory) }
      let sound = UnsafeMutableBufferPointer(rebasing: memory.prefix(count * 2))
      filler.take(sound)
      return UnsafeBufferPointer(sound)
    } catch {
      return conceal(frames: Int(frames?.count ?? 240))
    }
  }

  /// - Returns: `frames` of what would follow, valid until the next call; silence where too much is
  ///   missing.
  mutating func conceal(frames: Int) -> UnsafeBufferPointer<Float> {
    let frames = min(frames, OpusDecoder.maximumFrames)
    // The decoder has to know of the gap. Its own sound for it is not used.
    if !filler.isSilent { _ = try? decoder.conceal(frames: frames, into: memory) }
    let sound = UnsafeMutableBufferPointer(rebasing: memory.prefix(frames * 2))
    filler.fill(sound)
    return UnsafeBufferPointer(sound)
  }
}

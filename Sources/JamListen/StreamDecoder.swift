internal import JamCore
internal import JamStream

/// Turns the jitter buffer's steps into sound.
///
/// Thread: one at a time.
struct StreamDecoder: ~Copyable {
  private var decoder: OpusDecoder
  private let memory: UnsafeMutableBufferPointer<Float>
  private var concealed = 0

  /// Concealed sound fades to silence within this number of frames.
  private static let mostConcealed = 4_800

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
      concealed = 0
      return UnsafeBufferPointer(rebasing: memory.prefix(count * 2))
    } catch {
      return conceal(frames: Int(frames?.count ?? 240))
    }
  }

  mutating func conceal(frames: Int) -> UnsafeBufferPointer<Float> {
    let frames = min(frames, OpusDecoder.maximumFrames)
    let silence = UnsafeBufferPointer(rebasing: memory.prefix(frames * 2))
    concealed += frames
    if concealed <= StreamDecoder.mostConcealed, let count = try? decoder.conceal(frames: frames, into: memory) {
      return UnsafeBufferPointer(rebasing: memory.prefix(count * 2))
    }
    memory.prefix(frames * 2).update(repeating: 0)
    return silence
  }
}

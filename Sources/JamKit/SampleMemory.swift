import Glibc
public import JamCore

/// One sound in memory: one or two planes of floats at 48 kHz, each between `SampleView.guardFrames` zero frames.
///
/// Written once, by whoever makes it; freed when the last reference goes. An engine reads through `view`, which does not
/// keep the memory alive: the owner must.
/// Thread: any, but the last reference must not be dropped on an audio thread.
public final class SampleMemory: Sendable {
  public let hash: ContentHash
  /// Planes start on 64-byte lines.
  public let view: SampleView
  /// Bytes of both planes with their guards.
  public let byteCount: Int

  // Unsafe: memory that nobody writes after `init`, given back once, in `deinit`.
  private nonisolated(unsafe) let block: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - interleaved: 48 kHz frames, `channels` (1 or 2) values each.
  /// - Returns: nil where there is no memory.
  /// - Precondition: at least one frame, at most 2^31 - 1.
  init?(hash: ContentHash, interleaved: UnsafeBufferPointer<Float>, channels: Int) {
    precondition(channels == 1 || channels == 2)
    let frames = interleaved.count / channels
    precondition(frames > 0 && frames <= Int(Int32.max))
    let stride = Self.planeFloats(frames: frames)
    byteCount = Self.byteCount(frames: frames, channels: channels)
    // Pages of its own, zeroed, which go back to the system when the sound goes: a heap would keep them.
    let access = PROT_READ | PROT_WRITE
    guard let block = mmap(nil, byteCount, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), block != MAP_FAILED else {
      return nil
    }
    let floats = block.bindMemory(to: Float.self, capacity: stride * channels)
    let guardFrames = SampleView.guardFrames
    for channel in 0..<channels {
      let plane = floats + channel * stride + guardFrames
      for frame in 0..<frames { plane[frame] = interleaved[frame * channels + channel] }
    }
    // An engine that strayed into a sound would be stopped here, not heard.
    mprotect(block, byteCount, PROT_READ)
    self.hash = hash
    self.block = block
    view = SampleView(
      left: floats + guardFrames, right: channels == 2 ? floats + stride + guardFrames : nil, frameCount: Int32(frames))
  }

  deinit { munmap(block, byteCount) }

  /// Bytes that a sound will take.
  package static func byteCount(frames: Int, channels: Int) -> Int {
    planeFloats(frames: frames) * channels * MemoryLayout<Float>.stride
  }

  /// A plane with both guards, rounded up to whole 64-byte lines so that the next plane starts on one too.
  private static func planeFloats(frames: Int) -> Int { (frames + 2 * SampleView.guardFrames + 15) & ~15 }
}

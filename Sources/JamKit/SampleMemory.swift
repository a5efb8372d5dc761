import Glibc
public import JamCore

/// One sound in memory: one or two planes at 48 kHz, each between `SampleView.guardFrames` zero frames.
///
/// A sound whose every value has 16 bits is kept in 16 bits, and takes half the memory. As floats its values have the
/// bits that they came with. Every other sound is kept as floats, unless its kit has no room for them.
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
  ///   - rounded: the hash of the sound where it must be rounded to 16 bits: 96 dB and more below its own peak. Nil
  ///     rounds nothing.
  ///   - loop: frames of them that go round while a hit is held.
  /// - Returns: nil where there is no memory.
  /// - Precondition: at least one frame, at most 2^31 - 1.
  init?(
    hash: ContentHash, interleaved: UnsafeBufferPointer<Float>, channels: Int, rounded: ContentHash? = nil,
    loop: Range<Int32>? = nil
  ) {
    precondition(channels == 1 || channels == 2)
    let frames = interleaved.count / channels
    precondition(frames > 0 && frames <= Int(Int32.max))
    let isExact = SixteenBits.holds(interleaved)
    let shift = isExact ? SixteenBits.shift : rounded == nil ? 0 : SixteenBits.shift(for: interleaved)
    let byteCount = Self.byteCount(frames: frames, channels: channels, shift: shift)
    // Pages of its own, zeroed, which go back to the system when the sound goes: a heap would keep them.
    let access = PROT_READ | PROT_WRITE
    guard let block = mmap(nil, byteCount, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), block != MAP_FAILED else {
      return nil
    }
    let guardBytes = SampleView.guardFrames * SamplePlane.bytesPerFrame(shift)
    let planes = (0..<channels).map { channel in
      let plane = block + channel * (byteCount / channels) + guardBytes
      if shift == 0 {
        let floats = plane.bindMemory(to: Float.self, capacity: frames)
        for frame in 0..<frames { floats[frame] = interleaved[frame * channels + channel] }
      } else {
        let integers = plane.bindMemory(to: Int16.self, capacity: frames)
        if isExact {
          for frame in 0..<frames {
            integers[frame] = SixteenBits.exact(interleaved[frame * channels + channel])
          }
        } else {
          for frame in 0..<frames {
            integers[frame] = SixteenBits.nearest(interleaved[frame * channels + channel], shift: shift)
          }
        }
      }
      return SamplePlane(memory: plane, shift: shift)
    }
    // An engine that strayed into a sound would be stopped here, not heard.
    mprotect(block, byteCount, PROT_READ)
    self.byteCount = byteCount
    self.hash = isExact ? hash : rounded ?? hash
    self.block = block
    view = SampleView(
      left: planes[0], right: channels == 2 ? planes[1] : nil, frameCount: Int32(frames), loop: loop)
  }

  deinit { munmap(block, byteCount) }

  /// Bytes that a sound will take.
  /// - Parameter shift: of its planes; 0 is floats.
  package static func byteCount(frames: Int, channels: Int, shift: UInt8 = 0) -> Int {
    // A plane with both guards, in whole lines so that the next plane starts on one too.
    let bytes = (frames + 2 * SampleView.guardFrames) * SamplePlane.bytesPerFrame(shift)
    return ((bytes + 63) & ~63) * channels
  }

  /// The same in 16 bits: what a kit that is short of room takes for it.
  package static func leastByteCount(frames: Int, channels: Int) -> Int {
    byteCount(frames: frames, channels: channels, shift: SixteenBits.shift)
  }
}

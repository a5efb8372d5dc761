import Glibc
public import JamCore

/// One sound in memory: one or two planes at 48 kHz, each between `SampleView.guardFrames` zero
/// frames.
///
/// A sound whose every value has 16 bits is kept in 16 bits, and takes half the memory. Converted
/// back to floats, its values have the same bits as before. Every other sound is kept as floats,
/// unless its kit has no room for them.
///
/// The memory is written once, when the object is made, and freed when the last reference goes. An
/// engine reads through `view`, which does not keep the memory alive: the owner must.
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
  ///   - rounded: the hash of the sound where it must be rounded to 16 bits: 96 dB and more below
  ///     its own peak. Nil rounds nothing.
  ///   - loop: the frames that repeat while a hit is held.
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
    // Separate pages, zeroed, which return to the system when the sound is freed: a heap would keep
    // them.
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
    // Read-only from here on: an engine that wrote into a sound by mistake would stop here, instead
    // of spoiling the sound.
    mprotect(block, byteCount, PROT_READ)
    self.byteCount = byteCount
    self.hash = isExact ? hash : rounded ?? hash
    self.block = block
    view = SampleView(
      left: planes[0], right: channels == 2 ? planes[1] : nil, frameCount: Int32(frames), loop: loop)
  }

  deinit { munmap(block, byteCount) }

  /// The bytes that a sound will take.
  /// - Parameter shift: of its planes; 0 is floats.
  package static func byteCount(frames: Int, channels: Int, shift: UInt8 = 0) -> Int {
    // A plane with both guards, in whole cache lines, so that the next plane starts on a line too.
    let bytes = (frames + 2 * SampleView.guardFrames) * SamplePlane.bytesPerFrame(shift)
    return ((bytes + 63) & ~63) * channels
  }

  /// The same in 16 bits, the form for a kit that is short of room.
  package static func leastByteCount(frames: Int, channels: Int) -> Int {
    byteCount(frames: frames, channels: channels, shift: SixteenBits.shift)
  }
}

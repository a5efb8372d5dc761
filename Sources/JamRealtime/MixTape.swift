public import JamCore
public import Synchronization

@usableFromInline struct TapeCursor: ~Copyable {
  @usableFromInline let end = Atomic<Int64>(0)
  @usableFromInline let followers = Atomic<Int>(0)
  // Only the writer uses the following fields.
  /// Whether the next buffer of mix is silent.
  @usableFromInline var isMixSilent = false
  @usableFromInline var click = Sounding()
  @usableFromInline init() {}

  /// The writer's knowledge of the click.
  @usableFromInline struct Sounding {
    /// Whether the next buffer of click is silent.
    @usableFromInline var isSilent = false
    /// The end of the last buffer that was not silent. Before the first such buffer, this is a
    /// frame long before the tape's beginning.
    @usableFromInline var end = Int64.min / 2
    @usableFromInline init() {}

    @_noLocks @inlinable mutating func commit(until end: Int64) {
      if !isSilent { self.end = end }
      isSilent = false
    }
  }
}

/// The last seconds of a room's mix, click and cues. The room's engine writes the tape, and any
/// number of threads read it, each at its own speed.
///
/// The mix and the cues are interleaved stereo floats; the click is mono. A reader that falls too
/// far behind gets an error, and never delays the writer. A `MixTape` is a handle; a `MixTapeOwner`
/// owns the memory.
@frozen
public struct MixTape: @unchecked Sendable {
  // Unchecked: there is one writer. A reader copies the frames, and then checks that the writer has
  // not overtaken it.
  @usableFromInline let cursor: UnsafeMutablePointer<TapeCursor>
  @usableFromInline let mix: UnsafeMutablePointer<Float>
  @usableFromInline let click: UnsafeMutablePointer<Float>
  /// For each buffer of the mix, whether its memory holds anything but zeros. Only the writer uses
  /// it.
  @usableFromInline let sounding: UnsafeMutablePointer<UInt8>
  /// The frames of mix on the tape; a multiple of `Frames.perBuffer`.
  public let capacity: Int64
  /// The frames of click on the tape. A second is enough for all streams.
  @usableFromInline let clickCapacity: Int64
  @usableFromInline let cues: CueTapes

  @usableFromInline
  init(
    cursor: UnsafeMutablePointer<TapeCursor>, mix: UnsafeMutablePointer<Float>, click: UnsafeMutablePointer<Float>,
    sounding: UnsafeMutablePointer<UInt8>, capacity: Int64, clickCapacity: Int64, cues: CueTapes
  ) {
    self.sounding = sounding
    self.cursor = cursor
    self.mix = mix
    self.click = click
    self.capacity = capacity
    self.clickCapacity = clickCapacity
    self.cues = cues
  }

  /// The number of frames written so far, which is also the first frame that is not on the tape
  /// yet.
  /// Thread: any.
  @inlinable public var end: Frames { Frames(cursor.pointee.end.load(ordering: .acquiring)) }

  /// Whether some reader needs each buffer as soon as it is due. Otherwise a silent room's buffers
  /// may come some milliseconds later.
  /// Thread: any.
  @inlinable public var isFollowed: Bool { cursor.pointee.followers.load(ordering: .relaxed) > 0 }

  /// Marks a reader as following the tape's end, until `unfollow`.
  /// Thread: any.
  public func follow() { cursor.pointee.followers.wrappingAdd(1, ordering: .relaxed) }

  /// Thread: any.
  public func unfollow() { cursor.pointee.followers.wrappingSubtract(1, ordering: .relaxed) }

  /// The memory for the next 120 frames of mix: 240 floats, interleaved. Thread: the engine's
  /// worker.
  @inlinable public var nextMix: UnsafeMutablePointer<Float> {
    let end = cursor.pointee.end.load(ordering: .relaxed)
    return mix + Int(end % capacity) * 2
  }

  /// The memory for the next 120 frames of click: 120 floats, mono. Thread: the engine's worker.
  @inlinable public var nextClick: UnsafeMutablePointer<Float> {
    let end = cursor.pointee.end.load(ordering: .relaxed)
    return click + Int(end % clickCapacity)
  }

  /// Makes the next buffer of mix silent. Memory that is still silent is not written, so that only
  /// pages with sound are ever touched. Thread: the engine's worker.
  @_noLocks @inlinable public func silenceMix() {
    let end = cursor.pointee.end.load(ordering: .relaxed)
    cursor.pointee.isMixSilent = true
    guard sounding[Int(end % capacity / Frames.perBuffer)] != 0 else { return }
    (mix + Int(end % capacity) * 2).update(repeating: 0, count: Int(Frames.perBuffer) * 2)
  }

  /// Makes the next buffer of click silent, in the same way as the mix. Thread: the engine's
  /// worker.
  @_noLocks @inlinable public func silenceClick() {
    let end = cursor.pointee.end.load(ordering: .relaxed)
    cursor.pointee.click.isSilent = true
    guard end - cursor.pointee.click.end < clickCapacity else { return }
    (click + Int(end % clickCapacity)).update(repeating: 0, count: Int(Frames.perBuffer))
  }

  /// Publishes the buffer that was written to `nextMix` and `nextClick`, or that was made silent.
  /// Thread: the engine's worker.
  @_noLocks @inlinable public func commitBuffer() {
    let start = cursor.pointee.end.load(ordering: .relaxed)
    sounding[Int(start % capacity / Frames.perBuffer)] = cursor.pointee.isMixSilent ? 0 : 1
    let end = start &+ Frames.perBuffer
    cursor.pointee.isMixSilent = false
    cursor.pointee.click.commit(until: end)
    cursor.pointee.end.store(end, ordering: .releasing)
  }

  /// Copies `count` frames from `start` on, interleaved, into `output`. With `click`, the click is
  /// added to both channels.
  /// - Returns: false where a part is not written yet or was already overwritten. The contents of
  ///   `output` are then invalid.
  /// - Thread: any but the engine's.
  public func read(
    _ output: UnsafeMutablePointer<Float>, from start: Frames, count: Int, click withClick: Bool = false
  ) -> Bool {
    // One buffer of margin, because the engine may be writing the oldest buffer now.
    let room = (withClick ? clickCapacity : capacity) - Frames.perBuffer
    let end = self.end.count
    guard start.count >= 0, start.count + Int64(count) <= end, start.count >= end - room else { return false }
    var done = 0
    while done < count {
      let position = Int((start.count + Int64(done)) % capacity)
      let run = Swift.min(count - done, Int(capacity) - position)
      (output + done * 2).update(from: mix + position * 2, count: run * 2)
      done += run
    }
    if withClick {
      for i in 0..<count {
        let level = self.click[Int((start.count + Int64(i)) % clickCapacity)]
        output[i * 2] += level
        output[i * 2 + 1] += level
      }
    }
    atomicMemoryFence(ordering: .acquiring)
    return start.count >= self.end.count - room
  }
}

/// Owns a tape's memory. The writer and all readers must have stopped before the last reference
/// goes.
///
/// The memory consists of the kernel's zero pages until it is first written, so that a new or idle
/// room uses little memory.
public final class MixTapeOwner: Sendable {
  public let tape: MixTape
  private let bytes: Int
  private let clickBytes: Int

  /// - Parameters:
  ///   - seconds: the length of the mix on the tape.
  ///   - cues: the number of places for players' cues.
  public init(seconds: Int = Limits.standard.tapeSeconds, cues: Int = Limits.standard.cuesPerRoom) {
    let frames = Int64(seconds) * Frames.perSecond
    let clickFrames = Frames.perSecond
    bytes = Int(frames) * 8
    let cursor = UnsafeMutablePointer<TapeCursor>.allocate(capacity: 1)
    cursor.initialize(to: TapeCursor())
    let mix = TapeMemory.map(bytes: bytes)
    clickBytes = Int(clickFrames) * 4
    let click = TapeMemory.map(bytes: clickBytes)
    let buffers = Int(frames / Frames.perBuffer)
    let sounding = UnsafeMutablePointer<UInt8>.allocate(capacity: buffers)
    sounding.initialize(repeating: 0, count: buffers)
    tape = MixTape(
      cursor: cursor, mix: mix, click: click, sounding: sounding, capacity: frames, clickCapacity: clickFrames,
      cues: CueTapes(count: cues))
  }

  deinit {
    TapeMemory.unmap(tape.mix, bytes: bytes)
    TapeMemory.unmap(tape.click, bytes: clickBytes)
    tape.sounding.deallocate()
    tape.cues.deallocate()
    tape.cursor.deinitialize(count: 1)
    tape.cursor.deallocate()
  }
}

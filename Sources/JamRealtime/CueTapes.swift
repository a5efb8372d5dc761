public import JamCore
public import Synchronization

/// The last second of each player's cue. The frames match those of the room's mix.
///
/// A handle, like the `MixTape` that it is a part of. The memory consists of the kernel's zero
/// pages until a cue is first written.
@usableFromInline struct CueTapes: @unchecked Sendable {
  // Unchecked: there is one writer. A reader copies the frames, and then checks that the cue still
  // has the same ticket.
  @usableFromInline let count: Int
  @usableFromInline let states: UnsafeMutablePointer<CueState>
  @usableFromInline let frames: UnsafeMutablePointer<Float>

  /// The frames of each cue: as many as the click's.
  @usableFromInline static var capacity: Int64 { @_noLocks get { Frames.perSecond } }
  private var bytes: Int { Swift.max(count, 1) * Int(CueTapes.capacity) * 8 }

  init(count: Int) {
    self.count = count
    states = .allocate(capacity: count)
    for i in 0..<count { (states + i).initialize(to: CueState()) }
    frames = TapeMemory.map(bytes: Swift.max(count, 1) * Int(CueTapes.capacity) * 8)
  }

  func deallocate() {
    TapeMemory.unmap(frames, bytes: bytes)
    states.deinitialize(count: count)
    states.deallocate()
  }

  @_noLocks @inlinable func place(_ cue: Int, _ frame: Int64) -> UnsafeMutablePointer<Float> {
    frames + (cue &* Int(CueTapes.capacity) &+ Int(frame % CueTapes.capacity)) &* 2
  }
}

/// The stream that a cue is made for.
@usableFromInline struct CueState: ~Copyable {
  /// The stream's ticket; 0 while the cue is closed.
  @usableFromInline let ticket = Atomic<UInt64>(0)
  /// The first frame that was written for the stream.
  @usableFromInline let start = Atomic<Int64>(0)
  @usableFromInline init() {}
}

extension MixTape {
  /// The number of places for cues. Thread: any.
  @inlinable public var cueCount: Int { @_noLocks get { cues.count } }

  /// Opens the cue for streams with that ticket, from the next buffer on. Thread: the engine's
  /// worker.
  @_noLocks @inlinable public func openCue(_ cue: Int, ticket: UInt64) {
    cues.states[cue].start.store(cursor.pointee.end.load(ordering: .relaxed), ordering: .relaxed)
    // Releasing: a thread that sees the ticket also sees its first frame.
    cues.states[cue].ticket.store(ticket, ordering: .releasing)
  }

  /// Closes the cue, because no stream needs it any more. Thread: the engine's worker.
  @_noLocks @inlinable public func closeCue(_ cue: Int) { cues.states[cue].ticket.store(0, ordering: .releasing) }

  /// The memory for the next 120 frames of the cue: 240 floats, interleaved. Thread: the engine's
  /// worker.
  @_noLocks @inlinable public func nextCue(_ cue: Int) -> UnsafeMutablePointer<Float> {
    cues.place(cue, cursor.pointee.end.load(ordering: .relaxed))
  }

  /// Copies `count` frames of a cue from `start` on, interleaved, into `output`.
  /// - Returns: false where the cue is not open for that ticket, was not open at `start`, or has
  ///   already been overwritten. The contents of `output` are then invalid.
  /// - Thread: any but the engine's.
  public func readCue(
    _ output: UnsafeMutablePointer<Float>, _ cue: Int, ticket: UInt64, from start: Frames, count: Int
  ) -> Bool {
    guard cue < cues.count, cues.states[cue].ticket.load(ordering: .acquiring) == ticket else { return false }
    // One buffer of margin, because the engine may be writing the oldest buffer now.
    let room = CueTapes.capacity - Frames.perBuffer
    let opened = cues.states[cue].start.load(ordering: .relaxed)
    let end = self.end.count
    guard start.count >= opened, start.count + Int64(count) <= end, start.count >= end - room else { return false }
    var done = 0
    while done < count {
      let frame = start.count + Int64(done)
      let run = Swift.min(count - done, Int(CueTapes.capacity - frame % CueTapes.capacity))
      (output + done * 2).update(from: cues.place(cue, frame), count: run * 2)
      done += run
    }
    atomicMemoryFence(ordering: .acquiring)
    // A cue may be closed and opened anew with the same ticket. The frames between are not its own.
    return start.count >= self.end.count - room && cues.states[cue].ticket.load(ordering: .relaxed) == ticket
      && cues.states[cue].start.load(ordering: .relaxed) == opened
  }
}

public import JamCore
internal import JamRealtime

/// One room's sound: pulled a buffer at a time, obeying its command ring, answering on its event ring.
///
/// Passive: it owns no thread. All its memory is allocated in `init`; `EngineOwner` keeps it at a fixed address.
public struct Engine: ~Copyable {
  let commands: Ring<EngineCommand>
  let events: Ring<EngineEvent>
  let tape: MixTape
  let status: EngineStatus

  /// How far the tape is behind the engine: what the engine renders for frame F lies on the tape at F + latency.
  ///
  /// The limiter looks this far ahead. A part of the constant delay between a hit and its sound; the click has it too.
  @inlinable public static var latency: Frames { Frames(64) }

  /// The first frame of the next buffer: the first one that a command can still meet. Thread: the worker.
  public private(set) var nextFrame = Frames.zero

  init(
    commands: Ring<EngineCommand>, events: Ring<EngineEvent>, tape: MixTape, status: EngineStatus, limits: Limits
  ) {
    self.commands = commands
    self.events = events
    self.tape = tape
    self.status = status
  }

  /// Renders the next 120 frames onto the tape. Thread: the worker. Real-time safe.
  @_noLocks public mutating func render() {
    RealtimeScope.enter()
    tape.commitBuffer()
    nextFrame += .buffer
    RealtimeScope.exit()
  }
}

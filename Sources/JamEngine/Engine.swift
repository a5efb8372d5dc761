public import JamCore
public import JamRealtime

/// One room's sound: pulled a buffer at a time, obeying its command ring, answering on its event ring.
///
/// Passive: it owns no thread. All its memory is allocated in `init`.
public struct Engine: ~Copyable, @unchecked Sendable {
  // Unchecked: one worker at a time renders.

  /// Thread: any; not real-time safe.
  public init(commands: Ring<EngineCommand>, events: Ring<EngineEvent>, tape: MixTape, limits: Limits = .standard) {
    fatalError("the engine is being built")
  }

  /// Renders the next 120 frames onto the tape. Thread: the worker. Real-time safe.
  @_noLocks public mutating func render() {}

  /// The frame that the next `render` begins with. Thread: the worker.
  @inlinable public var nextFrame: Frames { .zero }
}

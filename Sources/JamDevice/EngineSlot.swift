internal import JamCore
internal import JamEngine
internal import JamRealtime
internal import Synchronization

/// A place on a render worker, taken by one room's engine. It keeps the engine, its tape and its
/// wake signal alive until the worker no longer uses them.
///
/// Thread: any.
public final class EngineSlot: @unchecked Sendable {
  // Unchecked: `memory` is set up before a worker sees it. The parts that change are atomic or used
  // by the worker alone.
  let memory: UnsafeMutablePointer<SlotMemory>
  /// The number of the worker that renders it.
  let worker: Int
  private let engine: EngineOwner
  private let tape: MixTapeOwner
  private let wake: WakeSignal

  init(engine: EngineOwner, tape: MixTapeOwner, anchor: ClockAnchor, wake: WakeSignal, worker: Int) {
    self.engine = engine
    self.tape = tape
    self.wake = wake
    self.worker = worker
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: SlotMemory(engine: engine.engine, tape: tape.tape, anchor: anchor, wake: Unmanaged.passUnretained(wake)))
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// Buffers rendered since the engine got its slot.
  public var renderedBuffers: Int { memory.pointee.renderedBuffers.load(ordering: .relaxed) }
  /// Buffers that were rendered when the next one was already due.
  public var lateBuffers: Int { memory.pointee.lateBuffers.load(ordering: .relaxed) }
  /// Catch-ups that were interrupted, so that other rooms had their turn.
  public var cutCatchUps: Int { memory.pointee.cutCatchUps.load(ordering: .relaxed) }
  /// CPU time per buffer in nanoseconds, smoothed over about a second.
  public var nanosecondsPerBuffer: Int { memory.pointee.load.smoothed }
  /// The most CPU time per buffer in nanoseconds, since the last call.
  public func takePeakNanosecondsPerBuffer() -> Int { memory.pointee.load.takePeak() }
  /// The share of a buffer's duration that its rendering takes: 1 is all of it.
  public var load: Double { Double(nanosecondsPerBuffer) / Double(RenderRound.nanosecondsPerBuffer) }
}

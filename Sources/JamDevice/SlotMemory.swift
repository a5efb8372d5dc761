internal import JamCore
internal import JamEngine
internal import JamRealtime
internal import Synchronization

/// The data of one engine for its worker: at a fixed address, without reference counts.
struct SlotMemory: ~Copyable {
  let engine: UnsafeMutablePointer<Engine>
  let tape: MixTape
  let anchor: ClockAnchor
  /// The slot keeps the signal alive.
  let wake: Unmanaged<WakeSignal>

  let renderedBuffers = Atomic<Int>(0)
  let lateBuffers = Atomic<Int>(0)
  let cutCatchUps = Atomic<Int>(0)
  let load = RenderLoad()
  /// Set by the worker when it will not touch the slot again.
  let isRemoved = Atomic<Bool>(false)

  init(engine: UnsafeMutablePointer<Engine>, tape: MixTape, anchor: ClockAnchor, wake: Unmanaged<WakeSignal>) {
    self.engine = engine
    self.tape = tape
    self.anchor = anchor
    self.wake = wake
  }
}

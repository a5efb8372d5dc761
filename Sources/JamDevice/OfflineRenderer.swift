public import JamCore
public import JamEngine
public import JamRealtime

/// Pulls one engine as fast as the machine can: the same engine as live, and the same samples.
///
/// Thread: one at a time. It sets this thread to flush denormals to zero.
public struct OfflineRenderer {
  private let engine: EngineOwner
  private let tape: MixTapeOwner

  public init(engine: EngineOwner, tape: MixTapeOwner) {
    self.engine = engine
    self.tape = tape
    RealtimeThread.flushDenormals()
  }

  /// The first frame that is not rendered yet.
  public var end: Frames { tape.tape.end }

  /// Renders the next buffer and passes it on: 120 frames of the mix, interleaved, valid during the
  /// call.
  public func renderBuffer<Failure: Error>(
    _ body: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
  ) throws(Failure) {
    let mix = tape.tape.nextMix
    engine.engine.pointee.render()
    try body(UnsafeBufferPointer(start: mix, count: Int(Frames.perBuffer) * 2))
  }

  /// Renders whole buffers until `frame` is on the tape.
  public func render(until frame: Frames) {
    while tape.tape.end < frame { engine.engine.pointee.render() }
  }
}

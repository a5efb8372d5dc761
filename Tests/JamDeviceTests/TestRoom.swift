import JamCore
import JamEngine
import JamRealtime

@testable import JamDevice

/// An engine with all that it hangs on, and nobody to command it.
final class TestRoom {
  let commands = RingOwner<EngineCommand>(capacity: 16)
  let events = RingOwner<EngineEvent>(capacity: 16)
  let tape = MixTapeOwner(seconds: 1)
  let wake = WakeSignal()
  let engine: EngineOwner
  let anchor: ClockAnchor

  /// - Parameter isFollowed: whether somebody wants each buffer at once, as listeners do.
  init(anchor: ClockAnchor, isFollowed: Bool = true) {
    self.anchor = anchor
    if isFollowed { tape.tape.follow() }
    engine = EngineOwner(commands: commands, events: events, tape: tape)
  }

  /// A slot for tests that play the worker themselves.
  lazy var slot = EngineSlot(engine: engine, tape: tape, anchor: anchor, wake: wake, worker: 0)
}

/// Keeps a test's rooms, whose rings their engines read.
final class Rooms {
  var all: [TestRoom] = []
}

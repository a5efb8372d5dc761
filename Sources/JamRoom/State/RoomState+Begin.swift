internal import JamCore
internal import JamEngine

extension RoomState {
  /// The engine's first clock: bar 1 begins at frame 0, and the transport plays.
  mutating func begin() {
    clock.begin()
    // No player did it, so it is not in the log: every room begins so.
    outbox.append(
      .engine(
        EngineCommand(
          sequence: session.tally.next(), frame: .zero, action: .tempoMap(clock.view, revision: clock.revision))))
  }
}

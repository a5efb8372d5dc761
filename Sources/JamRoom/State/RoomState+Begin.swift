internal import JamCore
internal import JamEngine

extension RoomState {
  /// The engine's first clock: bar 1 begins at frame 0, and the transport plays.
  mutating func begin(_ effects: inout [Effect]) {
    mapRevision += 1
    // No player did it, so it is not in the log: every room begins so.
    effects.append(
      .engine(
        EngineCommand(sequence: nextSequence(), frame: .zero, action: .tempoMap(map.view, revision: mapRevision))))
  }
}

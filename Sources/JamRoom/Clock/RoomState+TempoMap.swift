internal import JamCore
internal import JamEngine

/// Another revision of the tempo map, and all that depends on it.
extension RoomState {
  /// Puts a new revision of the clock in force at `frame`.
  mutating func put(_ map: TempoMap, at frame: Frames, _ action: LogAction, by player: PlayerID) {
    let old = clock.put(map, at: frame, keeping: limits.tempoChangesKept)
    planRolls()
    planLoops()
    clock.planBuildUps()
    clock.planCountAgain(at: frame)
    commit(action, by: player, at: frame, engine: .tempoMap(clock.view, revision: clock.revision))
    outbox.append(.retireMap(old, revision: clock.revision))
    queue.plan(clock.view)
    // Hits whose line the change brought near are sent at once.
    sendWaiting(at: frame - RoomState.liveDelay)
  }
}

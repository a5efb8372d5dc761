internal import JamCore

/// Histories, for views.
extension RoomState {
  private static let stepsEvery = Frames(12_000)

  /// Tells changed histories, four times a second at most.
  mutating func tellHistories(at now: Frames) {
    guard now >= pulse.nextHistories else { return }
    pulse.nextHistories = now + RoomState.stepsEvery
    if session.history.version != pulse.toldRoomHistory {
      pulse.toldRoomHistory = session.history.version
      outbox.append(.tell(.roomSteps(session.history.steps), .everybody))
    }
    for id in roster.occupied where desks[id].history.version != desks[id].toldHistory {
      desks[id].toldHistory = desks[id].history.version
      if roster.isHere(id) { outbox.append(.tell(.ownSteps(desks[id].history.steps), .player(id))) }
    }
  }
}

internal import JamCore

/// Histories, for whoever shows them.
extension RoomState {
  private static let stepsEvery = Frames(12_000)

  mutating func listSteps(of id: PlayerID) {
    outbox.append(.tell(.ownSteps(desks[id].history.steps), .asker))
  }

  mutating func listRoomSteps() { outbox.append(.tell(.roomSteps(roomHistory.steps), .asker)) }

  /// Tells those that are other than they were told, four times a second at most.
  mutating func tellHistories(at now: Frames) {
    guard now >= pulse.nextHistories else { return }
    pulse.nextHistories = now + RoomState.stepsEvery
    if roomHistory.version != pulse.toldRoomHistory {
      pulse.toldRoomHistory = roomHistory.version
      outbox.append(.tell(.roomSteps(roomHistory.steps), .everybody))
    }
    for id in roster.occupied where desks[id].history.version != desks[id].toldHistory {
      desks[id].toldHistory = desks[id].history.version
      if roster.isHere(id) { outbox.append(.tell(.ownSteps(desks[id].history.steps), .player(id))) }
    }
  }
}

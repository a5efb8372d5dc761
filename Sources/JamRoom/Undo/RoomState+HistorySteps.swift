internal import JamCore

/// Histories, for whoever shows them.
extension RoomState {
  private static let stepsEvery = Frames(12_000)

  func listSteps(of id: PlayerID, _ effects: inout [Effect]) {
    effects.append(.tell(.ownSteps(roster[id].history.steps), .asker))
  }

  func listRoomSteps(_ effects: inout [Effect]) { effects.append(.tell(.roomSteps(roomHistory.steps), .asker)) }

  /// Tells those that are other than they were told, four times a second at most.
  mutating func tellHistories(at now: Frames, _ effects: inout [Effect]) {
    guard now >= pulse.nextHistories else { return }
    pulse.nextHistories = now + RoomState.stepsEvery
    if roomHistory.version != pulse.toldRoomHistory {
      pulse.toldRoomHistory = roomHistory.version
      effects.append(.tell(.roomSteps(roomHistory.steps), .everybody))
    }
    for id in roster.occupied where roster[id].history.version != roster[id].toldHistory {
      roster[id].toldHistory = roster[id].history.version
      if roster.isHere(id) { effects.append(.tell(.ownSteps(roster[id].history.steps), .player(id))) }
    }
  }
}

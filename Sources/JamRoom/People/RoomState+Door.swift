internal import JamCore

/// The door: newcomers play to their own cue until a host lets them in.
///
/// The log has nothing of it: it holds what the room's music is made of, and a newcomer's hits are
/// no part of that.
extension RoomState {
  func checkSetDoor(by id: PlayerID) throws(Refusal) { try roster.requireHost(id, for: .setDoor) }

  /// An open door lets in all who wait.
  mutating func setDoor(_ isClosed: Bool, at moment: Moment) {
    roster.door.isClosed = isClosed
    outbox.append(.peopleChanged)
    guard !isClosed, roster.door.isAnybodyWaiting else { return }
    for id in present where roster.door.waits(id) { letIn(id, at: moment) }
  }

  /// - Parameter visitor: the address and the token of the player, who has just come in.
  mutating func meetAtDoor(_ id: PlayerID, _ visitor: Visitor) {
    let stops = stopsAtDoor(visitor, as: roster[id].role)
    // From now on its new token says that it was in.
    if let token = visitor.token { roster.known.drop(token) }
    guard stops else { return }
    roster.door.stop(id)
    tell(.admitted(roster[id].name), of: id)
  }

  /// A player who is here already shows the token of one who was in and left: it need not wait.
  mutating func show(_ visitor: Visitor, as id: PlayerID, at moment: Moment) {
    guard roster.isHere(id), roster.known.includes(visitor), let token = visitor.token else {
      return
    }
    bringMix(to: id, of: visitor, at: arrivalFrame(moment))
    roster.known.drop(token)
    letIn(id, at: moment)
  }

  /// Whether the visitor has to wait: nobody has let it in yet.
  func stopsAtDoor(_ visitor: Visitor, as role: Role) -> Bool {
    roster.door.isClosed && role != .host && !visitor.isTrusted && !roster.known.includes(visitor)
  }

  mutating func admit(_ name: PlayerName, at moment: Moment) {
    roster.bans.admit(name, at: moment.arrival)
    guard let id = roster.player(named: name) else { return }
    guard roster.door.waits(id) else {
      // Nothing changes, so only the asker needs an answer.
      return outbox.append(.tell(.value(.admitted(name), .bool(true)), .asker))
    }
    letIn(id, at: moment)
  }

  /// The player plays in the mix from now on. Held sounds on its cue end first: their releases will
  /// go to the mix, and end nothing on the cue.
  mutating func letIn(_ id: PlayerID, at moment: Moment) {
    guard roster.door.waits(id) else { return }
    panic(by: id, at: moment)
    roster.door.letIn(id)
    tell(.admitted(roster[id].name), of: id)
    if clock.election.mode == .vote { tellVotes() }
    outbox.append(.peopleChanged)
  }

  /// Whether a player at the door may do it.
  /// - Throws: `.atTheDoor` for what others hear or share.
  func requireIn(_ id: PlayerID, for command: Command) throws(Refusal) {
    guard command.isForNewcomers else { throw .atTheDoor }
    guard command.isPlayed, !cues.isHeard(id) else { return }
    throw .unheardAtDoor(room: name, player: roster[id].isGuest ? nil : roster[id].name)
  }
}

internal import JamCore

/// Roles. A player keeps its role under any name, and when it resumes by its token.
///
/// After its last host, a room stays locked as it was: the word makes a host, waiting does not.
extension RoomState {
  func checkSetRole(_ word: String, of player: PlayerID, by id: PlayerID) throws(Refusal) {
    guard let role = Role(rawValue: word) else { throw .unknownWord(.role, word) }
    let isOwn = player == id
    if !isOwn { try roster.requireHost(id, for: .giveRole) }
    // Laying it down, too: a forged packet takes nobody's role.
    if isOwn { try roster.requireProof(id) }
    if isOwn, roster[id].role != .host {
      guard role != .host else { throw .notHost(roster[id].name) }
      guard role != .player || !roster[id].isMadeListener else { throw roster.whyOnlyListens(id) }
    }
  }

  mutating func setRole(_ word: String, of player: PlayerID, by id: PlayerID, at moment: Moment) {
    guard let role = Role(rawValue: word) else { return }
    let isOwn = player == id
    // A host-made listener stays host-made when the player itself asks to be a listener.
    if !isOwn, role != .listener {
      roster.bans.forgetListeners(roster[player].name, from: roster[player].whereabouts)
    }
    roster[player].isMadeListener = role == .listener && (!isOwn || roster[player].isMadeListener)
    if role == .host, !roster.isHost(player) {
      outbox.append(.madeHost(roster[player].name, by: roster[id].name))
    }
    give(role, to: player)
    if role == .host { letIn(player, at: moment) }
    guard role == .listener else { return clock.election.mode == .vote ? tellVotes() : () }
    fallSilent(player, at: moment)
  }

  /// Gives the role and tells it.
  mutating func give(_ role: Role, to id: PlayerID) {
    if role != .listener { roster[id].isMadeListener = false }
    roster[id].role = role
    for setting in [.host, .role, .roleOf(roster[id].name)] as [Setting] { tell(setting, of: id) }
    outbox.append(.peopleChanged)
    if role == .host { outbox.append(roster.lightEvents(for: id).map { .tell($0, .player(id)) }) }
  }

  /// A listener loses held pads, waiting hits, a pass, lanes that wait to play, a vote, a clock.
  /// Its loop plays on, as that of a gone player; orders that do not come are told.
  private mutating func fallSilent(_ id: PlayerID, at moment: Moment) {
    let isBusy = hands[id].places.contains { place in
      let pad = hands[id][place]
      return pad.press.isHeld || pad.isLooping || pad.light.pending > 0
    }
    if isBusy || !hands[id].keysRest {
      panic(by: id, at: moment)
    }
    for command in ordered(by: id) {
      outbox.append(.tell(.refused(command, roster.whyOnlyListens(id)), .player(id)))
    }
    _ = giveUpPass(of: id)
    giveUpLanes(of: id)
    if session.recording?.player == id { outbox.append(.stopRecording) }
    let vote = desks[id].vote
    if vote != nil {
      desks[id].vote = nil
      for setting in [.tempoVote, .tempo] as [Setting] { tell(setting, of: id) }
    }
    leaveVote(vote, at: effectFrame(moment))
    leaveClock(of: id, at: effectFrame(moment))
  }

  /// A player's orders that wait, and its pass under way.
  private func ordered(by id: PlayerID) -> [Command] {
    var commands = loopers[id].ordered
    if let vote = desks[id].vote, clock.election.line != nil { commands.append(.set(.tempoVote, .float(vote))) }
    return commands
  }
}

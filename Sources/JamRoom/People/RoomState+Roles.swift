internal import JamCore

/// Who may do what. A role stays with the player under any name, and for whoever resumes it by its token.
///
/// Where the last host leaves, the room goes on without one, locked as it was: nobody becomes a host by waiting. The host word makes one.
extension RoomState {
  mutating func setRole(
    _ word: String, of player: PlayerID, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard let role = Role(rawValue: word) else { throw .unknownWord(.role, word) }
    let isOwn = player == id
    if !isOwn { try requireHost(id, for: .giveRole) }
    // Laying it down, too: a forged packet takes nobody's role.
    if isOwn { try requireProof(id) }
    if isOwn, self[known: id].role != .host {
      guard role != .host else {
        throw .notHost(self[known: id].name)
      }
      guard role != .player || !self[known: id].isMadeListener else { throw whyOnlyListens(id) }
    }
    // What one is made by a host stays so where one asks for it, too.
    if !isOwn, role != .listener {
      door.forgetListeners(self[known: player].name, from: self[known: player].whereabouts)
    }
    self[known: player].isMadeListener = role == .listener && (!isOwn || self[known: player].isMadeListener)
    if role == .host, !isHost(player) {
      effects.append(.madeHost(self[known: player].name, by: self[known: id].name))
    }
    give(role, to: player, &effects)
    guard role == .listener else { return election.mode == .vote ? tellVotes(&effects) : () }
    fallSilent(player, at: moment, &effects)
  }

  /// Gives the role and tells it.
  mutating func give(_ role: Role, to id: PlayerID, _ effects: inout [Effect]) {
    if role != .listener { self[known: id].isMadeListener = false }
    self[known: id].role = role
    for setting in [.host, .role, .roleOf(self[known: id].name)] as [Setting] { tell(setting, of: id, &effects) }
    effects.append(.peopleChanged)
  }

  /// What a listener may not have: held pads, hits that wait, a pass, lanes that wait to play, a vote, a clock. Its loop plays on, as that of one
  /// who left; what it has ordered and does not come is told.
  private mutating func fallSilent(_ id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    let pads = self[known: id].pads
    if pads.contains(where: { $0.isHeld || $0.isLooping || $0.pending > 0 }) {
      panic(by: id, at: moment, &effects)
    }
    for command in ordered(by: id) {
      effects.append(.tell(.refused(command, whyOnlyListens(id)), .player(id)))
    }
    _ = giveUpPass(of: id, &effects)
    giveUpLanes(of: id, &effects)
    if recording?.player == id { effects.append(.stopRecording) }
    let vote = self[known: id].vote
    if vote != nil {
      self[known: id].vote = nil
      for setting in [.tempoVote, .tempo] as [Setting] { tell(setting, of: id, &effects) }
    }
    leaveVote(vote, at: effectFrame(moment), &effects)
    leaveClock(of: id, at: effectFrame(moment), &effects)
  }

  /// What waits of a player's, and a pass that is under way.
  private func ordered(by id: PlayerID) -> [Command] {
    let (loop, lanes) = (self[known: id].loop, self[known: id].lanes)
    var commands: [Command] = []
    if let pass = loop.pass { commands.append(.loop(pass.isOverdub ? .overdub : .record)) }
    if let action = loop.waiting?.action { commands.append(.loop(action)) }
    for (lane, action) in lanes.map({ $0.waiting?.action }).enumerated() {
      guard let action, action == .play || action == .loop else { continue }
      commands.append(.lane(lane + 1, action))
    }
    if let vote = self[known: id].vote, election.line != nil { commands.append(.set(.tempoVote, .float(vote))) }
    return commands
  }

  /// Why a listener may not do what players do.
  func whyOnlyListens(_ id: PlayerID) -> Refusal {
    let player = self[known: id]
    return player.isMadeListener ? .madeListener(player.name) : .listener
  }

  func requirePlaying(_ id: PlayerID) throws(Refusal) {
    guard self[id]?.role != .listener else { throw whyOnlyListens(id) }
  }
}

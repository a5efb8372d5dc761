public import JamCore
internal import JamEngine

/// Who is in the room.
extension RoomState {
  /// Lets a player in.
  /// - Parameters:
  ///   - wanted: the name; where somebody else has it, a number is added.
  ///   - token: what will resume the player; unguessable.
  ///   - visitor: where it comes from, and what it showed.
  public mutating func join(
    _ wanted: PlayerName, token: String, isGuest: Bool = false, isHost: Bool = false, from visitor: Visitor = .house,
    at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) -> PlayerID {
    let frame = arrivalFrame(moment)
    if !isHost { try requireWelcome(wanted, visitor, at: moment.arrival) }
    if !isHost { try requirePlace(visitor) }
    let isListener = !isHost && comesAsListener(wanted, visitor, at: moment.arrival)
    if let id = takeUp(wanted, token: token, isGuest: isGuest, isHost: isHost, at: moment, &effects) {
      self[known: id].whereabouts = Whereabouts()
      self[known: id].presence = visitor.presence
      self[known: id].note(visitor)
      if isListener { makeListener(id, &effects) }
      return id
    }
    // Of those who are gone, the loop makes room where there is no other.
    guard let index = players.firstIndex(where: { $0 == nil }) ?? players.firstIndex(where: { $0?.hasLeft == true })
    else {
      throw Refusal("room \(name) is full: it holds \(limits.playersPerRoom) players")
    }
    let id = PlayerID(index: UInt8(index))
    let free = freeName(wanted)
    seat(
      Player(id: id, name: free, token: token, isGuest: isGuest, isHost: isHost, kit: firstKit, at: moment.arrival))
    self[known: id].presence = visitor.presence
    self[known: id].note(visitor)
    pendingHits.removeAll { $0.player == id }
    planLoop(of: id)
    commit(.join, by: free, at: frame, engine: .openBus(id), &effects)
    if isGuest { recallGuest(id, as: wanted, from: visitor, at: moment, &effects) }
    // Its history begins with what it finds.
    let player = self[known: id]
    self[known: id].history = History(from: Checkpoint(player))
    if isListener { makeListener(id, &effects) }
    tellChannel(of: id, &effects)
    return id
  }

  private mutating func makeListener(_ id: PlayerID, _ effects: inout [Effect]) {
    self[known: id].isMadeListener = true
    give(.listener, to: id, &effects)
  }

  /// Whoever comes back by the same name finds its loop playing.
  private mutating func takeUp(
    _ wanted: PlayerName, token: String, isGuest: Bool, isHost: Bool, at moment: Moment, _ effects: inout [Effect]
  ) -> PlayerID? {
    guard player(named: wanted) == nil,
      let id = players.lazy.compactMap({ $0 }).first(where: { $0.hasLeft && $0.name == wanted })?.id
    else { return nil }
    self[known: id].hasLeft = false
    self[known: id].isAway = false
    self[known: id].token = token
    self[known: id].isGuest = isGuest
    self[known: id].joined = moment.arrival
    // A host's word holds for the name: coming back does not lift it.
    if !self[known: id].isMadeListener || isHost { self[known: id].role = isHost ? .host : .player }
    self[known: id].lastHeard = moment.arrival
    commit(.join, by: wanted, at: arrivalFrame(moment), &effects)
    tellChannel(of: id, &effects)
    return id
  }

  /// The player that a token or a name belongs to.
  public func player(token: String) -> PlayerID? { people.first { Secrets.equal(token, $0.token) }?.id }
  public func player(named name: PlayerName) -> PlayerID? { people.first { $0.name == name }?.id }

  /// Another name for a player who stays who it is.
  public mutating func rename(_ id: PlayerID, to wanted: PlayerName, at moment: Moment, _ effects: inout [Effect]) {
    guard self[known: id].name != wanted || self[known: id].isGuest else { return }
    let old = self[known: id].name
    if old != wanted { self[known: id].name = freeName(wanted) }
    let new = self[known: id].name
    if old != new {
      renameBlocks(of: old, to: new, by: id, &effects)
      effects.append(.tell(.playerGone(old), .everybody))
    }
    self[known: id].isGuest = false
    commit(.rename(self[known: id].name), by: old, at: arrivalFrame(moment), &effects)
    roomHistory.rename(old, to: self[known: id].name)
    tellChannel(of: id, &effects)
  }

  /// Something came from the player, whatever it was.
  public mutating func heard(from id: PlayerID, at frame: Frames) {
    if players[Int(id.index)] != nil { self[known: id].lastHeard = frame }
  }

  /// The player's last connection ended: held pads are let go, and everybody sees that nobody is there.
  mutating func connectionEnded(of id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    guard isHere(id), !self[known: id].isAway else { return }
    for pad in Pad.all where self[known: id].pads[pad.index].isHeld { release(pad, by: id, at: moment, &effects) }
    setAway(id, true, &effects)
  }

  /// The player has a connection again.
  mutating func connected(_ id: PlayerID, _ effects: inout [Effect]) {
    if isHere(id), self[known: id].isAway { setAway(id, false, &effects) }
  }

  private mutating func setAway(_ id: PlayerID, _ isAway: Bool, _ effects: inout [Effect]) {
    self[known: id].isAway = isAway
    effects.append(.tell(.playerAway(player: self[known: id].name, isAway: isAway), .everybody))
    effects.append(.peopleChanged)
  }

  /// What `/meter` and `/clip` call the mix: no player is called so.
  public static let mixName = "master"

  private func freeName(_ wanted: PlayerName) -> PlayerName {
    // Of whom only a loop is left has its name still: the log's hits bear it.
    func isTaken(_ name: PlayerName) -> Bool {
      players.contains { $0?.name == name } || reservedNames.contains(name.text.lowercased())
    }
    guard isTaken(wanted) else { return wanted }
    // Of one more name than there are places one is free.
    let numbers = 2...players.count + 2
    for number in numbers {
      if let name = wanted.numbered(number, limits: limits), !isTaken(name) { return name }
    }
    return numbers.lazy.compactMap { PlayerName("player-\($0)") }.first { !isTaken($0) } ?? wanted
  }

  /// Held pads are let go; what sounds rings out.
  /// - Parameter playsOn: whether its loop does; nil is where it goes round, and its player was not put out.
  mutating func leave(
    _ id: PlayerID, kickedBy host: PlayerName? = nil, playsOn: Bool? = nil, at moment: Moment,
    _ effects: inout [Effect]
  ) {
    let player = self[known: id]
    let isKicked = host != nil
    let frame = liveFrame(moment)
    rememberListener(id, at: moment.arrival)
    if !isKicked { keepGuest(id, at: moment.arrival) }
    if player.isSoloed {
      self[known: id].isSoloed = false
      // Before the leave: whoever plays the log again finds the player still there.
      commitSolo(.command(.set(.channelSolo(player.name), .bool(false))), by: player.name, at: frame, &effects)
    }
    leaveBuildUp(of: id, at: frame, &effects)
    withdrawWaiting(of: id, &effects)
    if recording?.player == id { effects.append(.stopRecording) }
    if !isKicked { leavePass(of: id, at: frame, &effects) }
    let loop = self[known: id].loop
    let goesRound = loop.isPlaying && !loop.isEmpty || self[known: id].lanes.contains { $0.isPlaying && $0.isLooped }
    let stays = playsOn ?? (!isKicked && goesRound)
    leaveClock(of: id, at: frame, &effects)
    leaveCountIn(of: id, at: frame, &effects)
    let action = stays ? LogAction.command(.leaveLoop) : .leave
    commit(action, by: player.name, at: frame, engine: .releaseAll(bus: id), &effects)
    departed.note(player.name, id, sequence: lastSequence, at: frame)
    leaveCue(of: id, at: frame, &effects)
    self[known: id].focus = nil
    _ = giveUpPass(of: id, &effects)
    if stays {
      // Loops play on, and whoever comes back by the name takes back what it did before.
      self[known: id].hasLeft = true
      self[known: id].vote = nil
      self[known: id].taps = TapAverage()
    } else {
      vacate(id)
      planLoop(of: id)
    }
    roomHistory.forget(player.name)
    forgetIfUnused(player.kit)
    leaveVote(player.vote, at: frame, &effects)
    effects.append(.tell(.playerGone(player.name), .everybody))
    effects.append(.left(id, player.name, kickedBy: host))
  }

  /// Whether `word` makes a host. A word of which nothing is left makes nobody one.
  public func isHostWord(_ word: String) -> Bool {
    let word = Secrets.spoken(word)
    return !word.isEmpty && Secrets.equal(word, Secrets.spoken(hostWord))
  }

  mutating func becomeHost(_ word: String, by id: PlayerID, _ effects: inout [Effect]) throws(Refusal) {
    guard isHostWord(word) else {
      throw Refusal("that is not the host word: the server printed it at its start")
    }
    // To the asker too: it is not the echo of a control, but the answer.
    effects.append(.tell(.value(.host, .bool(true)), .asker))
    door.forgetListeners(self[known: id].name, from: self[known: id].whereabouts)
    if !isHost(id) { effects.append(.madeHost(self[known: id].name, by: nil)) }
    give(.host, to: id, &effects)
  }

  mutating func kick(
    _ name: PlayerName, for seconds: Int?, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    if let gone = players.lazy.compactMap({ $0 }).first(where: { $0.hasLeft && $0.name == name }) {
      // Of whom only a loop is left: anybody ends it, for its player cannot.
      try requirePlaying(id)
      try requireUnlocked(.loops, id)
      commit(
        .command(.kick(name)), by: self[known: id].name, at: liveFrame(moment), engine: .silence(bus: gone.id), &effects
      )
      vacate(gone.id)
      planLoop(of: gone.id)
      return effects.append(.tell(.playerLoop(player: name, state: "empty", layers: 0, bars: 0), .everybody))
    }
    try requireHost(id, "put players out")
    let kicked = try find(name)
    let duration = seconds ?? limits.kickSeconds
    effects.append(.tell(.kicked(by: self[known: id].name, seconds: duration), .player(kicked)))
    shutOut(kicked, for: duration, at: moment.arrival)
    leave(kicked, kickedBy: self[known: id].name, at: moment, &effects)
  }

  func find(_ name: PlayerName) throws(Refusal) -> PlayerID {
    guard let id = player(named: name) else {
      let names = people.prefix(8).map(\.name.text).joined(separator: ", ")
      throw Refusal("nobody here is called \(name): here are \(names)")
    }
    return id
  }
}

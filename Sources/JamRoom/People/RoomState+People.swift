public import JamCore
internal import JamEngine

/// The people in the room.
extension RoomState {
  /// Lets a player in.
  /// - Parameters:
  ///   - wanted: the name; where somebody else has it, a number is added.
  ///   - token: what will resume the player; unguessable.
  ///   - visitor: its address, and the proof that it showed.
  public mutating func join(
    _ wanted: PlayerName, token: String, isGuest: Bool = false, isHost: Bool = false, from visitor: Visitor = .server,
    at moment: Moment
  ) throws(Refusal) -> PlayerID {
    // A visitor with the host's word always comes in.
    if !isHost { try roster.requireWelcome(wanted, visitor, at: moment.arrival) }
    if !isHost { try roster.requirePlace(visitor) }
    let isListener = !isHost && roster.comesAsListener(wanted, visitor, at: moment.arrival)
    let role = isHost ? Role.host : .player
    let mayTakeUp = !stopsAtDoor(visitor, as: role)
    guard
      let id = enter(
        wanted, token: token, isGuest: isGuest, as: role, mayTakeUp: mayTakeUp, from: visitor,
        at: moment)
    else {
      throw .roomFull(name, most: limits.playersPerRoom)
    }
    if isListener {
      roster[id].isMadeListener = true
      give(.listener, to: id)
    }
    bringMix(to: id, of: visitor, at: arrivalFrame(moment))
    meetAtDoor(id, visitor)
    return id
  }

  /// A player has a place from now on: its own, where its loop plays on, or a free one.
  /// - Parameter mayTakeUp: not at the door: a loop that was left is heard by everybody.
  /// - Returns: nil where there is no free place.
  mutating func enter(
    _ wanted: PlayerName, token: String, isGuest: Bool = false, as role: Role,
    mayTakeUp: Bool = true, from visitor: Visitor = .server, at moment: Moment
  ) -> PlayerID? {
    let frame = arrivalFrame(moment)
    if mayTakeUp, let id = takeUp(wanted, token: token, isGuest: isGuest, as: role, from: visitor, at: moment) {
      return id
    }
    guard let id = roster.freePlace else { return nil }
    let free = roster.freeName(wanted, reserved: setup.reservedNames)
    mix.holds.stay(with: free)
    var person = Person(
      id: id, name: free, token: token, isGuest: isGuest, role: role, joined: moment.arrival,
      lastHeard: moment.arrival)
    person.arrive(from: visitor)
    seat(Player(person, hands: Hands(kit: library.firstKit, instrument: setup.instruments.first)))
    loopers[id].loop.bars = session.project.measures
    for pad in hands[id].pads { pulse.noteFit(of: pad) }
    // Of a room that nobody is in, positions are told to nobody.
    pulse.nextPosition = min(pulse.nextPosition, moment.arrival)
    _ = queue.takePending { $0.player == id }
    planLoop(of: id)
    commit(.join, as: free, at: frame, engine: .openBus(id))
    followDuckers(at: frame)
    if role != .host { recallGuest(id, as: free, from: visitor, at: moment) }
    // Its history begins with the present state.
    desks[id].history = History(from: checkpoint(of: id))
    tellChannel(of: id)
    mixBus(of: id, at: frame)
    return id
  }

  /// A player who comes back by the same name finds its loop playing.
  private mutating func takeUp(
    _ wanted: PlayerName, token: String, isGuest: Bool, as role: Role, from visitor: Visitor, at moment: Moment
  ) -> PlayerID? {
    guard roster.player(named: wanted) == nil, let id = roster.gone(wanted) else { return nil }
    roster[id].comeBack(token: token, isGuest: isGuest, as: role, at: moment.arrival)
    roster[id].arrive(from: visitor)
    outbox.append(roster.hears(nil, by: id, at: moment.arrival))
    mix.holds.stay(with: wanted)
    commit(.join, as: wanted, at: arrivalFrame(moment))
    tellChannel(of: id)
    bringKitBack(to: id)
    return id
  }

  /// Another name for a player who stays who it is.
  public mutating func rename(_ id: PlayerID, to wanted: PlayerName, at moment: Moment) {
    guard roster[id].name != wanted || roster[id].isGuest else { return }
    let old = roster[id].name
    let seat = roster.seats.seat(of: id)
    let new = old == wanted ? old : roster.freeName(wanted, reserved: setup.reservedNames, for: id)
    // Somebody who asks for "ann" again, and is "ann-2" because there is an ann, stays that.
    guard new != old || roster[id].isGuest else { return }
    roster[id].name = new
    if old != new {
      renameBlocks(of: old, to: new, by: id)
      library.progressions.rename(old, to: new)
      library.renameSaver(old, to: new)
      let scenes = library.scenes
      library.scenes.rename(old, to: new)
      for (place, scene) in library.scenes.entries.enumerated() where scene != scenes.entries[place] {
        tell(.scene(place + 1), of: id)
      }
      outbox.append(.tell(.playerGone(old), .everybody))
      if !loopers[id].loop.hasNothing { tellEverybodyLoop(of: id) }
      if !loopers[id].grooveParts.isEmpty { tellGroovePlayers() }
    }
    roster.seats.rename(id, to: new, takesOver: roster[id].isGuest)
    if seat != roster.seats.seat(of: id) { tellSeat(seat) }
    roster[id].isGuest = false
    if let key = roster[id].guestKey { roster[id].guestKey = GuestMemory.Key(name: new, address: key.address) }
    commit(.rename(roster[id].name), as: old, at: arrivalFrame(moment))
    if old != new {
      renameDucker(old, to: new, at: arrivalFrame(moment))
      renameHolder(old, to: new)
      renameLoans(of: old, to: new)
      mixBus(of: id, at: arrivalFrame(moment))
    }
    session.history.rename(old, to: roster[id].name)
    if old != new { outbox.append(roster.lightEffects(ofRenamed: id)) }
    tellChannel(of: id)
  }

  /// The player asked for seats, so it is a mixer. One that has played nothing yet, and has its
  /// seat only since it came in, leaves the first seats to those who play.
  mutating func sitAside(_ id: PlayerID) {
    guard roster.isHere(id), hands[id].isUntouched, loopers[id].loop.hasNothing else { return }
    let before = roster.seats.seat(of: id)
    guard roster.seats.sitAside(id) else { return }
    tellSeat(before)
    // Its channel, too: a mixer has the values of the newcomer before at that seat.
    tellChannel(of: id)
  }

  /// The player's last connection ended: held pads are let go, and everybody sees it absent.
  mutating func connectionEnded(of id: PlayerID, at moment: Moment) {
    guard roster.isHere(id), !roster[id].isAway else { return }
    letGoOfAll(of: id, at: moment)
    letGoOfMacros(of: id, at: effectFrame(moment))
    setAway(id, true)
  }

  /// The player has a connection again.
  mutating func connected(_ id: PlayerID) {
    if roster.isHere(id), roster[id].isAway { setAway(id, false) }
  }

  private mutating func setAway(_ id: PlayerID, _ isAway: Bool) {
    roster[id].isAway = isAway
    if isAway { outbox.append(roster.hears(nil, by: id, at: .zero)) }
    outbox.append(.tell(.playerAway(player: roster[id].name, isAway: isAway), .everybody))
    outbox.append(.peopleChanged)
  }

  /// The name of the mix among the meters: no player is called so.
  public static let mixName = "master"

  /// Held pads are let go; what sounds rings out.
  /// - Parameter playsOn: whether its loop does; nil is yes if it goes round and nobody put it out.
  mutating func leave(_ id: PlayerID, kickedBy host: PlayerName? = nil, playsOn: Bool? = nil, at moment: Moment) {
    let player = wholePlayer(id)
    let isKicked = host != nil
    let frame = liveFrame(moment)
    let seat = roster.seats.seat(of: id)
    roster.rememberListener(id, at: moment.arrival)
    if isKicked { roster.known.drop(player.person.token) } else { roster.rememberAtDoor(id, player.channel.mine) }
    if !isKicked { keepGuest(id, at: moment.arrival) }
    if channels[id].isSoloed {
      channels[id].isSoloed = false
      // Before the leave: in a replay of the log, the player must still be there.
      commit(.command(.set(.channelSolo(player.name), .bool(false))), by: id, at: frame, engine: solo)
    }
    leaveBuildUp(of: id, at: frame)
    // In a log, the outcome stands beside it.
    if playsOn == nil { leaveControls(of: id, at: frame) }
    darkenKeys(of: id)
    hands[id].restKeys()
    queue.dropReleases(of: id)
    withdrawWaiting(of: id)
    // A note that was sent ahead ends as it begins: nobody would be there to let go of its key.
    withdraw() { $0.player == id && $0.pad.isKey }
    withdrawScheduled() { $0.player == id }
    if session.recording?.player == id { outbox.append(.stopRecording) }
    if !isKicked { leavePass(of: id, at: frame) }
    if playsOn == nil { returnBorrowed(of: id, at: moment) }
    let loop = loopers[id].loop
    let goesRound = loop.goesRound || loopers[id].lanes.contains { $0.isPlaying && $0.isLooped }
    let stays = playsOn ?? (!isKicked && goesRound)
    leaveClock(of: id, at: frame)
    leaveCountIn(of: id, at: frame)
    let action = stays ? LogAction.command(.leaveLoop) : .leave
    commit(action, as: player.name, at: frame, engine: .releaseAll(bus: id))
    roster.departed.note(player.name, id, sequence: session.tally.sequence, at: frame)
    leaveCue(of: id, at: frame)
    loopers[id].focus = nil
    _ = giveUpPass(of: id)
    if stays {
      // Loops play on, and a player who returns by the name can undo its earlier edits.
      roster[id].hasLeft = true
      // Nobody waits in the place, and whoever has it next meets the door anew.
      roster.door.letIn(id)
      // The loop's next player may be somebody else. The token finds the mix again.
      channels[id].mine.forgetAll()
      desks[id].vote = nil
      desks[id].taps = TapAverage()
    } else {
      giveUpPlace(of: id, at: frame)
    }
    session.history.forget(player.name)
    forgetIfUnused(player.hands.kit)
    if let samples = player.hands.keys.samples { forgetIfUnused(samples) }
    leaveVote(player.desk.vote, at: frame)
    outbox.append(.tell(.playerGone(player.name), .everybody))
    tellSeat(seat)
    outbox.append(.left(id, player.name, kickedBy: host))
  }

  /// Nothing is left of the place's player.
  mutating func giveUpPlace(of id: PlayerID, at frame: Frames) {
    vacate(id)
    schedule.moving.end(of: id)
    planLoop(of: id)
    followDuckers(at: frame)
    outbox.append(.peopleChanged)
  }

  /// A gone player's remaining music ends.
  mutating func endPart(of gone: PlayerID, by asker: PlayerID, at frame: Frames) {
    let name = roster[gone].name
    commit(.command(.kick(name)), by: asker, at: frame, engine: .silence(bus: gone))
    giveUpPlace(of: gone, at: frame)
    outbox.append(.tell(.playerLoop(LoopReport(gone: name)), .everybody))
  }

  /// Whether `word` makes a host. A word of which nothing is left makes nobody one.
  public func isHostWord(_ word: String) -> Bool {
    let word = Secrets.spoken(word)
    return !word.isEmpty && Secrets.equal(word, Secrets.spoken(setup.hostWord))
  }

  func checkBecomeHost(_ word: String) throws(Refusal) {
    guard isHostWord(word) else { throw .wrongHostWord }
  }

  mutating func becomeHost(by id: PlayerID, at moment: Moment) {
    // To the asker too: it is not the echo of a control, but the answer.
    outbox.append(.tell(.value(.host, .bool(true)), .asker))
    roster.bans.forgetListeners(roster[id].name, from: roster[id].whereabouts)
    if !roster.isHost(id) { outbox.append(.madeHost(roster[id].name, by: nil)) }
    give(.host, to: id)
    letIn(id, at: moment)
  }

  func checkKick(_ name: PlayerName, by id: PlayerID) throws(Refusal) {
    guard roster.gone(name) == nil else {
      // Only a loop is left: anybody ends it, for its player cannot.
      try roster.requirePlaying(id)
      return try roster.requireUnlocked(.loops, id)
    }
    try roster.requireHost(id, for: .kick)
    _ = try roster.find(name)
  }

  mutating func kick(_ name: PlayerName, for seconds: Int?, by id: PlayerID, at moment: Moment) {
    if let gone = roster.gone(name) { return endPart(of: gone, by: id, at: liveFrame(moment)) }
    guard let kicked = roster.player(named: name) else { return }
    let duration = seconds ?? limits.kickSeconds
    outbox.append(.tell(.kicked(by: roster[id].name, seconds: duration), .player(kicked)))
    roster.shutOut(kicked, for: duration, at: moment.arrival)
    leave(kicked, kickedBy: roster[id].name, at: moment)
  }
}

internal import JamCore
internal import JamEngine

/// A host takes back all of a player in one step: what it recorded, set and saved here. It is one
/// edit of the room's, which the room's undo brings back.
///
/// The edit lies in memory alone: a restart forgets what was taken back.
extension RoomState {
  func checkTakeBackAll(of name: PlayerName, by id: PlayerID) throws(Refusal) {
    try roster.requireHost(id, for: .takeBack)
    // Of one who has a place, at least what sounds or is being recorded ends.
    guard roster.holder(of: name) == nil, all(of: name).isEmpty else { return }
    guard roster.departed.last(name) == nil else { throw .nothingToTakeBack(name) }
    throw roster.noSuchPlayer(name)
  }

  mutating func takeBackAll(of name: PlayerName, by id: PlayerID, at moment: Moment) {
    if let player = roster.holder(of: name) { endPlaying(of: player, at: moment) }
    let all = all(of: name)
    carryOut(all, isTaken: true, by: id, at: moment)
    if !all.isEmpty { session.history.remember(all) }
    let played = played(all.items, besides: name)
    if !played.isEmpty { outbox.append(.tell(.notice(.stillPlayed(played, of: name)), .asker)) }
    outbox.append(.tell(.roomUndone(.everything(of: name), by: roster[id].name), .everybody))
  }

  /// Ends everything that the player plays, records and waits for.
  private mutating func endPlaying(of player: PlayerID, at moment: Moment) {
    panic(by: player, at: moment)
    withdrawScheduled { $0.player == player }
    desks[player].waitingCommands = []
    _ = giveUpPass(of: player)
    settleLateHits(of: player, all: true)
    giveUpLanes(of: player)
  }

  /// All of a player that is still there.
  private func all(of name: PlayerName) -> TakenBack {
    let player = roster.holder(of: name)
    let numbers = player.map { desks[$0].history.roomEdits } ?? []
    let items = library.items(savedBy: name)
    return TakenBack(
      player: name, own: player.flatMap { ownMusic(of: $0) },
      values: session.history.values(setBy: name, and: numbers).filter { isAsSet($0) },
      blocks: library.blocks.all.filter { $0.owner == name },
      progressions: library.progressions.saved.filter { $0.player == name }, items: items,
      unkept: library.unkept(items))
  }

  /// Whether nothing else has changed the value since, and nothing leads it now.
  private func isAsSet(_ edit: RoomEdit) -> Bool {
    guard edit.before != edit.after else { return false }
    if edit.setting == .tempo, clock.buildUps.current != nil || clock.outside.source != nil {
      return false
    }
    // Of a setting of the room, the asker does not matter: the first of the room reads it.
    guard let reader = roster.occupied.first else { return false }
    return currentValue(of: edit.setting, for: reader) == edit.after
  }

  /// - Returns: nil where the player has changed nothing of its own.
  private func ownMusic(of player: PlayerID) -> OwnMusic? {
    guard let begin = desks[player].history.begin else { return nil }
    let (values, patch) = desks[player].history.firstValues
    let had = ownState(of: player, values.map(\.setting))
    let first = OwnState(checkpoint: begin, patch: patch ?? had.patch, values: values)
    return had == first ? nil : OwnMusic(token: roster[player].token, had: had, begin: first)
  }

  private func ownState(of player: PlayerID, _ settings: [Setting]) -> OwnState {
    let values = settings.compactMap { setting in
      currentValue(of: setting, for: player).map { OwnState.Value(setting: setting, value: $0) }
    }
    return OwnState(
      checkpoint: checkpoint(of: player), patch: hands[player].keys.asked, values: values)
  }

  // MARK: The room's undo

  func checkUndoForRoom(by id: PlayerID) throws(Refusal) {
    guard session.history.done.last?.isTakeBack == true else { return try checkRoomUndo(by: id) }
    try roster.requireHost(id, for: .undoInRoom)
  }

  mutating func undoForRoom(by id: PlayerID, at moment: Moment) {
    guard let edit = session.history.done.last, let all = session.history.taken(edit) else {
      return roomUndo(by: id, at: moment)
    }
    let isWhole = all.own.map { owner(of: $0, named: all.player) != nil } ?? true
    carryOut(all, isTaken: false, by: id, at: moment)
    _ = session.history.takeBack()
    let what: Undone = isWhole ? .takingBack(of: all.player) : .takingBackButMusic(of: all.player)
    outbox.append(.tell(.roomUndone(what, by: roster[id].name), .everybody))
  }

  func checkRedoForRoom(by id: PlayerID) throws(Refusal) {
    guard session.history.undone.last?.isTakeBack == true else { return try checkRoomRedo(by: id) }
    try roster.requireHost(id, for: .redoInRoom)
  }

  mutating func redoForRoom(by id: PlayerID, at moment: Moment) {
    guard let edit = session.history.undone.last, let all = session.history.taken(edit) else {
      return roomRedo(by: id, at: moment)
    }
    carryOut(all, isTaken: true, by: id, at: moment)
    _ = session.history.doAgain()
    outbox.append(.tell(.roomRedone(.takingBack(of: all.player), by: roster[id].name), .everybody))
  }

  // MARK: Back and forth

  /// - Parameter isTaken: takes it back; else brings it back.
  private mutating func carryOut(
    _ all: TakenBack, isTaken: Bool, by id: PlayerID, at moment: Moment
  ) {
    if let own = all.own { carryOut(own, of: all.player, isTaken: isTaken, at: moment) }
    for edit in all.values {
      restore(edit.setting, isTaken ? edit.before : edit.after, by: id, at: moment)
    }
    setTaken(all.items, all.unkept, isTaken)
    for block in all.blocks {
      if isTaken {
        takeAway(block, by: id)
      } else {
        bringBack(block, by: id)
      }
    }
    for progression in all.progressions {
      if isTaken {
        deleteProgression(progression.name)
      } else if library.progressions.named(progression.name) == nil {
        library.progressions.put(progression)
        outbox.append(.tell(.savedProgression(progression), .everybody))
      }
    }
  }

  /// The player's own undo cannot reach music that a host took back. The player can take back music
  /// that a host brings back.
  private mutating func carryOut(
    _ own: OwnMusic, of name: PlayerName, isTaken: Bool, at moment: Moment
  ) {
    guard let player = owner(of: own, named: name) else { return }
    let target = isTaken ? own.begin : own.had
    let edit = ownState(of: player, target.values.map(\.setting)).edit(to: target)
    if let edit { carryOutForHost(edit, of: player, at: moment) }
    if isTaken {
      desks[player].history.forgetAll()
    } else if let edit {
      remember(edit, of: player, at: effectFrame(moment))
    }
  }

  /// The place of the player whose music it is; nil where the player has no place any more, also
  /// where somebody of that name came since.
  private func owner(of own: OwnMusic, named name: PlayerName) -> PlayerID? {
    guard let player = roster.holder(of: name), Secrets.equal(roster[player].token, own.token) else {
      return nil
    }
    return player
  }

  /// Lanes that it lies on go on with it.
  private mutating func takeAway(_ block: Block, by id: PlayerID) {
    guard let owner = block.owner,
      library.blocks.all.contains(where: { $0.name == block.name && $0.owner == owner })
    else { return }
    deleteBlock(block.name, of: owner, by: id)
  }

  private mutating func bringBack(_ block: Block, by id: PlayerID) {
    guard !library.blocks.all.contains(where: { $0.name == block.name && $0.owner == block.owner }),
      library.blocks.all.count < limits.blocksPerRoom
    else { return }
    library.blocks.all.append(block)
    outbox.append(.keepBlock(block, for: id))
    announce(block, by: block.owner.flatMap { roster.player(named: $0) } ?? id)
  }
}

internal import JamCore

/// Hosts take back changes of the whole room, down to the first edit. Players take back their own
/// last change, to their pads and loops or to the room, if nobody changed that value since.
///
/// An edit is a value that was set. The transport, nudges, build-ups, hits and roles happen in
/// time: they are no edits. An undo's changes are logged as if the host had set them.
extension RoomState {
  func checkChange(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    let setting = try roster.requireSeated(setting)
    if setting.isRoomEdit { _ = try self.value(of: setting, for: id) }
    try checkSet(setting, to: value, by: id)
  }

  /// Sets a value as a player asks for it: a room's value can be taken back.
  mutating func change(_ setting: Setting, to value: SettingValue, by id: PlayerID, at moment: Moment) {
    guard let setting = roster.seated(setting) else { return }
    let before = setting.isRoomEdit ? currentValue(of: setting, for: id) : nil
    set(setting, to: value, by: id, at: moment)
    guard let before, let after = currentValue(of: setting, for: id) else { return }
    remember(setting, before, after, at: effectFrame(moment), by: id)
  }

  // MARK: A player's own

  /// Takes back the player's last edit, one of the room's. If somebody else, a clock or a build-up
  /// changed the value since, the player is told so, and the edit is given up.
  mutating func takeBack(
    _ known: RoomEdit, by id: PlayerID, at moment: Moment
  ) {
    guard let edit = takeBackIfOwn(known, by: id, at: moment) else {
      return desks[id].history.giveUpDone()
    }
    desks[id].history.takeBackRoomEdit(as: edit)
    outbox.append(.tell(.undone(.setting(edit.setting)), .player(id)))
  }

  /// - Returns: the room's edit; nil if the value is no longer the player's, who is told so.
  mutating func takeBackIfOwn(
    _ known: RoomEdit, by id: PlayerID, at moment: Moment
  ) -> RoomEdit? {
    guard let edit = session.history.latest(known.number), isOwn(edit.setting, edit.after, of: id),
      restoreOwn(edit.setting, edit.before, by: id, at: moment)
    else {
      outbox.append(.tell(.notice(.notTakenBack(known.setting)), .player(id)))
      return nil
    }
    session.history.takeBack(edit)
    return edit
  }

  /// The same for the edit that was undone last.
  mutating func doAgain(
    _ edit: RoomEdit, by id: PlayerID, at moment: Moment
  ) {
    guard doAgainIfOwn(edit, by: id, at: moment) else { return desks[id].history.giveUpUndone() }
    desks[id].history.doRoomEditAgain(edit)
    outbox.append(.tell(.redone(.setting(edit.setting)), .player(id)))
  }

  /// - Returns: whether it could be done; its player is told where not.
  mutating func doAgainIfOwn(
    _ edit: RoomEdit, by id: PlayerID, at moment: Moment
  ) -> Bool {
    guard isOwn(edit.setting, edit.before, of: id), restoreOwn(edit.setting, edit.after, by: id, at: moment)
    else {
      outbox.append(.tell(.notice(.notDoneAgain(edit.setting)), .player(id)))
      return false
    }
    session.history.doAgain(edit, limit: limits.editsPerRoom)
    return true
  }

  /// Whether the value is as the player's edit left it, and no build-up or vote is at work on it.
  private func isOwn(_ setting: Setting, _ value: SettingValue, of id: PlayerID) -> Bool {
    if setting == .tempo, clock.buildUps.current != nil || clock.election.mode == .vote && !roster.actsAsHost(id) {
      return false
    }
    return currentValue(of: setting, for: id) == value
  }

  private mutating func restoreOwn(
    _ setting: Setting, _ value: SettingValue, by id: PlayerID, at moment: Moment
  ) -> Bool {
    do throws(Refusal) {
      try checkRestore(setting, value, by: id)
    } catch {
      return false
    }
    restore(setting, value, by: id, at: moment)
    // A player who sets a value knows it without being told; a player who takes it back does not.
    tell(setting, of: id)
    return true
  }

  // MARK: A host's

  func checkRoomUndo(by id: PlayerID) throws(Refusal) {
    try roster.requireHost(id, for: .undoInRoom)
    guard let edit = session.history.done.last else { throw .nothingToUndoInRoom }
    try checkRestore(edit.setting, edit.before, by: id)
  }

  mutating func roomUndo(by id: PlayerID, at moment: Moment) {
    guard let edit = session.history.done.last else { return }
    restore(edit.setting, edit.before, by: id, at: moment)
    _ = session.history.takeBack()
    outbox.append(.tell(.roomUndone(.setting(edit.setting), by: roster[id].name), .everybody))
  }

  func checkRoomRedo(by id: PlayerID) throws(Refusal) {
    try roster.requireHost(id, for: .redoInRoom)
    guard let edit = session.history.undone.last else { throw .nothingToRedoInRoom }
    try checkRestore(edit.setting, edit.after, by: id)
  }

  mutating func roomRedo(by id: PlayerID, at moment: Moment) {
    guard let edit = session.history.undone.last else { return }
    restore(edit.setting, edit.after, by: id, at: moment)
    _ = session.history.doAgain()
    outbox.append(.tell(.roomRedone(.setting(edit.setting), by: roster[id].name), .everybody))
  }

  private func checkRestore(_ setting: Setting, _ value: SettingValue, by id: PlayerID) throws(Refusal) {
    guard setting == .tempo else { return try checkSet(setting, to: value, by: id) }
    try checkTakeFromClock(by: id)
  }

  mutating func restore(
    _ setting: Setting, _ value: SettingValue, by id: PlayerID, at moment: Moment
  ) {
    guard setting == .tempo, case .float(let bpm) = value else {
      return set(setting, to: value, by: id, at: moment)
    }
    takeFromClock()
    changeTempo(Tempo(clamping: Double(bpm)), by: id, at: effectFrame(moment))
    overruleVotes()
  }

  func checkToggle(_ setting: Setting, by id: PlayerID) throws(Refusal) {
    guard case .bool(let isOn) = try value(of: setting, for: id) else { throw .notASwitch }
    try checkChange(setting, to: .bool(!isOn), by: id)
  }

  mutating func toggle(_ setting: Setting, by id: PlayerID, at moment: Moment) {
    guard case .bool(let isOn)? = readValue(of: setting, for: id) else { return }
    change(setting, to: .bool(!isOn), by: id, at: moment)
  }
}

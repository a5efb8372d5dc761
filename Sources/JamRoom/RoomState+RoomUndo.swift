internal import JamCore

/// Hosts take back what was done to the whole room, down to the first edit. Players' own pads and loops are theirs: `/undo`.
///
/// An edit is a value that was set. The transport, nudges, build-ups, hits, and who has which role happen in time, and are none. What comes
/// of an undo is logged as if the host had set it.
extension RoomState {
  /// Sets a value as a player asks for it: what is the room's can be taken back.
  mutating func change(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard setting.isRoomEdit else { return try set(setting, to: value, by: id, at: moment, &effects) }
    let before = try self.value(of: setting, for: id)
    try set(setting, to: value, by: id, at: moment, &effects)
    remember(setting, before, try self.value(of: setting, for: id), at: effectFrame(moment), by: id)
  }

  mutating func remember(
    _ setting: Setting, _ before: SettingValue, _ after: SettingValue, at frame: Frames, by id: PlayerID?,
    run: UInt64? = nil
  ) {
    let edit = RoomEdit(setting: setting, before: before, after: after)
    roomHistory.remember(edit, at: frame, by: id, run: run, limit: limits.editsPerRoom)
  }

  mutating func roomUndo(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    try requireHost(id, "take back what is the room's; your own pads and loops are /undo")
    guard let edit = roomHistory.done.last else {
      throw Refusal(
        "there is nothing to undo: nobody has changed what is the room's yet, or all is taken back; /room/redo does it again"
      )
    }
    try restore(edit.setting, edit.before, by: id, at: moment, &effects)
    _ = roomHistory.takeBack()
  }

  mutating func roomRedo(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    try requireHost(id, "do again what is the room's; your own pads and loops are /redo")
    guard let edit = roomHistory.undone.last else {
      throw Refusal("there is nothing to do again: /room/undo takes something back first")
    }
    try restore(edit.setting, edit.after, by: id, at: moment, &effects)
    _ = roomHistory.doAgain()
  }

  private mutating func restore(
    _ setting: Setting, _ value: SettingValue, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard setting == .tempo, case .float(let bpm) = value else {
      return try set(setting, to: value, by: id, at: moment, &effects)
    }
    try takeFromClock(by: id, &effects)
    changeTempo(Tempo(clamping: Double(bpm)), by: id, at: effectFrame(moment), &effects)
    overruleVotes(&effects)
  }
}

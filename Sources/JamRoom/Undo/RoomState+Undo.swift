internal import JamCore
internal import JamEngine

/// Each player takes back its own edits, down to the first, without disturbing what others did since.
extension RoomState {
  mutating func remember(_ edit: Edit, of id: PlayerID, at frame: Frames) {
    let (limit, heaviest) = (limits.editsPerPlayer, limits.editWeightPerPlayer)
    guard roster[id].history.remember(edit, at: frame, limit: limit, heaviest: heaviest) else { return }
    // Seldom: a copy of the player makes a copy of its long history, too.
    let player = roster[id]
    roster[id].history.keep(Checkpoint(player))
  }

  mutating func undo(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    // What has not sounded yet goes first; what sounds a loop later goes with its pass.
    let pass = roster[id].loop.pass?.start
    if hasWaitingHits(of: id) {
      withdrawWaiting(of: id, &effects)
      effects.append(.tell(.undone(.waitingHits), .player(id)))
      return commit(.command(.undo), by: roster[id].name, at: effectFrame(moment), &effects)
    }
    if !isEmptyOverdub(of: id), takeBackPass(of: id, at: effectFrame(moment), &effects) {
      if let pass { withdrawWaiting(of: id, from: pass, &effects) }
      effects.append(.tell(.undone(pass == nil ? .waitingLoop : .pass), .player(id)))
      return commit(.command(.undo), by: roster[id].name, at: effectFrame(moment), &effects)
    }
    try takeBackEdit(by: id, at: moment, &effects)
  }

  private func hasWaitingHits(of id: PlayerID) -> Bool {
    let isPassing = roster[id].loop.pass != nil
    return queue.waiting.contains { $0.player == id && (!isPassing || $0.place.delay == .zero) }
  }

  /// Whether `/undo` means hits: those that wait, or a pass.
  func takesBackHits(of id: PlayerID) -> Bool {
    let loop = roster[id].loop
    return hasWaitingHits(of: id) || (loop.pass != nil || loop.waiting != nil) && !isEmptyOverdub(of: id)
  }

  mutating func takeBackEdit(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    if case .room(let edit)? = roster[id].history.done.last {
      return try takeBack(edit, by: id, at: moment, &effects)
    }
    if let lock = roster[id].history.done.last?.lock { try roster.requireUnlocked(lock, id) }
    let playing = playing(of: id)
    guard let edit = roster[id].history.takeBack(playing) else {
      throw .nothingToUndo
    }
    if edit.isOfLayers, isEmptyOverdub(of: id, taking: edit) { roster[id].loop.endEmptyPass() }
    switch edit {
    case .pad(let pad, let before, _, _): restore(pad, before, of: id, at: moment, &effects)
    case .kit(let before, _): restore(before, of: id, at: moment, &effects)
    case .layer(let number, let before, _): restore(number, before, of: id, .undo, at: effectFrame(moment), &effects)
    case .hits(let changes, let isStopped):
      apply(
        changes.reversed(), isUndone: true, isStopped: isStopped, of: id, .undo, at: effectFrame(moment), &effects)
    case .stepCount(let pad, let before, _):
      restoreStepCount(before, of: pad, by: id, .undo, at: effectFrame(moment), &effects)
    case .lanes(let changes):
      for change in changes {
        restore(change.before, on: change.number, of: id, .undo, at: effectFrame(moment), &effects)
      }
    case .loop(let before, _): restore(before, of: id, .undo, at: effectFrame(moment), &effects)
    case .all(let before, _): restore(before, of: id, .undo, at: moment, &effects)
    case .room: break
    }
    effects.append(.tell(.undone(edit.undone), .player(id)))
  }

  mutating func redo(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    if case .room(let edit)? = roster[id].history.undone.last {
      return try doAgain(edit, by: id, at: moment, &effects)
    }
    if let lock = roster[id].history.undone.last?.lock { try roster.requireUnlocked(lock, id) }
    let playing = playing(of: id)
    guard let edit = roster[id].history.doAgain(playing) else {
      throw .nothingToRedo
    }
    switch edit {
    case .pad(let pad, _, let after, _): restore(pad, after, of: id, at: moment, &effects)
    case .kit(_, let after): restore(after, of: id, at: moment, &effects)
    case .layer(let number, _, let after): restore(number, after, of: id, .redo, at: effectFrame(moment), &effects)
    case .hits(let changes, let isStopped):
      apply(changes, isUndone: false, isStopped: isStopped, of: id, .redo, at: effectFrame(moment), &effects)
    case .stepCount(let pad, _, let after):
      restoreStepCount(after, of: pad, by: id, .redo, at: effectFrame(moment), &effects)
    case .lanes(let changes):
      for change in changes {
        restore(change.after, on: change.number, of: id, .redo, at: effectFrame(moment), &effects)
      }
    case .loop(_, let after): restore(after, of: id, .redo, at: effectFrame(moment), &effects)
    case .all(_, let after): restore(after, of: id, .redo, at: moment, &effects)
    case .room: break
    }
    effects.append(.tell(.redone(edit.undone), .player(id)))
  }

  func playing(of id: PlayerID) -> Playing {
    let (loop, lanes) = (roster[id].loop, roster[id].lanes)
    return Playing(loop, lanes)
  }

  /// What differs from what was asked for last is set, and logged, as if the player had set it; a sound that is not in memory comes when it
  /// has been read, and one that is being read and not wanted any more does not.
  mutating func restore(
    _ pad: Pad, _ edit: PadEdit, of id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) {
    guard roster[id].wantedKit == nil else {
      roster[id].wantedPads[pad.index] = edit
      roster[id].isRestoring = true
      return
    }
    let frame = effectFrame(moment)
    let old = roster[id].pads[pad.index]
    if PadEdit(old).sample != edit.sample {
      if old.wantedSample != nil, old.sample == edit.sample {
        roster[id].pads[pad.index].wantedSample = nil
      } else {
        // The lock was asked, and the sound was there once: what is refused now stays as it is.
        try? choose(edit.sample, on: pad, by: id, at: moment, isEdit: false, &effects)
      }
    }
    for (setting, value) in edit.settings.differences(from: old.settings, on: pad) {
      _ = setPad(setting, to: value, by: id, at: frame, &effects)
      tell(setting, of: id, &effects)
    }
    restoreStretch(pad, edit.settings.stretching, of: id, at: frame, &effects)
  }

  mutating func restoreStretch(
    _ pad: Pad, _ stretch: PadStretch, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    let asked = PadEdit(roster[id].pads[pad.index]).settings.stretching
    if asked.quality != stretch.quality {
      let quality = SettingValue.text(stretch.quality.rawValue)
      _ = setStretch(.pad(.stretchQuality, pad), to: quality, by: id, at: frame, isEdit: false, &effects)
    }
    if asked.factor != stretch.factor {
      let factor = SettingValue.float(stretch.factor)
      _ = setStretch(.pad(.stretch, pad), to: factor, by: id, at: frame, isEdit: false, &effects)
    }
  }

  mutating func restore(
    _ edit: KitEdit, of id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) {
    guard roster[id].wantedKit != nil, edit.kit == roster[id].kitID else {
      // As above.
      try? choose(.id(edit.kit), restoring: edit, by: id, at: moment, &effects)
      return
    }
    // Another was to come, and is not wanted any more.
    roster[id].wantedKit = nil
    for (pad, edit) in zip(Pad.all, edit.pads) { restore(pad, edit, of: id, at: moment, &effects) }
  }

  private mutating func restore(
    _ state: Checkpoint, of id: PlayerID, _ command: Command, at moment: Moment, _ effects: inout [Effect]
  ) {
    let frame = effectFrame(moment)
    restore(state.kit, of: id, at: moment, &effects)
    roster[id].loop.grid.count = state.stepCount
    roster[id].loop.grid.counts = state.stepCounts
    restore(state.loop, of: id, command, at: frame, &effects)
    for setting in [.steps] + Pad.all.map({ Setting.padSteps($0) }) { tell(setting, of: id, &effects) }
    for (lane, edit) in state.lanes.enumerated() {
      let names = roster[id].lanes[lane].slots.map { $0?.block.name }
      guard names != edit.slots.map({ $0?.block.name }) else { continue }
      restore(edit, on: lane + 1, of: id, command, at: frame, &effects)
    }
  }

  private mutating func restore(
    _ number: Int, _ layer: Layer?, of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    roster[id].loop.restore(layer, as: number, at: clock.view.beat(at: frame))
    loopRestored(of: id, command, at: frame, &effects)
  }

  private mutating func restore(
    _ edit: LoopEdit, of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    roster[id].loop.restore(edit, at: clock.view.beat(at: frame))
    loopRestored(of: id, command, at: frame, &effects)
  }

  private mutating func loopRestored(
    of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    commit(.command(command), by: roster[id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }
}

extension PadSettings {
  /// The settings that differ and can be set at once, with the values that they have here.
  fileprivate func differences(from old: PadSettings, on pad: Pad) -> [(Setting, SettingValue)] {
    PadSetting.allCases.compactMap { setting in
      guard setting.row.reach != .sound, self[setting] != old[setting] else { return nil }
      return (.pad(setting, pad), self[setting])
    }
  }
}

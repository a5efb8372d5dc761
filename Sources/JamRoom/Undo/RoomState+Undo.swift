internal import JamCore
internal import JamEngine

/// Each player takes back its own edits, down to the first, without disturbing what others did since.
extension RoomState {
  mutating func remember(_ edit: Edit, of id: PlayerID, at frame: Frames) {
    let (limit, heaviest) = (limits.editsPerPlayer, limits.editWeightPerPlayer)
    guard self[known: id].history.remember(edit, at: frame, limit: limit, heaviest: heaviest) else { return }
    // Seldom: a copy of the player makes a copy of its long history, too.
    let player = self[known: id]
    self[known: id].history.keep(Checkpoint(player))
  }

  mutating func undo(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    // What has not sounded yet goes first; what sounds a loop later goes with its pass.
    let pass = self[known: id].loop.pass?.start
    if hasWaitingHits(of: id) {
      withdrawWaiting(of: id, &effects)
      effects.append(.tell(.undone(.waitingHits), .player(id)))
      return commit(.command(.undo), by: self[known: id].name, at: effectFrame(moment), &effects)
    }
    if !isEmptyOverdub(of: id), takeBackPass(of: id, at: effectFrame(moment), &effects) {
      if let pass { withdrawWaiting(of: id, from: pass, &effects) }
      effects.append(.tell(.undone(pass == nil ? .waitingLoop : .pass), .player(id)))
      return commit(.command(.undo), by: self[known: id].name, at: effectFrame(moment), &effects)
    }
    try takeBackEdit(by: id, at: moment, &effects)
  }

  private func hasWaitingHits(of id: PlayerID) -> Bool {
    let isPassing = self[known: id].loop.pass != nil
    return waitingHits.contains { $0.player == id && (!isPassing || $0.place.delay == .zero) }
  }

  /// Whether `/undo` means hits: those that wait, or a pass.
  func takesBackHits(of id: PlayerID) -> Bool {
    let loop = self[known: id].loop
    return hasWaitingHits(of: id) || (loop.pass != nil || loop.waiting != nil) && !isEmptyOverdub(of: id)
  }

  mutating func takeBackEdit(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    if case .room(let edit)? = self[known: id].history.done.last {
      return try takeBack(edit, by: id, at: moment, &effects)
    }
    if let lock = self[known: id].history.done.last?.lock { try requireUnlocked(lock, id) }
    let playing = playing(of: id)
    guard let edit = self[known: id].history.takeBack(playing) else {
      throw Refusal("there is nothing to undo: you have changed nothing yet, or taken it all back; /redo does it again")
    }
    if edit.isOfLayers, isEmptyOverdub(of: id, taking: edit) { self[known: id].loop.endEmptyPass() }
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
    if case .room(let edit)? = self[known: id].history.undone.last {
      return try doAgain(edit, by: id, at: moment, &effects)
    }
    if let lock = self[known: id].history.undone.last?.lock { try requireUnlocked(lock, id) }
    let playing = playing(of: id)
    guard let edit = self[known: id].history.doAgain(playing) else {
      throw Refusal("there is nothing to do again: /undo takes something back first")
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
    let (loop, lanes) = (self[known: id].loop, self[known: id].lanes)
    return Playing(loop, lanes)
  }

  /// What differs from what was asked for last is set, and logged, as if the player had set it; a sound that is not in memory comes when it
  /// has been read, and one that is being read and not wanted any more does not.
  mutating func restore(
    _ pad: Pad, _ edit: PadEdit, of id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) {
    guard self[known: id].wantedKit == nil else {
      self[known: id].wantedPads[pad.index] = edit
      self[known: id].isRestoring = true
      return
    }
    let frame = effectFrame(moment)
    let old = self[known: id].pads[pad.index]
    if PadEdit(old).sample != edit.sample {
      if old.wantedSample != nil, old.sample == edit.sample {
        self[known: id].pads[pad.index].wantedSample = nil
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
    let asked = PadEdit(self[known: id].pads[pad.index]).settings.stretching
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
    guard self[known: id].wantedKit != nil, edit.kit == self[known: id].kitID else {
      // As above.
      try? choose(.id(edit.kit), restoring: edit, by: id, at: moment, &effects)
      return
    }
    // Another was to come, and is not wanted any more.
    self[known: id].wantedKit = nil
    for (pad, edit) in zip(Pad.all, edit.pads) { restore(pad, edit, of: id, at: moment, &effects) }
  }

  private mutating func restore(
    _ state: Checkpoint, of id: PlayerID, _ command: Command, at moment: Moment, _ effects: inout [Effect]
  ) {
    let frame = effectFrame(moment)
    restore(state.kit, of: id, at: moment, &effects)
    self[known: id].loop.grid.count = state.stepCount
    self[known: id].loop.grid.counts = state.stepCounts
    restore(state.loop, of: id, command, at: frame, &effects)
    for setting in [.steps] + Pad.all.map({ Setting.padSteps($0) }) { tell(setting, of: id, &effects) }
    for (lane, edit) in state.lanes.enumerated() {
      let names = self[known: id].lanes[lane].slots.map { $0?.block.name }
      guard names != edit.slots.map({ $0?.block.name }) else { continue }
      restore(edit, on: lane + 1, of: id, command, at: frame, &effects)
    }
  }

  private mutating func restore(
    _ number: Int, _ layer: Layer?, of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    self[known: id].loop[number] = layer
    let now = map.view.beat(at: frame)
    self[known: id].loop[number]?.begin = now
    commit(.command(command), by: self[known: id].name, at: frame, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  private mutating func restore(
    _ edit: LoopEdit, of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect]
  ) {
    let (wasEmpty, isPassing) = (self[known: id].loop.isEmpty, self[known: id].loop.pass != nil)
    self[known: id].loop.layers = edit.layers
    let now = map.view.beat(at: frame)
    for number in edit.layers.indices { self[known: id].loop.layers[number]?.begin = now }
    // A pass under way needs one.
    if !isPassing || edit.length > .zero {
      self[known: id].loop.length = edit.length
      self[known: id].loop.recordedBars = edit.bars
    }
    if wasEmpty {
      if !isPassing { self[known: id].loop.isPlaying = edit.isPlaying }
      // Where it went round before the transport started anew is over.
      self[known: id].loop.origin = edit.origin <= now ? edit.origin : .zero
    }
    // What is there already goes on as it does.
    if self[known: id].loop.isEmpty, !isPassing { self[known: id].loop.isPlaying = false }
    commit(.command(command), by: self[known: id].name, at: frame, &effects)
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

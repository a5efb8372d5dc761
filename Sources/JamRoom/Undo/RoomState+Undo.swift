internal import JamCore
internal import JamEngine

/// Each player takes back its own edits, down to the first, without disturbing what others did since.
extension RoomState {

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
    case .patch(let before, _, _): play(before, by: id, at: effectFrame(moment), &effects)
    case .setting(let setting, let before, _): restore(setting, before, of: id, at: moment, &effects)
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
    case .patch(_, let after, _): play(after, by: id, at: effectFrame(moment), &effects)
    case .setting(let setting, _, let after): restore(setting, after, of: id, at: moment, &effects)
    case .room: break
    }
    effects.append(.tell(.redone(edit.undone), .player(id)))
  }

  /// What was taken back is no edit of its own.
  private mutating func restore(
    _ setting: Setting, _ value: SettingValue, of id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) {
    guard case .effect(let what) = setting else { return }
    putEffect(what, value, of: id, at: effectFrame(moment), &effects)
    tell(setting, of: id, &effects)
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
    roster[id].loop.restoreStepCounts(of: state)
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

internal import JamCore
internal import JamEngine

/// Each player takes back its own edits, down to the first, without disturbing others' later ones.
extension RoomState {
  func checkUndo(by id: PlayerID) throws(Refusal) {
    if !takesBackHits(of: id) { try checkTakeBackEdit(by: id) }
  }

  mutating func undo(by id: PlayerID, at moment: Moment) {
    // Hits that did not sound yet go first; hits that sound a loop later go with their pass.
    let pass = loopers[id].loop.pass?.start
    if hasWaitingHits(of: id) {
      withdrawWaiting(of: id)
      outbox.append(.tell(.undone(.waitingHits), .player(id)))
      return commit(.command(.undo), by: id, at: effectFrame(moment))
    }
    // A lock that came since lets the part rest; the pass is given up all the same.
    let isUnlocked = roster.isUnlocked(.loops, id)
    let rests = isUnlocked && restsLastly(loopers[id].replaced, of: id)
    let replaced = rests ? loopers[id].replaced : nil
    let edits = desks[id].history.done.count
    if !isEmptyOverdub(of: id), takeBackPass(of: id, at: effectFrame(moment)) {
      if let pass { withdrawWaiting(of: id, from: pass) }
      loopers[id].replaced = nil
      if let replaced {
        bringBack(replaced, of: id, isLastEdit: desks[id].history.done.count == edits, at: moment)
      } else {
        outbox.append(.tell(.undone(pass == nil ? .waitingLoop : .pass), .player(id)))
      }
      return commit(.command(.undo), by: id, at: effectFrame(moment))
    }
    takeBackEdit(by: id, at: moment)
  }

  /// The pass that was to replace the part of the groove was given up: the part sounds again.
  /// - Parameter isLastEdit: whether the player's last edit still says that it rests. Where
  ///   something was hit, that was taken back with the layer.
  private mutating func bringBack(
    _ part: GroovePart, of id: PlayerID, isLastEdit: Bool, at moment: Moment
  ) {
    let playing = playing(of: id)
    if isLastEdit { _ = desks[id].history.takeBack(playing) }
    restore(.groove(part), .bool(true), of: id, at: moment)
    outbox.append(.tell(.undone(.setting(.groove(part))), .player(id)))
  }

  func checkTakeBackEdit(by id: PlayerID) throws(Refusal) {
    guard let edit = desks[id].history.done.last else { throw .nothingToUndo }
    try requireUnlocked(edit, by: id)
  }

  /// A lock that came since refuses the undo and the redo as it refuses such an edit. The edit
  /// stays, for when that is lifted. If anything else refuses a value, its edit is given up.
  private func requireUnlocked(_ edit: Edit, by id: PlayerID) throws(Refusal) {
    for lock in edit.locks { try roster.requireUnlocked(lock, id) }
    for part in edit.parts {
      guard let (setting, value) = part.value else { continue }
      do throws(Refusal) {
        try checkSet(setting, to: value, by: id)
      } catch {
        switch error {
        case .locked, .hostUnproven: throw error
        default: break
        }
      }
    }
  }

  mutating func takeBackEdit(by id: PlayerID, at moment: Moment) {
    if case .room(let edit)? = desks[id].history.done.last {
      return takeBack(edit, by: id, at: moment)
    }
    let playing = playing(of: id)
    guard let edit = desks[id].history.takeBack(playing) else { return }
    if edit.isOfLayers, isEmptyOverdub(of: id, taking: edit) { loopers[id].loop.endEmptyPass() }
    takeBack(edit.parts, by: id, at: moment)
    outbox.append(.tell(.undone(edit.undone), .player(id)))
  }

  /// The last of them first. Room values that somebody else changed since stay as they are.
  private mutating func takeBack(
    _ parts: [Edit], by id: PlayerID, at moment: Moment
  ) {
    guard parts.contains(where: \.isOfRoom) else {
      for part in parts.reversed() { takeBack(part, by: id, at: moment) }
      return
    }
    var taken = desks[id].history.undone.last?.parts ?? parts
    for (index, part) in parts.enumerated().reversed() {
      guard case .room(let known) = part else {
        takeBack(part, by: id, at: moment)
        continue
      }
      if let edit = takeBackIfOwn(known, by: id, at: moment) {
        taken[index] = .room(edit)
      } else {
        taken.remove(at: index)
      }
    }
    desks[id].history.keepUndone(taken)
  }

  private mutating func takeBack(_ part: Edit, by id: PlayerID, at moment: Moment) {
    let frame = effectFrame(moment)
    switch part {
    case .pad(let pad, let before, _, _): restorePad(pad, before, of: id, at: moment)
    case .kit(let before, let after):
      if before.kit == after.kit { setFollowing(false, of: id, at: frame) }
      restore(before, of: id, at: moment)
    case .layer(let number, let before, _): restore(number, before, of: id, .undo, at: frame)
    case .hits(let changes, let isStopped):
      apply(changes.reversed(), isUndone: true, isStopped: isStopped, of: id, .undo, at: frame)
    case .stepCount(let pad, let before, _): restoreStepCount(before, of: pad, by: id, .undo, at: frame)
    case .lanes(let changes):
      for change in changes { restore(change.before, on: change.number, of: id, .undo, at: frame) }
    case .loop(let before, _): restore(before, of: id, .undo, at: frame)
    case .all(let before, _): restore(before, of: id, .undo, at: moment)
    case .patch(let before, _, _): play(before, by: id, at: frame)
    case .setting(let setting, let before, _): restore(setting, before, of: id, at: moment)
    case .room, .together: break
    }
  }

  /// A host changes another player's music, whatever is locked. Of a player who left, pads and the
  /// instrument stay: nobody plays them.
  mutating func carryOutForHost(_ edit: Edit, of id: PlayerID, at moment: Moment) {
    for part in edit.parts {
      switch part {
      case .all(_, let after): restore(after, of: id, .undo, at: moment, isHosts: true)
      case .patch where !roster.isHere(id): break
      default: doAgain(part, by: id, at: moment)
      }
    }
  }

  func checkRedo(by id: PlayerID) throws(Refusal) {
    guard let edit = desks[id].history.undone.last else { throw .nothingToRedo }
    try requireUnlocked(edit, by: id)
  }

  mutating func redo(by id: PlayerID, at moment: Moment) {
    if case .room(let edit)? = desks[id].history.undone.last {
      return doAgain(edit, by: id, at: moment)
    }
    let playing = playing(of: id)
    guard let edit = desks[id].history.doAgain(playing) else { return }
    doAgain(edit.parts, by: id, at: moment)
    outbox.append(.tell(.redone(edit.undone), .player(id)))
  }

  private mutating func doAgain(
    _ parts: [Edit], by id: PlayerID, at moment: Moment
  ) {
    var refused: Set<Int> = []
    for (index, part) in parts.enumerated() {
      if case .room(let edit) = part {
        if !doAgainIfOwn(edit, by: id, at: moment) { refused.insert(index) }
      } else {
        doAgain(part, by: id, at: moment)
      }
    }
    guard !refused.isEmpty else { return }
    let done = desks[id].history.done.last?.parts ?? parts
    desks[id].history.keepDone(done.enumerated().filter { !refused.contains($0.offset) }.map(\.element))
  }

  private mutating func doAgain(_ part: Edit, by id: PlayerID, at moment: Moment) {
    let frame = effectFrame(moment)
    switch part {
    case .pad(let pad, _, let after, _): restorePad(pad, after, of: id, at: moment)
    case .kit(_, let after): restore(after, of: id, at: moment)
    case .layer(let number, _, let after): restore(number, after, of: id, .redo, at: frame)
    case .hits(let changes, let isStopped):
      apply(changes, isUndone: false, isStopped: isStopped, of: id, .redo, at: frame)
    case .stepCount(let pad, _, let after): restoreStepCount(after, of: pad, by: id, .redo, at: frame)
    case .lanes(let changes):
      for change in changes { restore(change.after, on: change.number, of: id, .redo, at: frame) }
    case .loop(_, let after): restore(after, of: id, .redo, at: frame)
    case .all(_, let after): restore(after, of: id, .redo, at: moment)
    case .patch(_, let after, _): play(after, by: id, at: frame)
    case .setting(let setting, _, let after): restore(setting, after, of: id, at: moment)
    case .room, .together: break
    }
  }

  /// A pad as it was. Its sound stays while kits are locked: the sound of an older edit could not be
  /// had, and may be here by now.
  private mutating func restorePad(_ pad: Pad, _ edit: PadEdit, of id: PlayerID, at moment: Moment) {
    var edit = edit
    if !roster.isUnlocked(.kits, id) { edit.sample = kitEdit(of: id).pads[pad.index].sample }
    restore(pad, edit, of: id, at: moment)
  }

  /// Restoring is no edit of its own.
  private mutating func restore(
    _ setting: Setting, _ value: SettingValue, of id: PlayerID, at moment: Moment
  ) {
    if case .channel? = RoomRow.of(setting) {
      write(setting, to: value, of: id, at: effectFrame(moment))
    } else {
      set(setting, to: value, by: id, at: moment, as: .undo)
    }
    tell(setting, of: id)
  }

  /// A kit as it was. An undo while kits are locked brings back its key alone.
  /// - Parameter isHosts: whether a host does it to the player, whatever is locked.
  mutating func restore(
    _ edit: KitEdit, of id: PlayerID, at moment: Moment, as setter: Setter = .undo,
    isHosts: Bool = false
  ) {
    guard setter != .undo || isHosts || roster.isUnlocked(.kits, id) else {
      for (pad, edit) in zip(Pad.all, edit.pads) { restorePad(pad, edit, of: id, at: moment) }
      return
    }
    bringSends(kit: edit.kit, of: id, at: effectFrame(moment), as: setter)
    guard desks[id].wantedKit != nil, edit.kit == hands[id].kitID else {
      return choose(.id(edit.kit), restoring: edit, by: id, at: moment, as: setter)
    }
    // Another was to come, and is not wanted any more.
    desks[id].wantedKit = nil
    for (pad, edit) in zip(Pad.all, edit.pads) { restore(pad, edit, of: id, at: moment) }
  }

  private mutating func restore(
    _ state: Checkpoint, of id: PlayerID, _ command: Command, at moment: Moment,
    isHosts: Bool = false
  ) {
    let frame = effectFrame(moment)
    // Settings that were locked meanwhile stay as they are.
    if roster.isHere(id), isHosts || roster.isUnlocked(.kits, id) {
      restore(state.kit, of: id, at: moment, isHosts: isHosts)
    }
    loopers[id].loop.restoreStepCounts(of: state)
    restore(state.loop, of: id, command, at: frame)
    for setting in [.steps] + Pad.all.map({ Setting.padSteps($0) }) { tell(setting, of: id) }
    for (lane, edit) in state.lanes.enumerated() {
      guard !edit.hasBlocks(of: loopers[id].lanes[lane].slots) else { continue }
      restore(edit, on: lane + 1, of: id, command, at: frame)
    }
  }

  private mutating func restore(
    _ number: Int, _ layer: Layer?, of id: PlayerID, _ command: Command, at frame: Frames
  ) {
    loopers[id].loop.restore(layer, as: number, at: clock.view.beat(at: frame))
    loopRestored(of: id, command, at: frame)
  }

  private mutating func restore(
    _ edit: LoopEdit, of id: PlayerID, _ command: Command, at frame: Frames
  ) {
    loopers[id].loop.restore(edit, at: clock.view.beat(at: frame))
    loopRestored(of: id, command, at: frame)
  }

  private mutating func loopRestored(
    of id: PlayerID, _ command: Command, at frame: Frames
  ) {
    commit(.command(command), by: id, at: frame)
    tellLoop(of: id)
    planLoop(of: id)
  }
}

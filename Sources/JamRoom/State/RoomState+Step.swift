public import JamCore
internal import JamEngine

extension RoomState {
  /// Carries out one command of a player. One whose timetag lies ahead waits, and `tick` carries it
  /// out at its time.
  ///
  /// Effects are appended in the order in which they must be carried out. A command that cannot be carried out leaves the state as it
  /// was, and tells the asker why.
  /// - Parameter origin: the connection that answers go to.
  public mutating func step(
    _ command: Command, by id: PlayerID, at moment: Moment, origin: Origin = .none
  ) {
    if let tagged = moment.tagged, tagged > moment.arrival + RoomState.liveDelay, !command.isClock, roster.isHere(id) {
      return schedule(command, by: id, at: moment, tagged, origin)
    }
    stepNow(command, by: id, at: moment)
  }

  // MARK: Timetags

  /// What is held, what goes round, what the pedal holds: all that is known at a command's own
  /// time, not at that of its arrival. So commands wait for their time, whatever they are, and are
  /// carried out in the order of their times.
  private mutating func schedule(
    _ command: Command, by id: PlayerID, at moment: Moment, _ frame: Frames, _ origin: Origin
  ) {
    do throws(Refusal) {
      try requireWait(of: command, by: id)
    } catch {
      return outbox.append(.tell(.refused(command, error), .asker))
    }
    roster[id].lastHeard = max(roster[id].lastHeard, moment.arrival)
    queue.schedule(
      ScheduledCommand(
        command: command, player: id, origin: origin, moment: moment, frame: frame,
        hasRights: roster.withoutRights != id))
    if let pad = command.hitPad { countPending(pad, of: id, by: 1) }
  }

  /// One player's commands that wait do not keep out all others'.
  private func requireWait(of command: Command, by id: PlayerID) throws(Refusal) {
    if command.isHit {
      guard queue.count < limits.pendingHits else { throw .tooManyHitsWaiting(limits.pendingHits) }
      return try requireShare(of: id)
    }
    let (waiting, share) = (queue.scheduledOthers, limits.pendingHits / 4)
    let isTooMany =
      waiting >= share && queue.scheduled.count { $0.player == id && !$0.command.isHit } >= share
    guard waiting < limits.pendingHits, !isTooMany else { throw .tooManyCommandsWaiting(waiting) }
  }

  /// The next command that is to be carried out at `now`, for `carryOut`; nil where none is due.
  public mutating func takeScheduled(at now: Frames) -> ScheduledCommand? {
    guard let deadline = scheduledDeadline, deadline <= now else { return nil }
    var next = queue.takeScheduled()
    if next.due <= now { next.becomeDue() } else { next.goAhead(at: now) }
    return next
  }

  /// Carries out a command whose time has come.
  public mutating func carryOut(_ next: ScheduledCommand) {
    let id = next.player
    guard roster.isHere(id) else { return }
    let pad = next.command.hitPad
    // It waits no more; that is told once it is known whether it is on its way now.
    if let pad { hands[id][pad].light.pending -= 1 }
    queue.isOnSchedule = true
    withRights(next.hasRights, id) { $0.stepNow(next.command, by: id, at: next.moment) }
    queue.isOnSchedule = false
    guard let pad, !pad.isKey, roster.isHere(id), hands.read(pad, of: id, { $0.light.pending == 0 }) else { return }
    outbox.append(.tell(.value(.padPending(pad), .bool(false)), .player(id)))
  }

  // MARK: Now

  private mutating func stepNow(_ command: Command, by id: PlayerID, at moment: Moment) {
    guard roster.isHere(id) else {
      outbox.append(
        .tell(.refused(command, .notInRoom(name)), .asker))
      return
    }
    roster[id].lastHeard = moment.arrival
    // Its moment is its own: it may name one that is over, or still to come.
    if case .midiClock(let message) = command { return hear(message, by: id, at: moment) }
    if roster[id].role == .listener, !command.isForListeners {
      return outbox.append(.tell(.refused(command, roster.whyOnlyListens(id)), .asker))
    }
    // Asked here first: for a call that only reads, Swift copies the room.
    if desks[id].wantedKit != nil, waitsForKit(command, by: id) {
      guard mayWait(command, by: id) else {
        return outbox.append(
          .tell(.refused(command, .kitBeingRead), .asker))
      }
      return desks[id].waitingCommands.append(
        WaitingCommand(command: command, hasRights: roster.withoutRights != id))
    }
    // Hits may be for a frame far ahead, and need no loop to be where it will be then.
    if !command.isHit { advanceLoops(until: effectFrame(moment)) }
    do throws(Refusal) {
      try carryOut(command, by: id, at: moment)
    } catch {
      outbox.append(.tell(.refused(command, error), .asker))
    }
  }

  mutating func carryOut(
    _ command: Command, by id: PlayerID, at moment: Moment
  ) throws(Refusal) {
    if let block = command.namedBlock, let order = carrying(block, command, by: id) {
      return outbox.append(.carryBlock(order))
    }
    switch command {
    // Asked here first: for a call that only reads, Swift copies the room.
    case .hit(let pad, let velocity):
      if mayRefuseHit(by: id, at: moment) { try checkPlay(pad, by: id, at: moment) }
      play(pad, velocity, by: id, at: moment)
    case .strike(let pad, let strike):
      if mayRefuseHit(by: id, at: moment) { try checkPlay(pad, by: id, at: moment) }
      play(pad, velocity(of: strike, on: pad, by: id), by: id, at: moment)
    case .release(let pad): letGo(of: pad, by: id, at: moment)
    case .cancel(let pad): cancel(pad, by: id, at: moment)
    case .resetPad(let pad): reset(pad, by: id, at: moment)
    case .preview(let pad):
      try checkPreview(pad, by: id)
      preview(pad, by: id, at: moment)
    case .previewSample(let text):
      try checkPreview(text, by: id)
      preview(text, by: id, at: moment)
    case .chooseKit(let choice):
      try checkChooseKit(choice, by: id)
      choose(choice, by: id, at: moment)
    case .tuneKit(let key):
      try checkTuneKit(to: key, by: id)
      tuneKit(to: key, by: id, at: moment)
    case .browseInstruments(let step): browseInstruments(by: step, of: id, at: moment)
    case .listInstruments: listInstruments()
    case .listProgressions: listProgressions()
    case .saveProgression(let name):
      try checkSaveProgression(name, by: id)
      saveProgression(name, by: id)
    case .deleteProgression(let name):
      try checkDeleteProgression(name, by: id)
      deleteProgression(name)
    case .pressChord(let number, let strike):
      try checkPressChord(number, strike, by: id, at: moment)
      pressChord(number, strike, by: id, at: moment)
    case .previewInstrument(let text):
      try checkPreviewInstrument(text, by: id)
      previewInstrument(text, by: id, at: moment)
    case .keyHeight(let key, let height): setHeight(height, of: key, by: id, at: moment)
    case .keyBend(let key, let semitones): setBend(semitones, of: key, by: id, at: moment)
    case .usePatch: throw .onlyInScore(.patch)
    case .listKits: listKits()
    case .listSamples(let category):
      try checkListSamples(category)
      listSamples(category)
    case .browseSample(let pad, let step):
      try checkBrowse(pad, by: step, for: id)
      browse(pad, by: step, for: id, at: moment)
    case .saveKit(let name):
      try checkSaveKit(name, by: id)
      saveKit(name, by: id, command)
    case .deleteKit(let kit):
      try checkDeleteKit(kit, by: id)
      deleteKit(kit, by: id)
    case .deleteSample(let text):
      try checkDeleteSample(text, by: id)
      deleteSample(text)
    case .record(let pad):
      try checkRecord(by: id)
      record(pad, by: id)
    case .stopRecording:
      try checkStopRecording(by: id)
      stopRecording()
    case .grab(let pad, let bars, let player):
      try checkGrab(bars, of: player, by: id, at: moment)
      grab(bars, of: player, to: pad, by: id, at: moment, command)
    case .loop(let action):
      try checkLoop(action, by: id)
      loop(action, by: id, at: moment)
    case .deleteLayer(let number):
      try checkDeleteLayer(number, by: id)
      deleteLayer(number, by: id, at: moment)
    case .listNotes(let name):
      try checkListNotes(of: name)
      listNotes(of: name, for: id)
    case .changeNote(let layer, let change):
      try checkChangeNote(change, of: layer, by: id)
      changeNote(change, of: layer, by: id, at: effectFrame(moment))
    case .addNote(let layer, let pad, let beat, let velocity):
      try checkAddNote(pad, at: beat, velocity, to: layer, by: id)
      addNote(pad, at: beat, velocity, to: layer, by: id, at: effectFrame(moment))
    case .loopHit: throw .onlyInScore(.layerHit)
    case .listBlocks: listBlocks(for: id)
    case .listBlocksOf(let owner):
      try checkListBlocks(of: owner, for: id)
      listBlocks(of: owner, for: id)
    case .listHits(let name):
      try checkListHits(of: name, for: id)
      listHits(of: name, for: id)
    case .saveBlock(let name, let layer, let from, let bars):
      try checkSaveBlock(name, layer: layer, from: from, bars: bars, by: id, at: effectFrame(moment))
      saveBlock(name, layer: layer, from: from, bars: bars, by: id, at: effectFrame(moment))
    case .copyBlock(let name, let copy):
      try checkCopyBlock(name, to: copy, by: id, at: effectFrame(moment))
      copyBlock(name, to: copy, by: id, at: effectFrame(moment))
    case .shareBlock(let name):
      try checkShareBlock(name, by: id)
      shareBlock(name, by: id)
    case .deleteBlock(let name, let owner):
      try checkDeleteBlock(name, of: owner, by: id)
      deleteBlock(name, of: owner, by: id)
    case .struck(let edit, let strike):
      try carryOut(plainCommand(of: edit, strike, by: id), by: id, at: moment)
      _ = velocity(of: strike, on: edit.pad ?? Pad.all[0], by: id)
    case .setBlockStep(let name, let pad, let step, let velocity):
      let place = StepPlace(pad: pad, step: step)
      try checkSetBlockStep(name, place, to: Velocity(velocity), by: id)
      setBlockStep(name, place, to: Velocity(velocity), by: id, at: effectFrame(moment))
    case .previewBlock(let name):
      try checkPreviewBlock(name, by: id)
      previewBlock(name, by: id, at: moment)
    case .lane(let number, let action):
      try checkLane(number, action, by: id)
      lane(number, action, by: id, at: moment)
    case .focus(let lane, let slot):
      try checkFocus(on: lane, slot: slot, by: id)
      focus(on: lane, slot: slot, by: id, at: moment)
    case .moveSlot(let lane, let from, let to, let other):
      try checkMoveSlot(lane, from: from, by: id)
      if let other, other != lane {
        moveSlot(from: (lane, from), to: (other, to), by: id, at: effectFrame(moment))
      } else {
        moveSlot(lane, from: from, to: to, isSwap: false, by: id, at: effectFrame(moment))
      }
    case .swapSlots(let lane, let a, let b):
      try checkMoveSlot(lane, from: a, by: id)
      moveSlot(lane, from: a, to: b, isSwap: true, by: id, at: effectFrame(moment))
    case .define: throw .onlyInScore(.blockHit)
    case .leaveLoop: throw .onlyInScore(.leaving)
    case .countIn: throw .onlyInScore(.countIn)
    case .fit: throw .onlyInScore(.fit)
    case .undo: try undo(by: id, at: moment)
    case .redo: try redo(by: id, at: moment)
    case .groupEdits(let isOn): groupEdits(isOn, by: id, at: moment)
    case .listSteps: listSteps(of: id)
    case .listRoomSteps: listRoomSteps()
    case .keepScene(let number):
      try checkKeepScene()
      guard let scene = sceneThatPlays() else { return }
      try change(.scene(number), to: .text(scene.text), by: id, at: moment)
    case .launchScene(let number):
      try checkLaunchScene(number, by: id)
      launchScene(number, by: id, at: moment)
    case .roomUndo: try roomUndo(by: id, at: moment)
    case .roomRedo: try roomRedo(by: id, at: moment)
    case .midiClock: break
    case .project(let command):
      try checkProject(command, by: id)
      project(command, by: id, at: moment)
    case .search(let words): search(words, by: id)
    case .take(let command):
      try checkTake(command, by: id)
      take(command, by: id, at: moment)
    case .takePart(let name): try takePart(name, by: id, at: moment)
    case .tapTempo:
      try checkTap(by: id, at: moment)
      tap(by: id, at: moment)
    case .nudge(let milliseconds):
      try checkNudge(milliseconds, by: id, at: moment)
      nudge(milliseconds, by: id, at: moment)
    case .play:
      try checkPlay(by: id)
      play(by: id, at: moment)
    case .buildUp(let bpm, let bars, let curve):
      try checkBuildUp(by: id)
      buildUp(to: bpm, over: bars, curve, by: id, at: moment)
    case .drop:
      try checkDrop(by: id, at: moment)
      drop(by: id, at: moment)
    case .cancelBuildUp:
      try checkCancelBuildUp(by: id, at: moment)
      cancelBuildUp(by: id, at: moment)
    case .rise, .hush: throw .onlyInScore(.buildUp)
    case .stop:
      try checkStop(by: id)
      stop(by: id, at: moment)
    case .set(let setting, let value): try change(setting, to: value, by: id, at: moment)
    case .toggle(let setting): try toggle(setting, by: id, at: moment)
    case .read(let setting): outbox.append(.tell(.value(setting, try value(of: setting, for: id)), .asker))
    case .readAll: readAll(for: id)
    case .chat(let text):
      try checkChat(text)
      chat(text, by: id, at: moment)
    case .listChat: listChat(at: moment)
    case .panic: panic(by: id, at: moment)
    case .panicEverybody:
      try checkPanicEverybody(by: id)
      panicEverybody(by: id, at: moment)
    case .becomeHost(let word):
      try checkBecomeHost(word)
      becomeHost(by: id)
    case .leave: leave(id, at: moment)
    case .kick(let name, let seconds):
      try checkKick(name, by: id)
      kick(name, for: seconds, by: id, at: moment)
    case .admit(let name):
      try roster.checkAdmit(name, by: id, at: moment.arrival)
      roster.bans.admit(name, at: moment.arrival)
    }
  }

  /// What sets a step or a note with a velocity above 1. That is recognised as MIDI's where what is
  /// set with it can be set.
  private func plainCommand(of edit: StruckEdit, _ strike: Strike, by id: PlayerID) -> Command {
    var scale = hands[id].velocityScale
    _ = scale.recognise(strike)
    return edit.command(scale.velocity(of: strike).value)
  }

  /// Commands that a player sent while its new kit was being read are meant for that kit.
  mutating func carryOutWaiting(of id: PlayerID, at frame: Frames) {
    let waiting = desks[id].waitingCommands
    desks[id].waitingCommands = []
    for next in waiting {
      guard roster.here(id) != nil else { return }
      let command = next.command
      if command == .undo, desks[id].waitingCommands.isEmpty {
        // Of what was hit since it knows nothing.
        advanceLoops(until: frame)
        withRights(next.hasRights, id) { state in
          do throws(Refusal) {
            try state.takeBackEdit(by: id, at: Moment(arrival: frame - RoomState.liveDelay))
          } catch {
            state.outbox.append(.tell(.refused(command, error), .player(id)))
          }
        }
        continue
      }
      let mark = outbox.effects.count
      withRights(next.hasRights, id) { $0.step(command, by: id, at: Moment(arrival: frame - RoomState.liveDelay)) }
      outbox.redirect(from: mark, to: id)
    }
  }
}

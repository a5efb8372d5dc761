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
    _ command: Command, by id: PlayerID, at moment: Moment, origin: Origin = .none, _ effects: inout [Effect]
  ) {
    if let tagged = moment.tagged, tagged > moment.arrival + RoomState.liveDelay, !command.isClock, roster.isHere(id) {
      return schedule(command, by: id, at: moment, tagged, origin, &effects)
    }
    stepNow(command, by: id, at: moment, &effects)
  }

  // MARK: Timetags

  /// What is held, what goes round, what the pedal holds: all that is known at a command's own
  /// time, not at that of its arrival. So commands wait for their time, whatever they are, and are
  /// carried out in the order of their times.
  private mutating func schedule(
    _ command: Command, by id: PlayerID, at moment: Moment, _ frame: Frames, _ origin: Origin,
    _ effects: inout [Effect]
  ) {
    do throws(Refusal) {
      try requireWait(of: command, by: id)
    } catch {
      return effects.append(.tell(.refused(command, error), .asker))
    }
    roster[id].lastHeard = max(roster[id].lastHeard, moment.arrival)
    queue.schedule(
      ScheduledCommand(
        command: command, player: id, origin: origin, moment: moment, frame: frame,
        hasRights: roster.withoutRights != id))
    if let pad = command.hitPad { countPending(pad, of: id, by: 1, &effects) }
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
  public mutating func carryOut(_ next: ScheduledCommand, _ effects: inout [Effect]) {
    let id = next.player
    guard roster.isHere(id) else { return }
    let pad = next.command.hitPad
    // It waits no more; that is told once it is known whether it is on its way now.
    if let pad { roster[id][pad].pending -= 1 }
    queue.isOnSchedule = true
    withRights(next.hasRights, id) { $0.stepNow(next.command, by: id, at: next.moment, &effects) }
    queue.isOnSchedule = false
    guard let pad, !pad.isKey, roster.isHere(id), roster.read(pad, of: id, { $0.pending == 0 }) else { return }
    effects.append(.tell(.value(.padPending(pad), .bool(false)), .player(id)))
  }

  // MARK: Now

  private mutating func stepNow(_ command: Command, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    guard roster.isHere(id) else {
      effects.append(
        .tell(.refused(command, .notInRoom(name)), .asker))
      return
    }
    roster[id].lastHeard = moment.arrival
    // Its moment is its own: it may name one that is over, or still to come.
    if case .midiClock(let message) = command { return hear(message, by: id, at: moment, &effects) }
    if roster[id].role == .listener, !command.isForListeners {
      return effects.append(.tell(.refused(command, roster.whyOnlyListens(id)), .asker))
    }
    // Asked here first: for a call that only reads, Swift copies the room.
    if roster[id].wantedKit != nil, waitsForKit(command, by: id) {
      guard mayWait(command, by: id) else {
        return effects.append(
          .tell(.refused(command, .kitBeingRead), .asker))
      }
      return roster[id].waitingCommands.append(
        WaitingCommand(command: command, hasRights: roster.withoutRights != id))
    }
    // Hits may be for a frame far ahead, and need no loop to be where it will be then.
    if !command.isHit { advanceLoops(until: effectFrame(moment), &effects) }
    do throws(Refusal) {
      try carryOut(command, by: id, at: moment, &effects)
    } catch {
      effects.append(.tell(.refused(command, error), .asker))
    }
  }

  mutating func carryOut(
    _ command: Command, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    if let block = command.namedBlock, let order = carrying(block, command, by: id) {
      return effects.append(.carryBlock(order))
    }
    switch command {
    case .hit(let pad, let velocity): try play(pad, velocity, by: id, at: moment, &effects)
    case .strike(let pad, let strike):
      try play(pad, velocity(of: strike, on: pad, by: id, &effects), by: id, at: moment, &effects)
    case .release(let pad): letGo(of: pad, by: id, at: moment, &effects)
    case .cancel(let pad): cancel(pad, by: id, at: moment, &effects)
    case .resetPad(let pad): reset(pad, by: id, at: moment, &effects)
    case .preview(let pad): try preview(pad, by: id, at: moment, &effects)
    case .previewSample(let text): try preview(text, by: id, at: moment, &effects)
    case .chooseKit(let choice): try choose(choice, by: id, at: moment, &effects)
    case .tuneKit(let key): try tuneKit(to: key, by: id, at: moment, &effects)
    case .browseInstruments(let step): browseInstruments(by: step, of: id, at: moment, &effects)
    case .listInstruments: listInstruments(&effects)
    case .listProgressions: listProgressions(&effects)
    case .saveProgression(let name): try saveProgression(name, by: id, &effects)
    case .deleteProgression(let name): try deleteProgression(name, by: id, &effects)
    case .pressChord(let number, let strike): try pressChord(number, strike, by: id, at: moment, &effects)
    case .previewInstrument(let text): try previewInstrument(text, by: id, at: moment, &effects)
    case .keyHeight(let key, let height): setHeight(height, of: key, by: id, at: moment, &effects)
    case .keyBend(let key, let semitones): setBend(semitones, of: key, by: id, at: moment, &effects)
    case .usePatch: throw .onlyInScore(.patch)
    case .listKits: listKits(&effects)
    case .listSamples(let category): try listSamples(category, &effects)
    case .browseSample(let pad, let step): try browse(pad, by: step, for: id, at: moment, &effects)
    case .saveKit(let name): try saveKit(name, by: id, command, &effects)
    case .deleteKit(let kit): try deleteKit(kit, by: id, command, &effects)
    case .deleteSample(let text): try deleteSample(text, by: id, &effects)
    case .record(let pad): try record(pad, by: id, &effects)
    case .stopRecording: try stopRecording(by: id, &effects)
    case .grab(let pad, let bars, let player):
      try grab(bars, of: player, to: pad, by: id, at: moment, command, &effects)
    case .loop(let action): try loop(action, by: id, at: moment, &effects)
    case .deleteLayer(let number): try deleteLayer(number, by: id, at: moment, &effects)
    case .listNotes(let name): try listNotes(of: name, for: id, &effects)
    case .changeNote(let layer, let change):
      try changeNote(change, of: layer, by: id, at: effectFrame(moment), &effects)
    case .addNote(let layer, let pad, let beat, let velocity):
      try addNote(pad, at: beat, velocity, to: layer, by: id, at: effectFrame(moment), &effects)
    case .loopHit: throw .onlyInScore(.layerHit)
    case .listBlocks: listBlocks(for: id, &effects)
    case .listBlocksOf(let owner): try listBlocks(of: owner, for: id, &effects)
    case .listHits(let name): try listHits(of: name, for: id, &effects)
    case .saveBlock(let name, let layer, let from, let bars):
      try saveBlock(name, layer: layer, from: from, bars: bars, by: id, at: effectFrame(moment), &effects)
    case .copyBlock(let name, let copy):
      try copyBlock(name, to: copy, by: id, at: effectFrame(moment), &effects)
    case .shareBlock(let name): try shareBlock(name, by: id, &effects)
    case .deleteBlock(let name, let owner): try deleteBlock(name, of: owner, by: id, &effects)
    case .struck(let edit, let strike): try carryOut(edit, strike, by: id, at: moment, &effects)
    case .setBlockStep(let name, let pad, let step, let velocity):
      try setBlockStep(
        name, StepPlace(pad: pad, step: step), to: Velocity(velocity), by: id, at: effectFrame(moment), &effects)
    case .previewBlock(let name): try previewBlock(name, by: id, at: moment, &effects)
    case .lane(let number, let action): try lane(number, action, by: id, at: moment, &effects)
    case .focus(let lane, let slot): try focus(on: lane, slot: slot, by: id, at: moment, &effects)
    case .moveSlot(let lane, let from, let to, let other):
      if let other, other != lane {
        try moveSlot(from: (lane, from), to: (other, to), by: id, at: effectFrame(moment), &effects)
      } else {
        try moveSlot(lane, from: from, to: to, isSwap: false, by: id, at: effectFrame(moment), &effects)
      }
    case .swapSlots(let lane, let a, let b):
      try moveSlot(lane, from: a, to: b, isSwap: true, by: id, at: effectFrame(moment), &effects)
    case .define: throw .onlyInScore(.blockHit)
    case .leaveLoop: throw .onlyInScore(.leaving)
    case .countIn: throw .onlyInScore(.countIn)
    case .fit: throw .onlyInScore(.fit)
    case .undo: try undo(by: id, at: moment, &effects)
    case .redo: try redo(by: id, at: moment, &effects)
    case .groupEdits(let isOn): groupEdits(isOn, by: id, at: moment)
    case .listSteps: listSteps(of: id, &effects)
    case .listRoomSteps: listRoomSteps(&effects)
    case .keepScene(let number):
      try change(.scene(number), to: .text(try sceneThatPlays().text), by: id, at: moment, &effects)
    case .launchScene(let number): try launchScene(number, by: id, at: moment, &effects)
    case .roomUndo: try roomUndo(by: id, at: moment, &effects)
    case .roomRedo: try roomRedo(by: id, at: moment, &effects)
    case .midiClock: break
    case .project(let command): try project(command, by: id, at: moment, &effects)
    case .search(let words): search(words, by: id, &effects)
    case .take(let command): try take(command, by: id, at: moment, &effects)
    case .takePart(let name): try takePart(name, by: id, at: moment, &effects)
    case .tapTempo: try tap(by: id, at: moment, &effects)
    case .nudge(let milliseconds): try nudge(milliseconds, by: id, at: moment, &effects)
    case .play: try play(by: id, at: moment, &effects)
    case .buildUp(let bpm, let bars, let curve):
      try buildUp(to: bpm, over: bars, curve, by: id, at: moment, &effects)
    case .drop: try drop(by: id, at: moment, &effects)
    case .cancelBuildUp: try cancelBuildUp(by: id, at: moment, &effects)
    case .rise, .hush:
      throw .onlyInScore(.buildUp)
    case .stop: try stop(by: id, at: moment, &effects)
    case .set(let setting, let value): try change(setting, to: value, by: id, at: moment, &effects)
    case .toggle(let setting): try toggle(setting, by: id, at: moment, &effects)
    case .read(let setting): effects.append(.tell(.value(setting, try value(of: setting, for: id)), .asker))
    case .readAll: readAll(for: id, &effects)
    case .chat(let text): try chat(text, by: id, at: moment, &effects)
    case .listChat: listChat(at: moment, &effects)
    case .panic: panic(by: id, at: moment, &effects)
    case .panicEverybody: try panicEverybody(by: id, at: moment, &effects)
    case .becomeHost(let word): try becomeHost(word, by: id, &effects)
    case .leave: leave(id, at: moment, &effects)
    case .kick(let name, let seconds): try kick(name, for: seconds, by: id, at: moment, &effects)
    case .admit(let name): try roster.admit(name, by: id, at: moment)
    }
  }

  /// A velocity above 1, of a step or a note. It is recognised as MIDI's where what is set with it
  /// can be set.
  private mutating func carryOut(
    _ edit: StruckEdit, _ strike: Strike, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    var scale = roster[id].velocityScale
    _ = scale.recognise(strike)
    try carryOut(edit.command(scale.velocity(of: strike).value), by: id, at: moment, &effects)
    _ = velocity(of: strike, on: edit.pad ?? Pad.all[0], by: id, &effects)
  }

  /// Commands that a player sent while its new kit was being read are meant for that kit.
  mutating func carryOutWaiting(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    let waiting = roster[id].waitingCommands
    roster[id].waitingCommands = []
    for next in waiting {
      guard roster.here(id) != nil else { return }
      let command = next.command
      var own: [Effect] = []
      if command == .undo, roster[id].waitingCommands.isEmpty {
        // Of what was hit since it knows nothing.
        advanceLoops(until: frame, &effects)
        withRights(next.hasRights, id) { state in
          do throws(Refusal) {
            try state.takeBackEdit(by: id, at: Moment(arrival: frame - RoomState.liveDelay), &effects)
          } catch {
            effects.append(.tell(.refused(command, error), .player(id)))
          }
        }
        continue
      }
      withRights(next.hasRights, id) {
        $0.step(command, by: id, at: Moment(arrival: frame - RoomState.liveDelay), &own)
      }
      for effect in own {
        // Whoever asked is not on the line any more, but is the player's.
        if case .tell(let event, .asker) = effect {
          effects.append(.tell(event, .player(id)))
        } else {
          effects.append(effect)
        }
      }
    }
  }
}

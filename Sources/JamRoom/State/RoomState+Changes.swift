internal import JamCore

/// Each command's two halves: its check, and its write.
///
/// `checkNow` reads and refuses, and changes nothing. `writeNow` changes, and refuses nothing.
extension RoomState {
  /// Asks whether the player may do it now.
  func checkNow(_ command: Command, by id: PlayerID, at moment: Moment) throws(Refusal) {
    // The holder of the block says more.
    if let block = command.namedBlock, carrying(block, command, by: id) != nil { return }
    switch command {
    case .hit(let pad, _, _), .strike(let pad, _, _): try checkPlay(pad, by: id, at: moment)
    case .preview(let pad): try checkPreview(pad, by: id)
    case .previewSample(let text): try checkPreview(text, by: id)
    case .chooseKit(let choice): try checkChooseKit(choice, by: id)
    case .tuneKit(let key): try checkTuneKit(to: key, by: id)
    case .saveProgression(let name): try checkSaveProgression(name, by: id)
    case .deleteProgression(let name): try checkDeleteProgression(name, by: id)
    case .pressChord(let number, let strike): try checkPressChord(number, strike, by: id, at: moment)
    case .previewInstrument(let text): try checkPreviewInstrument(text, by: id)
    case .usePatch: throw .onlyInScore(.patch)
    case .chord: throw .onlyInScore(.chord)
    case .resetPad(let pad): try checkReset(pad, by: id)
    case .listSamples(let category): try checkListSamples(category)
    case .browseSample(let pad, let step): try checkBrowse(pad, by: step, for: id)
    case .saveKit(let name): try checkSaveKit(name, by: id)
    case .deleteKit(let kit): try checkDeleteKit(kit, by: id)
    case .deleteSample(let text): try checkDeleteSample(text, by: id)
    case .record: try checkRecord(by: id)
    case .stopRecording: try checkStopRecording(by: id)
    case .grab(_, let bars, let player): try checkGrab(bars, of: player, by: id, at: moment)
    case .recordNow: try checkLoop(.record, by: id)
    case .catchPlayed: try checkCatch(by: id, at: effectFrame(moment))
    case .loop(let action): try checkLoop(action, by: id)
    case .deleteLayer(let number): try requireLayer(number, by: id)
    case .borrow(let name, let layer): try checkBorrow(layer, of: name, by: id)
    case .returnLayer(let number): try checkReturn(number, by: id)
    case .listNotes(let name): try checkListNotes(of: name)
    case .changeNote(let layer, let change): try checkChangeNote(change, of: layer, by: id)
    case .addNote(let layer, let pad, let beat, let velocity):
      try checkAddNote(pad, at: beat, velocity, to: layer, by: id)
    case .loopHit: throw .onlyInScore(.layerHit)
    case .listBlocksOf(let owner): try checkListBlocks(of: owner, for: id)
    case .listHits(let name): try checkListHits(of: name, for: id)
    case .saveBlock(let name, let layer, let from, let bars):
      try checkSaveBlock(name, layer: layer, from: from, bars: bars, by: id, at: effectFrame(moment))
    case .copyBlock(let name, let copy): try checkCopyBlock(name, to: copy, by: id, at: effectFrame(moment))
    case .shareBlock(let name): try requireOwnBlock(name, for: .share, by: id)
    case .deleteBlock(let name, let owner): try checkDeleteBlock(name, of: owner, by: id)
    case .struck(let edit, let strike): try checkNow(plainCommand(of: edit, strike, by: id), by: id, at: moment)
    case .setBlockStep(let name, let pad, let step, let velocity):
      try checkSetBlockStep(name, StepPlace(pad: pad, step: step), to: Velocity(velocity), by: id)
    case .previewBlock(let name): try checkPreviewBlock(name, by: id)
    case .lane(let number, let action): try checkLane(number, action, by: id)
    case .focus(let lane, let slot): try checkFocus(on: lane, slot: slot, by: id)
    case .moveSlot(let lane, let from, _, _): try checkMoveSlot(lane, from: from, by: id)
    case .swapSlots(let lane, let a, _): try checkMoveSlot(lane, from: a, by: id)
    case .groove: try checkGroove(by: id)
    case .replaceGroove(let part): try checkReplaceGroove(part, by: id)
    case .define: throw .onlyInScore(.blockHit)
    case .leaveLoop: throw .onlyInScore(.leaving)
    case .countIn: throw .onlyInScore(.countIn)
    case .fit: throw .onlyInScore(.fit)
    case .undo: try checkUndo(by: id)
    case .redo: try checkRedo(by: id)
    case .keepScene(let number):
      try checkKeepScene()
      try checkChange(.scene(number), to: .text(sceneThatPlays()?.text ?? ""), by: id)
    case .launchScene(let number): try checkLaunchScene(number, by: id)
    case .roomUndo: try checkUndoForRoom(by: id)
    case .roomRedo: try checkRedoForRoom(by: id)
    case .takeBackAll(let name): try checkTakeBackAll(of: name, by: id)
    case .project(let command): try checkProject(command, by: id)
    case .take(let command): try checkTake(command, by: id)
    case .takePart(let name): try checkTakePart(name, by: id)
    case .tapTempo: try checkTap(by: id, at: moment)
    case .nudge(let milliseconds): try checkNudge(milliseconds, by: id, at: moment)
    case .play, .stop: try checkPlay(by: id)
    case .buildUp: try checkBuildUp(by: id)
    case .drop: try checkEndBuildUp(by: id, at: moment)
    case .cancelBuildUp: try checkCancelBuildUp(by: id, at: moment)
    case .rise, .hush: throw .onlyInScore(.buildUp)
    case .set(let setting, let value): try checkChange(setting, to: value, by: id)
    case .toggle(let setting): try checkToggle(setting, by: id)
    case .read(let setting): _ = try value(of: setting, for: id)
    case .chat(let text): try checkChat(text)
    case .react(_, let name): try checkReact(to: name, by: id, at: moment)
    case .panicEverybody: try checkPanicEverybody(by: id)
    case .becomeHost(let word): try checkBecomeHost(word)
    case .kick(let name, _): try checkKick(name, by: id)
    case .admit(let name): try roster.checkAdmit(name, by: id, at: moment.arrival)
    case .effectsOff, .roomEffectsOff: break
    case .release, .cancel, .levelMix, .browseInstruments, .listInstruments, .listProgressions, .keyHeight, .keyBend,
      .listKits, .listBlocks, .groupEdits, .listSteps, .listRoomSteps, .midiClock, .search, .readAll, .listChat, .panic,
      .leave:
      break
    }
  }

  /// Carries out a command that is not refused.
  mutating func writeNow(_ command: Command, by id: PlayerID, at moment: Moment) {
    if let block = command.namedBlock, let order = carrying(block, command, by: id) {
      return outbox.append(.carryBlock(order))
    }
    if loopers[id].loop.waitsForTap, command.isPress { beginAtTap(by: id, at: moment) }
    switch command {
    case .hit(let pad, let velocity, let own): play(pad, velocity, own, by: id, at: moment)
    case .strike(let pad, let strike, let own):
      play(pad, velocity(of: strike, on: pad, by: id), own, by: id, at: moment)
    case .release(let pad): letGo(of: pad, by: id, at: moment)
    case .cancel(let pad): cancel(pad, by: id, at: moment)
    case .resetPad(let pad): reset(pad, by: id, at: moment)
    case .preview(let pad): preview(pad, by: id, at: moment)
    case .previewSample(let text): preview(text, by: id, at: moment)
    case .chooseKit(let choice): choose(choice, by: id, at: moment)
    case .tuneKit(let key): tuneKit(to: key, by: id, at: moment)
    case .browseInstruments(let step): browseInstruments(by: step, of: id, at: moment)
    case .listInstruments: listInstruments()
    case .listProgressions: listProgressions()
    case .saveProgression(let name): saveProgression(name, by: id)
    case .deleteProgression(let name): deleteProgression(name)
    case .pressChord(let number, let strike): pressChord(number, strike, by: id, at: moment)
    case .previewInstrument(let text): previewInstrument(text, by: id, at: moment)
    case .keyHeight(let key, let height): setHeight(height, of: key, by: id, at: moment)
    case .keyBend(let key, let semitones): setBend(semitones, of: key, by: id, at: moment)
    case .listKits: outbox.append(.tell(library.kitItems, .asker))
    case .listSamples(let category): outbox.append(.tell(library.sampleItems(of: category), .asker))
    case .browseSample(let pad, let step): browse(pad, by: step, for: id, at: moment)
    case .saveKit(let name): saveKit(name, by: id, command)
    case .deleteKit(let kit): outbox.append(.deleteKit(kit, for: id))
    case .deleteSample(let text): deleteSample(text)
    case .record(let pad): record(pad, by: id)
    case .stopRecording: outbox.append(.stopRecording)
    case .grab(let pad, let bars, let player): grab(bars, of: player, to: pad, by: id, at: moment, command)
    case .recordNow: recordNow(by: id, at: moment)
    case .catchPlayed: catchPlayed(by: id, at: moment)
    case .loop(let action): loop(action, by: id, at: moment)
    case .deleteLayer(let number), .returnLayer(let number): deleteLayer(number, by: id, at: moment)
    case .borrow(let name, let layer): borrow(layer, of: name, by: id, at: moment)
    case .changeNote(let layer, let change): changeNote(change, of: layer, by: id, at: effectFrame(moment))
    case .addNote(let layer, let pad, let beat, let velocity):
      addNote(pad, at: beat, velocity, to: layer, by: id, at: effectFrame(moment))
    case .saveBlock(let name, let layer, let from, let bars):
      saveBlock(name, layer: layer, from: from, bars: bars, by: id, at: effectFrame(moment))
    case .copyBlock(let name, let copy): copyBlock(name, to: copy, by: id, at: effectFrame(moment))
    case .shareBlock(let name): shareBlock(name, by: id)
    case .deleteBlock(let name, let owner): deleteBlock(name, of: owner, by: id)
    case .struck(let edit, let strike):
      writeNow(plainCommand(of: edit, strike, by: id), by: id, at: moment)
      _ = velocity(of: strike, on: edit.pad ?? Pad.all[0], by: id)
    case .setBlockStep(let name, let pad, let step, let velocity):
      let place = StepPlace(pad: pad, step: step)
      setBlockStep(name, place, to: Velocity(velocity), by: id, at: effectFrame(moment))
    case .previewBlock(let name): previewBlock(name, by: id, at: moment)
    case .lane(let number, let action): lane(number, action, by: id, at: moment)
    case .focus(let lane, let slot): focus(on: lane, slot: slot, by: id, at: moment)
    case .moveSlot(let lane, let from, let to, let other):
      if let other, other != lane {
        moveSlot(from: (lane, from), to: (other, to), by: id, at: effectFrame(moment))
      } else {
        moveSlot(lane, from: from, to: to, isSwap: false, by: id, at: effectFrame(moment))
      }
    case .swapSlots(let lane, let a, let b):
      moveSlot(lane, from: a, to: b, isSwap: true, by: id, at: effectFrame(moment))
    case .groove(let mood): groove(mood, by: id, at: moment)
    case .replaceGroove(let part): replaceGroove(part, by: id, at: moment)
    case .undo: undo(by: id, at: moment)
    case .redo: redo(by: id, at: moment)
    case .groupEdits(let isOn): desks[id].history.group(isOn, at: effectFrame(moment))
    case .listSteps: outbox.append(.tell(.ownSteps(desks[id].history.steps), .asker))
    case .listRoomSteps: outbox.append(.tell(.roomSteps(session.history.steps), .asker))
    case .keepScene(let number):
      if let scene = sceneThatPlays() { change(.scene(number), to: .text(scene.text), by: id, at: moment) }
    case .launchScene(let number): launchScene(number, by: id, at: moment)
    case .roomUndo: undoForRoom(by: id, at: moment)
    case .roomRedo: redoForRoom(by: id, at: moment)
    case .takeBackAll(let name): takeBackAll(of: name, by: id, at: moment)
    case .midiClock(let message): hear(message, by: id, at: moment)
    case .project(let command): project(command, by: id)
    case .search(let words): outbox.append(.search(searchOrder(words, by: id)))
    case .take(let command): take(command, by: id, at: moment)
    case .takePart(let name): takePart(name, by: id, at: moment)
    case .tapTempo: tap(by: id, at: moment)
    case .nudge(let milliseconds): nudge(milliseconds, by: id, at: moment)
    case .play: play(by: id, at: moment)
    case .buildUp(let bpm, let bars, let curve): buildUp(to: bpm, over: bars, curve, by: id, at: moment)
    case .drop: drop(by: id, at: moment)
    case .cancelBuildUp: cancelBuildUp(by: id, at: moment)
    case .stop: stop(by: id, at: moment)
    case .set(let setting, let value): change(setting, to: value, by: id, at: moment)
    case .toggle(let setting): toggle(setting, by: id, at: moment)
    case .levelMix: levelMix(by: id, at: effectFrame(moment))
    case .effectsOff: effectsOff(of: id, at: effectFrame(moment))
    case .roomEffectsOff: roomEffectsOff(by: id, at: effectFrame(moment))
    case .chat(let text): chat(text, by: id, at: moment)
    case .react(let reaction, let name): react(reaction, to: name, by: id, at: moment)
    case .panic: panic(by: id, at: moment)
    case .panicEverybody: panicEverybody(by: id, at: moment)
    case .becomeHost: becomeHost(by: id, at: moment)
    case .leave: leave(id, at: moment)
    case .kick(let name, let seconds): kick(name, for: seconds, by: id, at: moment)
    case .admit(let name): admit(name, at: moment)
    case .read, .readAll, .listNotes, .listBlocks, .listBlocksOf, .listHits, .listChat:
      if let event = answer(to: command, by: id, at: moment) { outbox.append(.tell(event, .asker)) }
    case .usePatch, .chord, .loopHit, .define, .leaveLoop, .countIn, .fit, .rise, .hush: break
    }
  }

  /// The answer to a command that only asks.
  /// - Returns: nil where there is nothing to tell, and for other commands.
  private func answer(to command: Command, by id: PlayerID, at moment: Moment) -> Event? {
    switch command {
    case .read(let setting): readValue(of: setting, for: id).map { .value(setting, $0) }
    case .readAll: .together(readableValues(by: id))
    case .listNotes(let name): noteEvents(of: name, for: id).map { .together($0) }
    case .listBlocks: .together(library.blocks.available(to: roster[id].name).map { .blockItem($0) })
    case .listBlocksOf(let owner): .together(library.blocks.all.filter { $0.owner == owner }.map { .blockItem($0) })
    case .listHits(let name): hitEvents(ofBlock: name, for: id).map { .together($0) }
    case .listChat: roster.chat.events(at: moment.arrival).map { .together($0) }
    default: nil
    }
  }

  /// The plain command of a step or note with a velocity above 1. That is recognised as MIDI's only
  /// if the command can be carried out.
  private func plainCommand(of edit: StruckEdit, _ strike: Strike, by id: PlayerID) -> Command {
    var scale = hands[id].velocityScale
    _ = scale.recognise(strike)
    return edit.command(scale.velocity(of: strike).value)
  }
}

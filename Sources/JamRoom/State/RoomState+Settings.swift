internal import JamCore
internal import JamEngine

/// Values that are set by name: by their rows, or by a rule of the room.
extension RoomState {
  func checkSet(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    if let row = RoomRow.of(setting), row.facts.isSet { return try checkSet(row, to: value, by: id) }
    switch (setting, value) {
    case (.pad, _), (.mixGain, _), (.mixMute, _):
      guard setting.row.kind.nearest(value) != nil else { throw .notSettable }
    case (.padSample, .text(let sample)): try checkChooseSample(sample, by: id)
    case (.kit, .text(let kit)): try checkChooseKit(.id(kit), by: id)
    case (.instrument, .text(let text)): try checkChooseInstrument(text)
    case (.patch(let what), _): try checkSetPatch(what, to: value, by: id)
    case (.laneSlot, .text(let name)): try checkPut(name, by: id)
    case (.groove(let part), .bool(let sounds)): try checkGroovePart(part, sounds, by: id)
    case (.role, .text(let word)): try checkSetRole(word, of: id, by: id)
    case (.roleOf(let name), .text(let word)): try checkSetRole(word, of: try roster.find(name), by: id)
    case (.tempo, .float): try checkSetTempo(by: id)
    case (.tempoVote, .float(let bpm)): try checkVote(bpm, by: id)
    case (.signature, _): try checkSetSignature(to: value, by: id)
    case (.step, _), (.steps, _), (.padSteps, _): try checkSetSteps(setting, to: value, by: id)
    case (.layerMute, _), (.layerGain, _), (.loopBars, _): try checkSetLoop(setting, to: value, by: id)
    case (.progression, _), (.progressionOn, _): try checkSetProgression(setting, to: value, by: id)
    case (.sceneName, _), (.scene, _): try checkSetScene(setting, to: value, by: id)
    case (.lock, .text(let word)): try roster.checkSetLock(word, by: id)
    case (.door, .bool): try checkSetDoor(by: id)
    case (.tempoMode, .text(let word)): try checkSetTempoMode(word, by: id)
    case (.kitFollow, .bool), (.bend, .float), (.sustain, .bool): break
    default: try checkSetBuildUp(setting, to: value, by: id)
    }
  }

  /// Sets a value that is not refused, and tells it. One that cannot be changes nothing.
  mutating func set(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at moment: Moment, as setter: Setter = .player
  ) {
    if let row = RoomRow.of(setting), row.facts.isSet {
      return set(setting, row, to: value, by: id, at: moment, as: setter)
    }
    let frame = effectFrame(moment)
    switch (setting, value) {
    // These tell what came of it by themselves.
    case (.pad(let what, let pad), _): return set(what, of: pad, to: value, by: id, at: frame)
    case (.padSample(let pad), .text(let sample)): return choose(sample, on: pad, by: id, at: moment)
    case (.kit, .text(let kit)): return choose(.id(kit), by: id, at: moment, as: setter)
    case (.kitFollow, .bool(let isOn)): return followKey(isOn, by: id, at: moment, as: setter)
    case (.instrument, .text(let text)): return chooseInstrument(text, by: id, at: moment, as: setter)
    case (.patch(let what), _): return setPatch(what, to: value, by: id, at: frame)
    case (.laneSlot(let lane, let slot), .text(let name)): return put(name, on: lane, slot: slot, by: id, at: frame)
    case (.groove(let part), .bool(let sounds)): groovePart(part, sounds, by: id, at: moment, as: setter)
    case (.role, .text(let word)): return setRole(word, of: id, by: id, at: moment)
    case (.roleOf(let name), .text(let word)):
      guard let player = roster.player(named: name) else { return }
      return setRole(word, of: player, by: id, at: moment)
    case (.tempo, .float(let bpm)): return setTempo(Tempo(clamping: Double(bpm)), by: id, at: moment)
    case (.tempoVote, .float(let bpm)): return vote(bpm, by: id, at: frame)
    case (.signature, _): return setSignature(to: value, by: id, at: frame)
    case (.step, _), (.steps, _), (.padSteps, _): setSteps(setting, to: value, by: id, at: frame)
    case (.layerMute, _), (.layerGain, _), (.loopBars, _): setLoop(setting, to: value, by: id, at: frame)
    case (.progression, _), (.progressionOn, _): setProgression(setting, to: value, by: id, at: frame, as: setter)
    case (.sceneName, _), (.scene, _): library.scenes.set(setting, to: value, limits)
    case (.bend, .float(let bend)): setBend(setting.row.kind.bounded(bend), by: id, at: liveFrame(moment))
    case (.sustain, .bool(let isDown)): setPedal(isDown, by: id, at: moment)
    case (.mixGain, _), (.mixMute, _): setMix(setting, to: value, by: id, at: frame)
    case (.lock, .text(let word)): roster.setLock(word)
    case (.door, .bool(let isClosed)): setDoor(isClosed, at: moment)
    case (.tempoMode, .text(let word)): setTempoMode(word, by: id, at: frame)
    default: guard setBuildUp(setting, to: value, by: id, at: frame) else { return }
    }
    tell(setting, of: id)
  }

  private func checkSet(_ row: RoomRow, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    try require(row.facts.right, for: value, by: id)
    if case .namedChannel(let name, let row) = row { try roster.checkChannel(name, row, for: id) }
    try row.check(value)
  }

  /// Sets a value by its row.
  private mutating func set(
    _ setting: Setting, _ row: RoomRow, to value: SettingValue, by id: PlayerID, at moment: Moment,
    as setter: Setter
  ) {
    let (facts, frame) = (row.facts, effectFrame(moment))
    var owner = id
    if case .namedChannel(let name, let row) = row {
      guard let named = roster.channelOwner(row, of: name) else { return }
      owner = named
    }
    let before = self.value(in: row, of: owner)
    // A value of another version may be none of this one's.
    guard write(value, to: row, of: owner) else { return }
    let after = self.value(in: row, of: owner)
    for what in facts.replans { replan(what, before: before, by: id, at: moment, as: setter) }
    // Words are logged as the room writes them.
    let isWord = if case .text = value { true } else { false }
    if !facts.log.isOfChanges || after != before {
      let logged = isWord || facts.log.isOfChanges ? after : value
      follow(row, .command(.set(setting, logged)), of: owner, by: id, at: frame)
    }
    if isWord, after != value { outbox.append(.tell(.value(setting, after), .asker)) }
    for what in facts.follows { follow(what, before: before, by: id, at: frame, as: setter) }
    if facts.isOwnEdit, setter.isOwnEdit { rememberChange(of: setting, from: before, by: id, at: frame) }
    tell(setting, of: id)
    if facts.namesPads { tellPads(of: id) }
  }

  private func require(_ right: RowRight, for value: SettingValue, by id: PlayerID) throws(Refusal) {
    switch right {
    case .everybody: break
    case .unlocked(let lock): try roster.requireUnlocked(lock, id)
    case .host(let deed): try roster.requireHost(id, for: deed)
    case .speakers:
      try roster.requireHost(id, for: .clickOnSpeakers)
      guard setup.hasSpeakers || value == .bool(false) else { throw .noSpeakers }
    }
  }

  private mutating func replan(
    _ what: Replan, before: SettingValue, by id: PlayerID, at moment: Moment, as setter: Setter
  ) {
    let frame = effectFrame(moment)
    switch what {
    case .rolls: realignRolls(of: id, at: frame)
    case .repeats:
      for pad in Pad.all where !rolls(pad, of: id) { endRoll(pad, of: id) }
      alignArpeggio(of: id, at: frame)
      planRolls()
    case .arpeggio:
      alignArpeggio(of: id, at: frame)
      planRolls()
    case .heldKeys: if setter.hasHands { takeHeldKeys(from: before, by: id, at: moment) }
    case .latch: if hands[id].playing.arp.isEmpty { restArpeggio(of: id) }
    case .swing:
      if case .float(let old) = before { realignRolls(from: old, at: frame) }
      realignLoops(at: frame)
      clock.planBuildUps()
    case .tuning: noteRetuned(at: frame)
    case .key:
      tell(.scaleNotes, of: id)
      tellKeyboards()
    case .timing:
      hands[id].hasChosenTiming = true
      tell(.timingChosen, of: id)
    case .latency:
      outbox.append(.tell(roster[id].latencyEvent, .everybody))
      outbox.append(.peopleChanged)
    // A kept value is nobody's move.
    case .hold(let control): if setter != .kept { hold(control, by: id) }
    }
  }

  private mutating func follow(
    _ what: Follow, before: SettingValue, by id: PlayerID, at frame: Frames, as setter: Setter
  ) {
    switch what {
    case .cue: updateCue(of: id, at: frame)
    case .unheardClick: tellUnheardClick(of: id)
    case .kits:
      guard case .text(let root) = before, let root = KeyRoot(rawValue: root) else { return }
      retuneKits(from: root.pitch, at: frame, as: setter)
    }
  }
}

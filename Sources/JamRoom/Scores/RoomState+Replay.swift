public import JamCore
internal import JamEngine

/// Playing a log again.
///
/// A log holds the outcome of all decisions in their time: hits at their final frames, the hits of
/// loops, rolls and build-ups one by one, and an undo's settings. So nothing is decided here: no
/// loop goes round, no lock refuses anything, and nothing happens by itself.
extension RoomState {
  /// Carries out one line of a log, or of a score that was written by hand.
  /// - Parameters:
  ///   - name: the line's player; one who is not here yet joins.
  ///   - number: as first played, for equal chance. Nil is a hand's line: the grid moves its hits.
  /// - Throws: where the room has no place for the player.
  public mutating func replay(
    _ action: LogAction, by name: PlayerName, at frame: Frames, number: UInt64?
  ) throws(Refusal) {
    let moment = Moment(arrival: frame - RoomState.liveDelay)
    if let number, case .command(.set(let setting, .float(0))) = action,
      roster.player(named: name) == nil, let control = PlayedControl(of: setting)
    {
      // Its player has left: the control returned to rest by itself.
      session.tally.count(from: number)
      return rest(control, as: name, at: frame)
    }
    guard let id = try replayedPlayer(of: action, name, at: moment, number: number) else { return }
    // A player who joined did so under that number already.
    if let number, action != .join { session.tally.count(from: number) }
    // Nothing looked at the clock meanwhile.
    if action.looksAtBuildUp { clock.buildUps.forget(before: frame, clock.view) }
    switch action {
    case .join: break
    case .rename(let name): rename(id, to: name, at: moment)
    case .leave: leave(id, playsOn: false, at: moment)
    case .command(let command):
      let setter = number == nil ? Setter.score : .log
      do throws(Refusal) {
        try checkReplay(command, by: id, at: moment, as: setter)
        replay(command, by: id, at: moment, as: setter)
      } catch {
        outbox.append(.tell(.refused(command, error), .asker))
      }
    }
  }

  /// The player of the line. Loops and lanes play on for those who have left.
  private mutating func replayedPlayer(
    of action: LogAction, _ name: PlayerName, at moment: Moment, number: UInt64?
  ) throws(Refusal) -> PlayerID? {
    switch action {
    case .command(.loopHit), .command(.define), .command(.keyHeight), .command(.keyBend):
      return roster.holder(of: name)
    case .command(.set(.mute, _)), .command(.set(.pad(.mute, _), _)):
      // A scene mutes music that was left: that brings nobody back. A return has its own line.
      if number != nil, let id = roster.holder(of: name) { return id }
    default: break
    }
    if let id = roster.player(named: name) { return id }
    if case .join = action, let number { session.tally.count(from: number) }
    return try joinScore(name, at: moment)
  }

  /// A player of a score. Its lines were allowed in their time: everybody is a host in it.
  mutating func joinScore(_ player: PlayerName, at moment: Moment) throws(Refusal) -> PlayerID {
    if let id = enter(player, token: player.text, as: .host, at: moment) { return id }
    throw .roomFull(name, most: limits.playersPerRoom)
  }

  /// Asks for what a line names, which may not be here.
  private func checkReplay(
    _ command: Command, by id: PlayerID, at moment: Moment, as setter: Setter
  ) throws(Refusal) {
    switch command {
    case .hit, .strike:
      guard let place = replayedPlace(by: id, at: moment, as: setter) else { return }
      try checkSend(by: id, at: moment, to: place)
    case .set(let setting, let value): try checkReplay(setting, to: value, by: id)
    case .changeNote(_, let change):
      guard let velocity = Velocity(change.velocity), let old = queue.played[change.number] else { return }
      _ = try requireChanged(old, velocity, pad: change.pad, by: id)
    case .addNote(_, let pad, _, let velocity):
      guard let velocity = Velocity(velocity) else { return }
      _ = try requireStepHit(StepPlace(pad: pad, step: 1), velocity, by: id)
    case .chooseKit(.id(let kit)) where library.isUnknown(kit): break
    case .midiClock: throw .clockInScore
    case .loopHit, .define, .fit, .keyHeight, .keyBend, .usePatch, .chord, .countIn, .rise, .hush, .buildUp,
      .drop, .cancelBuildUp, .stop, .leave, .leaveLoop, .launchScene, .loop, .recordNow,
      .catchPlayed, .deleteLayer, .borrow, .returnLayer, .lane, .moveSlot, .swapSlots, .undo, .redo,
      .groove, .replaceGroove:
      break
    default: try checkNow(command, by: id, at: moment)
    }
  }

  private mutating func replay(_ command: Command, by id: PlayerID, at moment: Moment, as setter: Setter) {
    let frame = effectFrame(moment)
    switch command {
    case .hit(let pad, let velocity, let own):
      replayHit(pad, velocity, own, by: id, at: moment, as: setter)
    case .strike(let pad, let strike, let own):
      replayHit(pad, velocity(of: strike, on: pad, by: id), own, by: id, at: moment, as: setter)
    case .release(let pad) where setter == .log: replayRelease(pad, by: id, at: frame)
    case .loopHit(let layer, let hit, let hold, let gain):
      replayLoopHit(hit, of: layer, hold: hold, gain: gain, by: id, at: frame)
    case .define(let voicing, let velocity, let turn):
      replayDefinition(voicing, velocity, turn: turn, by: id, at: frame)
    case .set(let setting, let value): replay(setting, to: value, by: id, at: moment, as: setter)
    case .fit(let pad, let fit): self.fit(pad, by: fit, of: id, at: frame)
    case .keyHeight(let key, let height): moveNote(key, .height, to: height, by: id, at: frame)
    case .keyBend(let key, let semitones): moveNote(key, .bend, to: semitones, by: id, at: frame)
    case .chooseKit(.id(let kit)) where library.isUnknown(kit):
      choose(.id(kit), restoring: KitEdit(of: .init(id: kit, name: kit)), by: id, at: moment)
    case .chooseKit(let choice): choose(choice, by: id, at: moment, as: setter)
    case .usePatch(let patch): play(patch, by: id, at: frame, as: setter)
    case .countIn(let isOn): countIn(isOn, of: id, at: frame)
    case .rise(let amount, let frames):
      commitRise(amount, frames: frames, as: roster[id].name, at: frame)
    case .hush(let isHushed): commitHush(isHushed, as: roster[id].name, at: frame)
    case .buildUp(let bpm, let bars, let curve):
      orderBuildUp(to: bpm, over: bars, curve, by: id, at: frame)
    case .drop where clock.buildUps.current != nil: orderDrop(by: id, at: frame)
    case .cancelBuildUp where clock.buildUps.current != nil: callOffBuildUp(by: id, at: frame)
    case .stop: if clock.isPlaying { stopTransport(by: id, at: frame) }
    case .leave: leave(id, playsOn: false, at: moment)
    case .leaveLoop: leave(id, playsOn: true, at: moment)
    case .midiClock: break
    // No log has these: they stand in a score that was written by hand.
    case .groove, .replaceGroove: break
    case .changeNote(_, let change): replayChange(change, command, by: id, at: frame)
    case .addNote(_, let pad, _, let velocity): replayNote(pad, velocity, command, by: id, at: frame)
    // The outcomes of these stand beside them.
    case .chord, .launchScene, .loop, .recordNow, .catchPlayed, .deleteLayer, .borrow, .returnLayer, .lane,
      .moveSlot, .swapSlots, .undo, .redo, .drop, .cancelBuildUp:
      commit(.command(command), by: id, at: frame)
    default: writeNow(command, by: id, at: moment)
    }
  }

  // MARK: Hits

  /// The grid's place for a hit. A hit of a log has its final frame.
  private func replayedPlace(by id: PlayerID, at moment: Moment, as setter: Setter) -> GridPlace? {
    setter == .log ? nil : place(of: id, at: playedFrame(moment), heard: nil)
  }

  private mutating func replayHit(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at moment: Moment,
    as setter: Setter
  ) {
    if let place = replayedPlace(by: id, at: moment, as: setter) {
      return send(pad, velocity, own, by: id, at: moment, to: place)
    }
    guard let voice = press(pad, velocity, own, by: id, at: moment) else { return }
    let number = UInt32(truncatingIfNeeded: session.tally.sequence)
    queue.played[number] = LoopHit(
      position: .zero, length: nil, sequence: number, velocity: velocity, start: voice.start, sound: voice.sound,
      voicing: voicing(of: pad, of: id))
  }

  /// The log has every release, in the order in which they reached the engine.
  private mutating func replayRelease(_ pad: Pad, by id: PlayerID, at frame: Frames) {
    hands[id][pad].press.isHeld = false
    commit(
      .command(.release(pad)), by: id, at: frame, engine: .release(bus: id, pad: pad))
  }

  private mutating func replayLoopHit(
    _ number: UInt32, of layer: Int, hold: Int32, gain: Float, by id: PlayerID, at frame: Frames
  ) {
    guard let hit = queue.played[number] else { return }
    guard hold != RoomState.untilReleased else {
      return sound(hit, by: id, at: frame, recorded: nil, isLive: true)
    }
    sound(hit, of: layer, hold: hold, gain: gain, by: id, at: frame)
  }

  /// The sound of a block's hit, which follows when its lane's turn comes.
  private mutating func replayDefinition(
    _ voicing: Voicing, _ velocity: Velocity, turn: Int, by id: PlayerID, at frame: Frames
  ) {
    commit(
      .command(.define(voicing, velocity, turn: turn)), by: id, at: frame)
    let hit = VoicedHit(position: .zero, velocity: velocity, length: nil, voicing: voicing, turn: turn)
    order([hit], for: .define(sequence: session.tally.sequence), of: id, at: frame)
  }

  // MARK: Settings

  private func checkReplay(_ setting: Setting, to value: SettingValue, by id: PlayerID) throws(Refusal) {
    guard clock.buildUps.parts.setting(setting, to: value) == nil else { return }
    switch (setting, value) {
    case (.step(let pad, let step), .float(let velocity)):
      guard let velocity = Velocity(velocity) else { return }
      _ = try requireStepHit(StepPlace(pad: pad, step: step), velocity, by: id)
    case (.padSample, .text(let text)) where unknownSample(text) != nil: break
    case (.tempo, .float), (.signature, .signature), (.layerMute, .bool), (.layerGain, .float), (.laneSlot, .text),
      (.loopBars, .integer):
      break
    default: try checkSet(setting, to: value, by: id)
    }
  }

  /// The sound of a pad of a kit that is not here.
  private func unknownSample(_ text: String) -> SampleID? {
    guard let sample = SampleID(text), case .pad(_, let kit) = sample, library.isUnknown(kit) else { return nil }
    return sample
  }

  private mutating func replay(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at moment: Moment, as setter: Setter
  ) {
    let frame = effectFrame(moment)
    if let parts = clock.buildUps.parts.setting(setting, to: value) {
      return put(parts, setting, to: value, by: id, at: frame)
    }
    switch (setting, value) {
    case (.tempo, .float(let bpm)): put(Tempo(clamping: Double(bpm)), by: id, at: frame)
    case (.signature, .signature(let signature)): setSignature(signature, by: id, at: frame)
    case (.step(let pad, let step), .float(let velocity)):
      replayStep(StepPlace(pad: pad, step: step), Velocity(velocity), by: id, at: frame)
    case (.padSample(let pad), .text(let text)):
      guard let sample = unknownSample(text) else { return set(setting, to: value, by: id, at: moment, as: setter) }
      choose(sample, on: pad, by: id, at: moment, isEdit: false)
    // Each hit of a loop has its layer's gain, and a lane's hits are defined one by one.
    case (.layerMute, .bool), (.layerGain, .float), (.laneSlot, .text):
      commit(.command(.set(setting, value)), by: id, at: frame)
    case (.loopBars, .integer(let bars)):
      loopers[id].loop.bars = Int(setting.row.kind.bounded(bars))
      commit(.command(.set(setting, value)), by: id, at: frame)
    default: set(setting, to: value, by: id, at: moment, as: setter)
    }
  }

  private mutating func replayStep(_ place: StepPlace, _ velocity: Velocity?, by id: PlayerID, at frame: Frames) {
    let hit = velocity.flatMap { stepHit(place, $0, by: id) }
    commitStep(place, velocity, of: id, at: frame)
    if let hit { queue.played[hit.sequence] = hit }
  }

  /// A note that was set in a layer; its hits stand in the log one by one.
  private mutating func replayNote(
    _ pad: Pad, _ velocity: Float, _ command: Command, by id: PlayerID, at frame: Frames
  ) {
    guard let velocity = Velocity(velocity), let hit = stepHit(StepPlace(pad: pad, step: 1), velocity, by: id) else {
      return
    }
    hands[id][pad].turn += 1
    commit(.command(command), by: id, at: frame)
    queue.played[hit.sequence] = hit
  }

  /// A note that is louder since, or another pad's, has a number of its own since.
  private mutating func replayChange(_ change: NoteChange, _ command: Command, by id: PlayerID, at frame: Frames) {
    if let velocity = Velocity(change.velocity), let old = queue.played[change.number],
      let new = changed(old, velocity, pad: change.pad, by: id)
    {
      countTurn(of: new, insteadOf: old, by: id)
      queue.played[new.sequence] = new
    }
    commit(.command(command), by: id, at: frame)
  }
}

extension LogAction {
  /// Whether its outcome depends on a build-up. Others may lie ahead, behind a drop still to come.
  fileprivate var looksAtBuildUp: Bool {
    switch self {
    case .leave: true
    case .join, .rename: false
    case .command(let command):
      switch command {
      case .buildUp, .drop, .cancelBuildUp, .stop, .leave, .leaveLoop: true
      case .set(let setting, _): Setting.ofBuildUps.contains(setting) || [.tempo, .signature].contains(setting)
      default: false
      }
    }
  }
}

public import JamCore
internal import JamEngine

/// Playing a log again.
///
/// A log holds what came of everything that was decided as it was played: hits at their final frames, the hits of loops, rolls and
/// build-ups one by one, and what an undo set. So nothing is decided here. No loop goes round, no lock refuses anything, and nothing
/// happens by itself.
extension RoomState {
  /// Carries out one line of a log, or of a score that was written by hand.
  /// - Parameters:
  ///   - name: who did it; whoever is not here yet joins.
  ///   - number: what it had when it was played, for the same chance. Nil is a line written by hand: its hits go by their player's grid.
  /// - Throws: where the room has no place for the player.
  public mutating func replay(
    _ action: LogAction, by name: PlayerName, at frame: Frames, number: UInt64?
  ) throws(Refusal) {
    let moment = Moment(arrival: frame - RoomState.liveDelay)
    guard let id = try replayedPlayer(of: action, name, at: moment, number: number) else { return }
    // Who joined did so under that number already.
    if let number, action != .join { session.tally.count(from: number) }
    session.tally.isDecided = number != nil
    defer { session.tally.isDecided = false }
    // Nothing looked at the clock meanwhile.
    if action.looksAtBuildUp { clock.buildUps.forget(before: frame, clock.view) }
    switch action {
    case .join: break
    case .rename(let name): rename(id, to: name, at: moment)
    case .leave: leave(id, playsOn: false, at: moment)
    case .command(let command):
      do throws(Refusal) {
        try replay(command, by: id, at: moment, isPlayed: number != nil)
      } catch {
        outbox.append(.tell(.refused(command, error), .asker))
      }
    }
  }

  /// Whose line it is. Loops and lanes play on for those who have left.
  private mutating func replayedPlayer(
    of action: LogAction, _ name: PlayerName, at moment: Moment, number: UInt64?
  ) throws(Refusal) -> PlayerID? {
    switch action {
    case .command(.loopHit), .command(.define), .command(.keyHeight), .command(.keyBend):
      return roster.holder(of: name)
    default: break
    }
    if let id = roster.player(named: name) { return id }
    if case .join = action, let number { session.tally.count(from: number) }
    // What a log holds was allowed when it was played: here everybody may do everything.
    return try join(name, token: name.text, isHost: true, at: moment)
  }

  /// - Parameter isPlayed: it has its final frame, and no grid moves it.
  private mutating func replay(
    _ command: Command, by id: PlayerID, at moment: Moment, isPlayed: Bool
  ) throws(Refusal) {
    let frame = effectFrame(moment)
    switch command {
    case .hit(let pad, let velocity):
      try replayHit(pad, velocity, by: id, at: moment, isPlayed: isPlayed)
    case .strike(let pad, let strike):
      let velocity = velocity(of: strike, on: pad, by: id)
      try replayHit(pad, velocity, by: id, at: moment, isPlayed: isPlayed)
    case .release(let pad) where isPlayed: replayRelease(pad, by: id, at: frame)
    case .loopHit(let layer, let hit, let hold, let gain):
      replayLoopHit(hit, of: layer, hold: hold, gain: gain, by: id, at: frame)
    case .define(let voicing, let velocity, let turn):
      replayDefinition(voicing, velocity, turn: turn, by: id, at: frame)
    case .set(let setting, let value): try replay(setting, to: value, by: id, at: moment, isPlayed: isPlayed)
    case .fit(let pad, let fit): self.fit(pad, by: fit, of: id, at: frame)
    case .keyHeight(let key, let height): moveNote(key, .height, to: height, by: id, at: frame)
    case .keyBend(let key, let semitones): moveNote(key, .bend, to: semitones, by: id, at: frame)
    case .chooseKit(.id(let kit)) where library.isUnknown(kit):
      choose(.id(kit), restoring: KitEdit(of: .init(id: kit, name: kit)), by: id, at: moment)
    case .chooseKit(let choice):
      try checkChooseKit(choice, by: id)
      choose(choice, by: id, at: moment, as: isPlayed ? .log : .player)
    case .usePatch(let patch): play(patch, by: id, at: frame)
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
    case .midiClock: throw .clockInScore
    case .changeNote(_, let change): try replayChange(change, command, by: id, at: frame)
    case .addNote(_, let pad, _, let velocity):
      try replayNote(pad, velocity, command, by: id, at: frame)
    // What came of these stands beside them.
    case .launchScene, .loop, .deleteLayer, .lane, .moveSlot, .swapSlots, .undo, .redo, .drop, .cancelBuildUp:
      commit(.command(command), by: id, at: frame)
    default: try carryOut(command, by: id, at: moment)
    }
  }

  // MARK: Hits

  private mutating func replayHit(
    _ pad: Pad, _ velocity: Velocity, by id: PlayerID, at moment: Moment, isPlayed: Bool
  ) throws(Refusal) {
    if !isPlayed, let place = place(of: id, at: playedFrame(moment), heard: nil) {
      try checkSend(by: id, at: moment, to: place)
      return send(pad, velocity, by: id, at: moment, to: place)
    }
    guard let voice = press(pad, velocity, by: id, at: moment) else { return }
    let number = UInt32(truncatingIfNeeded: session.tally.sequence)
    queue.played[number] = LoopHit(
      position: .zero, length: nil, sequence: number, velocity: velocity, start: voice.start, sound: voice.sound,
      voicing: voicing(of: pad, of: id))
  }

  /// What was let go is in the log, in the order in which it reached the engine.
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

  /// How a hit of a block sounds: it does when its lane's turn comes.
  private mutating func replayDefinition(
    _ voicing: Voicing, _ velocity: Velocity, turn: Int, by id: PlayerID, at frame: Frames
  ) {
    commit(
      .command(.define(voicing, velocity, turn: turn)), by: id, at: frame)
    let hit = VoicedHit(position: .zero, velocity: velocity, length: nil, voicing: voicing, turn: turn)
    order([hit], for: .define(sequence: session.tally.sequence), of: id, at: frame)
  }

  // MARK: Settings

  private mutating func replay(
    _ setting: Setting, to value: SettingValue, by id: PlayerID, at moment: Moment, isPlayed: Bool
  ) throws(Refusal) {
    let frame = effectFrame(moment)
    if let parts = clock.buildUps.parts.setting(setting, to: value) {
      return put(parts, setting, to: value, by: id, at: frame)
    }
    switch (setting, value) {
    case (.tempo, .float(let bpm)): put(Tempo(clamping: Double(bpm)), by: id, at: frame)
    case (.signature, .signature(let signature)): setSignature(signature, by: id, at: frame)
    case (.step(let pad, let step), .float(let velocity)):
      try replayStep(StepPlace(pad: pad, step: step), Velocity(velocity), by: id, at: frame)
    case (.padSample(let pad), .text(let text)):
      guard case .pad(_, let kit)? = SampleID(text), library.isUnknown(kit), let sample = SampleID(text) else {
        return try set(setting, to: value, by: id, at: moment, as: .log)
      }
      choose(sample, on: pad, by: id, at: moment, isEdit: false)
    // Of a line written by hand what follows is in no line of its own.
    case (.kit, _), (.kitFollow, _), (.instrument, _), (.keyRoot, _):
      try set(setting, to: value, by: id, at: moment, as: isPlayed ? .log : .player)
    // Each hit of a loop has its layer's gain, and a lane's hits are defined one by one.
    case (.layerMute, .bool), (.layerGain, .float), (.laneSlot, .text):
      commit(.command(.set(setting, value)), by: id, at: frame)
    case (.loopBars, .integer(let bars)):
      loopers[id].loop.bars = Int(setting.row.kind.bounded(bars))
      commit(.command(.set(setting, value)), by: id, at: frame)
    default: try set(setting, to: value, by: id, at: moment, as: .log)
    }
  }

  private mutating func replayStep(
    _ place: StepPlace, _ velocity: Velocity?, by id: PlayerID, at frame: Frames
  ) throws(Refusal) {
    let hit = try velocity.map { velocity throws(Refusal) in try requireStepHit(place, velocity, by: id) }
    commitStep(place, velocity, of: id, at: frame)
    if let hit { queue.played[hit.sequence] = hit }
  }

  /// A note that was set in a layer; its hits stand in the log one by one.
  private mutating func replayNote(
    _ pad: Pad, _ velocity: Float, _ command: Command, by id: PlayerID, at frame: Frames
  ) throws(Refusal) {
    guard let velocity = Velocity(velocity) else { return }
    let hit = try requireStepHit(StepPlace(pad: pad, step: 1), velocity, by: id)
    hands[id][pad].turn += 1
    commit(.command(command), by: id, at: frame)
    queue.played[hit.sequence] = hit
  }

  /// A note that is louder since, or another pad's, has a number of its own since.
  private mutating func replayChange(
    _ change: NoteChange, _ command: Command, by id: PlayerID, at frame: Frames
  ) throws(Refusal) {
    if let velocity = Velocity(change.velocity), let old = queue.played[change.number] {
      let new = try requireChanged(old, velocity, pad: change.pad, by: id)
      countTurn(of: new, insteadOf: old, by: id)
      queue.played[new.sequence] = new
    }
    commit(.command(command), by: id, at: frame)
  }
}

extension LogAction {
  /// Whether what it does hangs on a build-up. Others may lie ahead of their time, behind a drop that is still to come.
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

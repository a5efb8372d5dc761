internal import JamCore
internal import JamEngine

/// A hit whose frame is known: its voice starts, it is taken down, and it is told.
extension RoomState {
  /// A player's waiting hits leave others room, and live hits: the engine has as many places.
  /// - Parameter others: so many more are to wait before this one.
  func requireShare(of id: PlayerID, behind others: Int = 0) throws(Refusal) {
    let share = max(1, limits.pendingHits / 4)
    let ofPads = hands[id].pads.reduce(0) { $0 + $1.light.pending }
    let pending = hands[id].keys.states.reduce(ofPads) { $0 + $1.light.pending }
    guard pending + others < share else { throw .tooManyOwnHitsWaiting(share) }
  }

  /// Sends the hit to the engine, for the frame that it is meant for.
  /// - Parameters:
  ///   - place: where it is recorded, if that is not where it sounds.
  ///   - isLive: told at once; any other as it sounds.
  ///   - isPlayed: by its player, whose loop takes it down.
  ///   - own: the number of a hit that its client sounds itself.
  /// - Returns: where it is recorded, and the voice that a loop starts of it; nil on an empty pad.
  @discardableResult
  mutating func sound(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit = .none, by id: PlayerID, at frame: Frames,
    recorded place: RecordedPlace? = nil, isLive: Bool, isPlayed: Bool = true
  ) -> (recorded: BarPosition, voice: StartedVoice?) {
    let recorded = place?.beat
    let told = clock.view.toldPosition(at: recorded ?? clock.view.beat(at: frame))
    guard !roster.door.waits(id) else {
      soundAtDoor(pad, velocity, own, by: id, at: frame, recorded: place, isLive: isLive)
      return (told, nil)
    }
    if isPlayed, isRecordedMuted(pad, of: id) {
      let fixed = fixedSound(of: pad, of: id)
      sound(fixed, velocity, own, by: id, at: frame, recorded: place, isLive: isLive)
      return (told, nil)
    }
    let name = roster[id].name
    let taken = hands[id][pad].takeHit(velocity, own)
    session.tally.hits += 1
    let action = LogAction.command(.hit(pad, velocity, own))
    var duration = Frames.zero
    var voice: StartedVoice?
    if let choice = taken.choice {
      let sound = choice.sound
      let start = RoomState.start(of: choice, pad, velocity, taken.settings, by: id, number: session.tally.sequence + 1)
      voice = StartedVoice(start: start, sound: sound)
      duration = RoomState.duration(of: start)
      if own.isOwn {
        beginOwn(choice, taken, pad, velocity, own, action, by: id, at: frame)
      } else {
        begin(start, sound, of: taken.sample, taken.settings, velocity, action, by: id, at: frame)
      }
      if isPlayed {
        capture(start, sound, velocity, turn: taken.turn, by: id, at: frame, recorded: place)
      }
    } else {
      // An empty pad makes no sound, but it was hit: everybody sees it.
      commit(action, by: id, at: frame)
    }
    let hit = PendingHit(
      frame: frame, sequence: session.tally.sequence, player: id, name: name, pad: pad, velocity: velocity,
      duration: duration,
      recorded: place.map { $0.beat + $0.delay })
    tell(hit, isLive: isLive)
    return (told, voice)
  }

  /// Whether a loop takes down a hit that nobody hears now. The log defines it, because the loop
  /// plays it as loud as any other hit, once its pad is heard. Inlined: each hit asks.
  @inline(__always) private func isRecordedMuted(_ pad: Pad, of id: PlayerID) -> Bool {
    guard loopers[id].loop.takesHits else { return false }
    return hands.read(pad, of: id) { pad in
      pad.sound != nil && pad.settings.mute && pad.settings.mode != .loop
    }
  }

  /// A hit that its client sounds itself: chance comes from the client's number. A loop that takes
  /// it down has it as any other hit, with the chance of its number in the log.
  private mutating func beginOwn(
    _ choice: PlayablePad.Choice, _ taken: TakenHit, _ pad: Pad, _ velocity: Velocity,
    _ own: OwnHit, _ action: LogAction, by id: PlayerID, at frame: Frames
  ) {
    let (settings, number) = (taken.settings, own.chance(else: session.tally.sequence))
    var start = RoomState.start(of: choice, pad, velocity, settings, by: id, number: number)
    start.isOwn = true
    begin(start, choice.sound, of: taken.sample, settings, velocity, action, by: id, at: frame)
    hands[id][pad].press.loop?.own = own
  }

  /// A hit at the door: on its player's cue alone, and told to nobody else. It takes no number and
  /// no turn, and no log and no loop has it.
  /// - Parameters:
  ///   - own: a hit that its client sounds itself is not in the player's cues without own hits.
  ///   - fixed: the sound of a hit that waited while its pad changed; nil is the pad's.
  mutating func soundAtDoor(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit, as fixed: FixedSound? = nil, by id: PlayerID,
    at frame: Frames, recorded place: RecordedPlace?, isLive: Bool
  ) {
    let state = hands[id][pad]
    let settings = fixed?.voicing.settings ?? state.hitSettings
    var duration = Frames.zero
    if let sound = fixed.map(\.sound) ?? state.sound {
      let choice = sound.choose(velocity, turn: own.turn(else: fixed?.turn ?? state.turn))
      let number = own.chance(else: session.tally.sequence)
      var start = RoomState.start(of: choice, pad, velocity, settings, by: id, number: number)
      start.isOwn = own.isOwn
      // Nothing stops a loop on a cue.
      start.isLooped = false
      duration = RoomState.duration(of: start)
      hands[id][pad].press.isGated = settings.mode == .gate
      hitOnCue(start, choice.sound, of: id, at: frame)
    }
    tell(
      PendingHit(
        frame: frame, sequence: 0, player: id, name: roster[id].name, pad: pad, velocity: velocity,
        duration: duration, recorded: place.map { $0.beat + $0.delay }), isLive: isLive)
  }

  /// The voice starts, and its pad and the pads that it chokes are as that leaves them.
  /// - Parameter sample: what the pad is.
  mutating func begin(
    _ start: VoiceStart, _ sound: PlayableSound, of sample: SampleID, _ settings: PadSettings, _ velocity: Velocity,
    _ action: LogAction, by id: PlayerID, at frame: Frames
  ) {
    commit(action, by: id, at: frame, engine: .start(start), reads: sound)
    hands[id][start.pad].press.isGated = settings.mode == .gate
    if start.pad.isKey { schedule.moving.begin(start.pad, of: id, at: frame) }
    queue.note(RecentHit(sequence: session.tally.sequence, frame: frame, player: id, pad: start.pad.number))
    choke(start.pad, settings, of: id, at: frame)
    guard settings.mode == .loop else { return }
    let beat = clock.isPlaying ? clock.view.beat(at: frame) : nil
    hands[id][start.pad].press.loop = RunningLoop(
      number: session.tally.sequence, sample: sample, velocity: velocity, beat: beat, transpose: settings.transpose)
  }

  /// At once, or as it sounds.
  mutating func tell(_ hit: PendingHit, isLive: Bool) {
    if isLive { show(hit) } else { keep(hit) }
  }

  /// Tells the player where its hit is recorded (where it sounds, unless late for its line), and
  /// how far that is from the frame asked for.
  func receiptEvent(_ pad: Pad, at frame: Frames, _ position: BarPosition, wanted: Frames) -> Event {
    .receipt(
      pad: pad, bar: position.bar, beat: Float(position.beatNumber),
      shiftMilliseconds: Float((frame - wanted).milliseconds))
  }

  /// - Parameters:
  ///   - position: where the hit is recorded.
  ///   - played: where it would have sounded without a grid.
  ///   - shift: how far the grid has moved it.
  mutating func tellReceipt(
    _ pad: Pad, by id: PlayerID, at position: BarPosition, played: Frames, _ moment: Moment, shift: Frames
  ) {
    let wanted = moment.tagged ?? played
    outbox.append(.tell(receiptEvent(pad, at: played + shift, position, wanted: wanted), .player(id)))
    guard played > wanted else { return }
    session.tally.lateHits += 1
    roster.noteLateHit(of: id)
    outbox.append(.tell(.late(pad: pad, milliseconds: Float((played - wanted).milliseconds)), .player(id)))
  }

  /// A note that sounds is moved, by a hand or as it comes round.
  mutating func moveNote(
    _ key: Pad, _ kind: NoteMove.Kind, to value: Float, by id: PlayerID, at frame: Frames
  ) {
    guard !roster.door.waits(id) else { return }
    let (command, action): (Command, EngineAction) =
      switch kind {
      case .height: (.keyHeight(key, value), .keyHeight(bus: id, pad: key, height: value))
      case .bend: (.keyBend(key, value), .keyBend(bus: id, pad: key, semitones: value))
      }
    commit(.command(command), by: id, at: frame, engine: action)
  }

  /// The press that stops a loop.
  mutating func endLoop(
    _ pad: Pad, _ velocity: Velocity, by id: PlayerID, at frame: Frames
  ) {
    hands[id][pad].press.loop = nil
    captureRelease(pad, by: id, at: frame)
    commit(.command(.hit(pad, velocity)), by: id, at: frame, engine: .release(bus: id, pad: pad))
    darken(pad, of: id, at: frame)
  }

  /// The next number's hit, with everything that shapes it.
  func start(
    of choice: PlayablePad.Choice, _ pad: Pad, _ velocity: Velocity, _ settings: PadSettings, by id: PlayerID,
    number: UInt64? = nil
  ) -> VoiceStart {
    RoomState.start(of: choice, pad, velocity, settings, by: id, number: number ?? session.tally.sequence + 1)
  }

  /// The hit of that number.
  static func start(
    of choice: PlayablePad.Choice, _ pad: Pad, _ velocity: Velocity, _ settings: PadSettings, by id: PlayerID,
    number: UInt64
  ) -> VoiceStart {
    let sound = choice.sound
    if let patch = sound.patch {
      // The patch itself says what velocity does.
      var start = VoiceStart(
        sample: sound.view, use: sound.use, bus: id, pad: pad, gain: PanGains(pan: settings.pan), level: settings.level,
        isGated: settings.mode.isHeld, voices: settings.voices)
      start.patch = patch
      start.velocity = velocity.value
      start.seed = UInt16(truncatingIfNeeded: number)
      return start
    }
    let pan = settings.panRandom == 0 ? 0 : settings.panRandom * Chance.value(number, .pan)
    let transpose =
      settings.transposeRandom == 0 ? 0 : settings.transposeRandom * Chance.value(number, .transpose)
    let stray = settings.gainRandom == 0 ? 1 : Decibels.gain(settings.gainRandom * Chance.value(number, .gain))
    // Velocity counts squared: half the velocity is 12 dB down, as a finger expects.
    var gain = PanGains(pan: settings.pan + pan)
    gain.left *= velocity.value * velocity.value * choice.gain * stray
    gain.right *= velocity.value * velocity.value * choice.gain * stray
    var start = VoiceStart(
      sample: sound.view, use: sound.use, bus: id, pad: pad, gain: gain, level: settings.level,
      rate: Decibels.ratio(semitones: settings.transpose + transpose),
      startFrame: Int32(saturating: settings.start * 48), decayFrames: Int32(saturating: settings.decay * 48),
      isGated: settings.mode.isHeld, isLooped: settings.mode == .loop,
      choke: settings.choke, voices: settings.voices)
    start.releaseFrames = Int32(saturating: settings.release * 48)
    start.isKick = choice.isKick
    return start
  }

  /// The duration of a hit that nothing ends before.
  static func duration(of start: VoiceStart) -> Frames {
    // A note lasts until it is let go of.
    if start.isLooped || start.patch != nil || start.goesRoundHeld { return .seconds(1_000_000) }
    let left = max(0, Int64(start.sample.frameCount) - Int64(start.startFrame))
    let whole = Int64(saturating: Double(Float(left) / start.rate))
    return Frames(start.decayFrames > 0 ? min(whole, Int64(start.decayFrames)) : whole)
  }

  /// The engine ends what sounds of the group; the state knows it too.
  mutating func choke(_ pad: Pad, _ settings: PadSettings, of id: PlayerID, at frame: Frames) {
    guard settings.choke > 0, !pad.isKey else { return }
    for other in Pad.all where other != pad && hands[id].pads[other.index].settings.choke == settings.choke {
      hands[id][other].press.loop = nil
      darken(other, of: id, at: frame)
    }
  }

  /// The pad goes dark at `frame`, or at the next look; hits not lit yet go dark before.
  mutating func darken(_ pad: Pad, of id: PlayerID, at frame: Frames) {
    queue.shorten(on: pad, of: id, at: frame)
    hands[id][pad].darken(at: frame)
  }
}

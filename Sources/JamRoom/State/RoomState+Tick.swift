public import JamCore
internal import JamEngine

/// What happens by the clock alone: beats, positions, lights, lost releases.
extension RoomState {
  private static let positionEvery = Frames(1_600)  // 30 Hz
  public static let metersEvery = Frames(2_400)  // 20 Hz
  private static let housekeepingEvery = Frames(24_000)
  /// A pad whose release got lost ends after this long without any message from its player.
  private static let heldWithoutMessage = Frames.seconds(16)

  /// Does everything that is due at `time`.
  public mutating func tick(at time: Frames, _ effects: inout [Effect]) {
    while let next = takeScheduled(at: time) { carryOut(next, &effects) }
    goOn(at: time, &effects)
  }

  /// The same, but for the commands that waited for their time.
  public mutating func goOn(at time: Frames, _ effects: inout [Effect]) {
    let now = pulse.tick(at: time)
    clockOn(at: now, &effects)
    voteOn(at: now, &effects)
    beats(until: now, &effects)
    gridOn(at: now, &effects)
    openOn(at: now, &effects)
    sceneOn(at: now, &effects)
    playLoops(at: now, &effects)
    allowBuildUp(at: now + RoomState.liveDelay, &effects)
    buildUpOn(at: now, &effects)
    takeOn(at: now, &effects)
    sendWaiting(at: now, &effects)
    showPending(until: now, &effects)
    if now >= pulse.nextPosition {
      pulse.nextPosition = now + (roster.occupied.isEmpty ? RoomState.housekeepingEvery : RoomState.positionEvery)
      if clock.look(at: now + RoomState.liveDelay) {
        pulse.hasToFit = true
        pulse.hasToAlign = true
      }
      bringBackAstray(at: now, &effects)
      tellPosition(at: now, &effects)
      tellLoopPositions(at: now, &effects)
      lights(at: now, &effects)
      tellHistories(at: now, &effects)
    }
    fitOn(at: now, &effects)
    if now >= pulse.nextHousekeeping {
      pulse.nextHousekeeping = now + RoomState.housekeepingEvery
      releaseLostHolds(at: now, &effects)
      forgetExpected(at: now, &effects)
    }
  }

  /// What the room itself plays on its grid: rolls, progressions, and arpeggios, which may hold a progression's chord.
  private mutating func gridOn(at now: Frames, _ effects: inout [Effect]) {
    guard let next = queue.nextRoll, next <= now else { return }
    rollOn(at: now, &effects)
    progressOn(at: now, &effects)
    arpeggiateOn(at: now, &effects)
    planRolls()
  }

  private mutating func beats(until now: Frames, _ effects: inout [Effect]) {
    while clock.isPlaying, clock.view.frame(at: clock.nextBeat) <= now {
      let position = clock.view.position(at: clock.nextBeat)
      let bpm = Float(clock.view.tempo(at: clock.nextBeat).beatsPerMinute)
      effects.append(.tell(.beat(bar: position.bar, beat: position.beat, bpm: bpm), .everybody))
      clock.nextBeat = clock.view.countedBeat(atOrAfter: clock.nextBeat + Beats(microBeats: 1))
      announceNextBeat(&effects)
    }
  }

  /// Mutating, as `findDeadline`.
  private mutating func tellPosition(at now: Frames, _ effects: inout [Effect]) {
    guard clock.isPlaying else { return }
    let beat = clock.view.beat(at: now)
    guard beat >= .zero else { return }
    let position = clock.view.position(at: beat)
    effects.append(
      .tell(
        .position(
          bar: position.bar, beat: position.beat, phase: Float(position.phase),
          bpm: Float(clock.view.tempo(at: beat).beatsPerMinute)), .everybody))
  }

  private mutating func lights(at now: Frames, _ effects: inout [Effect]) {
    for id in roster.occupied {
      for pad in roster[id].places {
        let (from, until) = roster.read(pad, of: id) { ($0.litFrom, $0.litUntil) }
        if let from, from <= now {
          roster[id][pad].litFrom = nil
          tellLight(pad, of: id, isLit: true, at: now, &effects)
        } else if from == nil, let until, until <= now {
          // At least one look later: a click of a sound is seen too.
          roster[id][pad].litUntil = nil
          tellLight(pad, of: id, isLit: false, at: now, &effects)
        }
      }
      sendHeights(of: id, at: now + RoomState.liveDelay, &effects)
      tellChord(of: id, &effects)
    }
  }

  /// A pad lights up for its player, a key for everybody: who plays along sees what sounds.
  private mutating func tellLight(
    _ pad: Pad, of id: PlayerID, isLit: Bool, at now: Frames, _ effects: inout [Effect]
  ) {
    if let note = pad.note {
      if !isLit { effects.append(.tell(.noteOff(player: roster[id].name, note: note), .everybody)) }
      return
    }
    if isLit, roster[id].playing.presses[pad] == nil { usePlayed(pad, of: id, at: now, &effects) }
    effects.append(.tell(.value(.padLit(pad), .bool(isLit)), .player(id)))
  }

  private mutating func releaseLostHolds(at now: Frames, _ effects: inout [Effect]) {
    for id in roster.occupied
    where roster.isHere(id) && now - roster[id].lastHeard > RoomState.heldWithoutMessage {
      letGoOfAll(of: id, at: Moment(arrival: now), &effects)
    }
  }

  /// Peaks in dBFS, from linear ones; a peak at or above full scale is a clip. And how loud the mix is, from mean squares.
  /// Mutating for its being called where the room is: for a closure, Swift would copy the room.
  public mutating func tellMeters(
    master: (left: Float, right: Float), loudness: (momentary: Float, shortTerm: Float), limiterGain: Float,
    peak: (PlayerID) -> (left: Float, right: Float), _ effects: inout [Effect]
  ) {
    func decibels(_ level: Float) -> Float { Meter.decibels(level) }
    effects.append(
      .tell(.meter(player: "master", left: decibels(master.left), right: decibels(master.right)), .everybody))
    effects.append(
      .tell(
        .loudness(
          momentary: Meter.loudness(loudness.momentary), shortTerm: Meter.loudness(loudness.shortTerm),
          limited: -decibels(limiterGain)), .everybody))
    for id in roster.occupied where roster.isHere(id) {
      let (left, right) = peak(id)
      let player = roster[id].name.text
      effects.append(.tell(.meter(player: player, left: decibels(left), right: decibels(right)), .everybody))
      if max(left, right) >= 1 { effects.append(.tell(.clip(player: player), .everybody)) }
    }
  }
}

public import JamCore
internal import JamEngine

/// Changes by the clock alone: beats, positions, lights, lost releases.
extension RoomState {
  private static let positionEvery = Frames(1_600)  // 30 Hz
  public static let metersEvery = Frames(2_400)  // 20 Hz
  static let housekeepingEvery = Frames(24_000)
  /// A pad whose release got lost ends after this long without any message from its player.
  private static let heldWithoutMessage = Frames.seconds(16)

  /// Does everything that is due at `time`.
  public mutating func tick(at time: Frames) {
    while let next = takeScheduled(at: time) { carryOut(next) }
    passTime(to: time)
  }

  /// The same, but for the commands that waited for their time.
  public mutating func passTime(to time: Frames) {
    let now = pulse.tick(at: time)
    clockOn(at: now)
    voteOn(at: now)
    beats(until: now)
    gridOn(at: now)
    openOn(at: now)
    sceneOn(at: now)
    playLoops(at: now)
    allowBuildUp(at: now + RoomState.liveDelay)
    buildUpOn(at: now)
    takeOn(at: now)
    springOn(at: now)
    sendWaiting(at: now)
    showPending(until: now)
    if now >= pulse.nextPosition {
      pulse.nextPosition = now + (roster.occupied.isEmpty ? RoomState.housekeepingEvery : RoomState.positionEvery)
      if clock.look(at: now + RoomState.liveDelay) {
        pulse.hasToFit = true
        pulse.hasToAlign = true
      }
      bringBackAstray(at: now)
      settleLoans(at: now)
      tellPosition(at: now)
      tellLoopPositions(at: now)
      lights(at: now)
      tellHistories(at: now)
      tellLights(at: now)
    }
    fitOn(at: now)
    if now >= pulse.nextHousekeeping {
      pulse.nextHousekeeping = now + RoomState.housekeepingEvery
      releaseLostHolds(at: now)
      forgetExpected(at: now)
    }
  }

  /// The room's own hits on its grid: rolls, progressions, arpeggios, which may hold their chords.
  private mutating func gridOn(at now: Frames) {
    guard let next = queue.nextRoll, next <= now else { return }
    rollOn(at: now)
    progressOn(at: now)
    arpeggiateOn(at: now)
    planRolls()
  }

  private mutating func beats(until now: Frames) {
    while clock.isPlaying, clock.view.frame(at: clock.nextBeat) <= now {
      outbox.append(.tell(clock.beatEvent(at: clock.nextBeat), .everybody))
      clock.nextBeat = clock.view.countedBeat(atOrAfter: clock.nextBeat + Beats(microBeats: 1))
      announceNextBeat()
    }
  }

  /// Mutating, as `findDeadline`.
  private mutating func tellPosition(at now: Frames) {
    guard clock.isPlaying else { return }
    let beat = clock.view.beat(at: now)
    if beat >= .zero { outbox.append(.tell(clock.positionEvent(at: beat), .everybody)) }
  }

  private mutating func lights(at now: Frames) {
    for id in roster.occupied {
      for pad in hands[id].places {
        let (from, until) = hands.read(pad, of: id) { ($0.light.from, $0.light.until) }
        if let from, from <= now {
          hands[id][pad].light.from = nil
          tellLight(pad, of: id, isLit: true, at: now)
        } else if from == nil, let until, until <= now {
          // At least one look later: a click of a sound is seen too.
          hands[id][pad].light.until = nil
          tellLight(pad, of: id, isLit: false, at: now)
        }
      }
      sendHeights(of: id, at: now + RoomState.liveDelay)
      tellChord(of: id)
    }
  }

  /// A pad lights up for its player, a key for everybody: who plays along sees what sounds.
  private mutating func tellLight(
    _ pad: Pad, of id: PlayerID, isLit: Bool, at now: Frames
  ) {
    if let note = pad.note {
      let audience = roster.door.waits(id) ? Audience.player(id) : .everybody
      if !isLit { outbox.append(.tell(.noteOff(player: roster[id].name, note: note), audience)) }
      return
    }
    if isLit, hands[id].playing.presses[pad] == nil { usePlayed(pad, of: id, at: now) }
    outbox.append(.tell(.value(.padLit(pad), .bool(isLit)), .player(id)))
  }

  private mutating func releaseLostHolds(at now: Frames) {
    for id in roster.occupied
    where roster.isHere(id) && now - roster[id].lastHeard > RoomState.heldWithoutMessage {
      letGoOfAll(of: id, at: Moment(arrival: now))
    }
  }

  /// Tells peaks in dBFS, from linear ones (a peak from full scale on is a clip), and the loudness,
  /// from mean squares; the leveller's gain, which is linear, to those who need it. Mutating because
  /// of its place: for a closure, Swift would copy the room.
  public mutating func tellMeters(
    master: (left: Float, right: Float), loudness: (momentary: Float, shortTerm: Float), limiterGain: Float,
    levellerGain: Float, at now: Frames, peak: (PlayerID) -> (left: Float, right: Float)
  ) {
    func decibels(_ level: Float) -> Float { Meter.decibels(level) }
    outbox.append(
      .tell(.meter(player: "master", left: decibels(master.left), right: decibels(master.right)), .everybody))
    outbox.append(
      .tell(
        .loudness(
          momentary: Meter.loudness(loudness.momentary), shortTerm: Meter.loudness(loudness.shortTerm),
          limited: -decibels(limiterGain)), .everybody))
    let levelled = min(0, decibels(levellerGain))
    for player in cues.hear(levellerGain: levelled, at: now) {
      outbox.append(.tell(.levellerGain(levelled), .player(player)))
    }
    for id in roster.occupied where roster.isHere(id) {
      let (left, right) = peak(id)
      let player = roster[id].name.text
      outbox.append(.tell(.meter(player: player, left: decibels(left), right: decibels(right)), .everybody))
      if max(left, right) >= 1 { outbox.append(.tell(.clip(player: player), .everybody)) }
    }
  }
}

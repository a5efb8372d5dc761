public import JamCore
internal import JamEngine
internal import JamRealtime

/// A voice that a hit starts: its sound, and all that shapes it.
struct StartedVoice: Equatable, Sendable {
  var start: VoiceStart
  /// The sound whose memory `start` reads.
  var sound: PlayableSound
}

/// Pads: hits, releases, cancels.
extension RoomState {
  /// - Parameter others: so many hits of the same press wait before this one.
  /// - Returns: whether this one waits, too.
  @discardableResult
  func checkHit(_ pad: Pad, behind others: Int = 0, by id: PlayerID, at moment: Moment) throws(Refusal) -> Bool {
    try checkHeard(moment, of: id)
    guard !beginsRoll(pad, by: id), let place = place(of: id, at: playedFrame(moment), heard: moment.heardFrame) else {
      return false
    }
    return try checkSend(behind: others, by: id, at: moment, to: place)
  }

  mutating func hit(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at moment: Moment
  ) {
    let heard = moment.heardFrame
    defer { if heard != nil { takeAtItsWord(id, at: moment) } }
    if beginsRoll(pad, by: id) {
      hands[id][pad].press.isHeld = true
      return roll(pad, velocity, own, by: id, at: moment)
    }
    // Asked here first: for a call that only reads, Swift copies the room.
    if mayMove(of: id, heard: heard), let place = place(of: id, at: playedFrame(moment), heard: heard) {
      return send(pad, velocity, own, by: id, at: moment, to: place)
    }
    press(pad, velocity, own, by: id, at: moment)
  }

  /// Inlined: each hit asks.
  @inline(__always) private func beginsRoll(_ pad: Pad, by id: PlayerID) -> Bool {
    rolls(pad, of: id) && !hands[id].pads[pad.index].isLooping && hands[id].repeatRate != .off
  }

  /// A hit that sounds where it was played.
  /// - Returns: the voice that a loop starts of it; nil on an empty pad, and where it ended a loop.
  @discardableResult
  mutating func press(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at moment: Moment
  ) -> StartedVoice? {
    let frame = playedFrame(moment)
    if pad.isKey { hands[id].keys.sustained.remove(pad) }
    hands[id][pad].hold(velocity)
    endHolds(on: pad, of: id, before: frame)
    guard !hands[id][pad].open(shift: .zero) else {
      // The mode does not matter here: there must be a way to stop a loop.
      endLoop(pad, velocity, by: id, at: frame)
      return nil
    }
    let isLive = frame <= arrivalFrame(moment)
    let sounded = sound(pad, velocity, own, by: id, at: frame, isLive: isLive)
    tellReceipt(pad, by: id, at: sounded.recorded, played: frame, moment, shift: .zero)
    return sounded.voice
  }

  /// The velocity of a number, on its player's scale. The first number of MIDI's is told.
  mutating func velocity(of strike: Strike, on pad: Pad, by id: PlayerID) -> Velocity {
    if hands[id].velocityScale.recognise(strike) {
      outbox.append(.tell(.notice(.velocitiesAreMIDI(pad)), .asker))
      tell(.velocityMax, of: id)
    }
    return hands[id].velocityScale.velocity(of: strike)
  }

  mutating func release(_ pad: Pad, by id: PlayerID, at moment: Moment) {
    guard hands.read(pad, of: id, { $0.press.isHeld }) else { return }
    if pad.isKey, hands[id].keys.isSustained {
      hands[id].keys.sustained.insert(pad)
      return
    }
    // A pad must not hang: it is let go of even if the beat that it says it heard cannot be.
    var heard: Frames?
    if moment.heard != nil {
      do throws(Refusal) {
        try checkHeard(moment, of: id)
        heard = moment.heardFrame
        takeAtItsWord(id, at: moment)
      } catch {
        outbox.append(.tell(.refused(.release(pad), error), .asker))
      }
    }
    hands[id][pad].press.isHeld = false
    endRoll(pad, of: id)
    releaseGate(pad, by: id, at: playedFrame(moment), heard: heard)
  }

  mutating func cancel(_ pad: Pad, by id: PlayerID, at moment: Moment) {
    commit(.command(.cancel(pad)), by: id, at: arrivalFrame(moment), engine: .cancel(bus: id, pad: pad))
    withdraw() { $0.player == id && $0.pad == pad }
    withdrawWaiting(of: id, on: pad)
    withdrawScheduled() { $0.player == id && $0.command.hitPad == pad }
  }

  mutating func panic(by id: PlayerID, at moment: Moment) {
    commit(.command(.panic), by: id, at: arrivalFrame(moment), engine: .silence(bus: id))
    darken(id)
  }

  func checkPanicEverybody(by id: PlayerID) throws(Refusal) { try roster.requireHost(id, for: .silenceEverybody) }

  mutating func panicEverybody(by id: PlayerID, at moment: Moment) {
    commit(.command(.panicEverybody), by: id, at: arrivalFrame(moment), engine: .silenceAll)
    for player in roster.people { darken(player.id) }
  }

  /// No finger, pedal, arpeggiator or progression holds anything any more. The wheel is in its
  /// middle, as the engine has put it.
  private mutating func darken(_ id: PlayerID) {
    withdraw() { $0.player == id }
    queue.dropReleases(of: id)
    withdrawWaiting(of: id)
    // A command that waited for its time ends earlier ones: later ones stay.
    if !queue.isOnSchedule { withdrawScheduled() { $0.player == id && $0.isPlayed } }
    schedule.moving.end(of: id)
    let (wasPlaying, wasDown) = (hands[id].progression.isOn, hands[id].keys.isSustained)
    hands[id].restKeys()
    hands[id].keys.isSustained = false
    if wasPlaying { tell(.progressionOn, of: id) }
    if wasDown { tell(.sustain, of: id) }
    if hands[id].keys.bend != 0 {
      hands[id].keys.bend = 0
      tell(.bend, of: id)
    }
    for pad in hands[id].places {
      hands[id][pad].press.isHeld = false
      hands[id][pad].press.loop = nil
      hands[id][pad].press.isOpen = false
      endRoll(pad, of: id)
      darken(pad, of: id, at: .zero)
    }
  }

  /// The engine applied a command later than it was stamped.
  public mutating func lateCommand(_ sequence: UInt64, at frame: Frames) {
    outbox.append(.correctLog(sequence: sequence, frame: frame))
    guard let (hit, pad) = queue.recentHit(sequence) else { return }
    session.tally.lateHits += 1
    let milliseconds = Float((frame - hit.frame).milliseconds)
    outbox.append(.tell(.late(pad: pad, milliseconds: milliseconds), .player(hit.player)))
  }

  /// The engine had no place for a hit.
  public mutating func refusedHit(_ sequence: UInt64) {
    outbox.append(.withdrawLog(sequence: sequence))
    guard let (hit, pad) = queue.recentHit(sequence) else { return }
    withdraw() { $0.sequence == sequence }
    outbox.append(.tell(.refused(.hit(pad, .full), .tooManyHitsWaiting(limits.pendingHits)), .player(hit.player)))
  }
}

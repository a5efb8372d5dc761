internal import JamCore
internal import JamEngine

/// Hits that a player's grid moves wait in the room and are sent shortly before their line.
///
/// A hit gets its final frame, its number and its log entry as it is sent: so a log holds the hits
/// as heard, and is not quantised when it is played again. A hit sounds with the pad's settings
/// from the moment it was played: before a new setting, sound or kit, waiting hits keep the pad's
/// state (`fixWaiting`), which the log will tell. Levels and solo reach hits that wait as they
/// reach those that sound.
extension RoomState {
  /// The grid's place for a hit that would sound at `frame`; nil leaves it there.
  func gridPlace(of id: PlayerID, at frame: Frames) -> GridPlace? {
    let (grid, strength) = (hands[id].quantize, Double(hands[id].quantizeStrength))
    guard grid != .off, clock.isPlaying else { return nil }
    let lines = GridLines(grid, swing: clock.swing)
    let beat = clock.view.beat(at: frame)
    let last = clock.view.line(lines, atOrBefore: beat)
    let step = lines.step(barLength: clock.view.signature(at: beat).signature.barLength)
    let isLate = (beat - last).microBeats * 3 < step.microBeats
    let line = isLate ? last : clock.view.line(lines, after: last)
    return GridPlace(
      isLate: isLate, line: line, lines: lines, recorded: beat + Beats(nearest: (line - beat).value * strength))
  }

  /// - Parameter others: so many hits of the same press wait before this one.
  /// - Returns: whether this one waits, too.
  @discardableResult
  func checkSend(
    behind others: Int = 0, by id: PlayerID, at moment: Moment, to place: GridPlace
  ) throws(Refusal) -> Bool {
    guard sending(to: place, at: moment).waits else { return false }
    guard queue.count + others < limits.pendingHits else { throw .tooManyHitsWaiting(limits.pendingHits) }
    try requireShare(of: id, behind: others)
    return true
  }

  /// The frame for the hit, and whether it waits until then. Inlined: a call would get a copy.
  @inline(__always) private func sending(to place: GridPlace, at moment: Moment) -> (frame: Frames, waits: Bool) {
    let played = playedFrame(moment)
    let frame = place.soundsAtOnce ? played : max(played, clock.view.frame(at: place.sounds))
    // A hit that comes just as others go out for its line goes out behind them, as it was played.
    return (frame, frame - HitQueue.ahead >= moment.arrival && !place.soundsAtOnce)
  }

  /// A hit that has another place: it waits for it, or goes out at once where that is near or over.
  mutating func send(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at moment: Moment,
    to place: GridPlace
  ) {
    let played = playedFrame(moment)
    let (frame, waits) = sending(to: place, at: moment)
    hands[id][pad].hold(velocity)
    if waits {
      queue.wait(
        WaitingHit(
          player: id, pad: pad, velocity: velocity, own: own, played: played, place: place),
        until: frame)
      countPending(pad, of: id, by: 1)
    } else {
      strike(
        pad, velocity, own, by: id, at: frame, played: played, recorded: recorded(place),
        isLive: frame <= arrivalFrame(moment))
    }
    tellReceipt(
      pad, by: id, at: clock.view.toldPosition(at: place.recorded), played: played, moment,
      shift: (place.delay > .zero ? frame : clock.view.frame(at: place.recorded)) - played)
  }

  private func recorded(_ place: GridPlace) -> RecordedPlace {
    RecordedPlace(beat: place.recorded, heard: place.heard.map { clock.view.beat(at: $0) }, delay: place.delay)
  }

  /// Sends what is due at `now`.
  mutating func sendWaiting(at now: Frames) {
    guard let next = queue.next, next <= now else { return }
    send(queue.takeDueHits(at: now, clock.view), at: now)
    for release in queue.takeDueReleases(at: now) { carryOut(release, at: release.frame) }
    queue.plan(clock.view)
  }

  /// The pad's sound is about to change: hits on it wait on, and will sound as they were played. So
  /// do those that its player may catch.
  mutating func fixWaiting(on pad: Pad, of id: PlayerID) {
    fixPlayed(on: pad, of: id)
    guard queue.waiting.contains(where: { $0.player == id && $0.pad == pad }) else { return }
    queue.fix(on: pad, of: id, as: fixedSound(of: pad, of: id))
  }

  private mutating func send(_ due: [(hit: WaitingHit, frame: Frames)], at now: Frames) {
    for (hit, frame) in due {
      let before = hands.read(hit.pad, of: hit.player) { (isOpen: $0.press.isOpen, shift: $0.press.shift) }
      strike(
        hit.pad, hit.velocity, hit.own, as: hit.fixed, by: hit.player, at: frame, played: hit.played,
        recorded: recorded(hit.place), isLive: frame <= now + RoomState.liveDelay)
      countPending(hit.pad, of: hit.player, by: -1)
      settleAwaited(of: hit.player)
      guard let held = hit.held else { continue }
      // A later one, hit in another way, may be held already.
      hands[hit.player][hit.pad].press.isOpen = before.isOpen
      if before.isOpen { hands[hit.player][hit.pad].press.shift = before.shift }
      let mode = (hit.fixed?.voicing ?? voicing(of: hit.pad, of: hit.player)).settings.mode
      guard mode == .gate else { continue }
      queue.wait(
        WaitingRelease(
          player: hit.player, pad: hit.pad, start: frame, frame: frame + held, heard: hit.releaseHeard))
    }
  }

  /// The hit goes to the engine; on a pad that goes round, the press that ends it.
  /// - Parameter fixed: how it sounds; nil is as the pad does.
  mutating func strike(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit, as fixed: FixedSound? = nil, by id: PlayerID,
    at frame: Frames, played: Frames, recorded: RecordedPlace?, isLive: Bool
  ) {
    endHolds(on: pad, of: id, before: frame)
    if hands[id][pad].open(shift: max(.zero, frame - played)) {
      endLoop(pad, velocity, by: id, at: frame)
    } else if let fixed {
      sound(fixed, velocity, own, by: id, at: frame, recorded: recorded, isLive: isLive)
    } else {
      sound(pad, velocity, own, by: id, at: frame, recorded: recorded, isLive: isLive)
    }
  }

  /// A release ends all that sounds on its pad: a waiting one comes before the next hit.
  mutating func endHolds(on pad: Pad, of id: PlayerID, before frame: Frames) {
    for release in queue.takeReleases(of: id, on: pad, before: frame) {
      carryOut(release, at: min(release.frame, frame))
    }
  }

  private mutating func carryOut(_ release: WaitingRelease, at frame: Frames) {
    guard !roster.door.waits(release.player) else {
      darken(release.pad, of: release.player, at: frame)
      return releaseOnCue(release.pad, of: release.player, at: frame)
    }
    captureRelease(release.pad, by: release.player, at: frame, heard: release.heard)
    darken(release.pad, of: release.player, at: frame)
    commit(
      .command(.release(release.pad)), by: release.player, at: frame,
      engine: .release(bus: release.player, pad: release.pad))
  }

  /// Lets go of gates that would end at `frame`: each hit lasts as long as the finger held it.
  /// - Parameter heard: what its player was hearing as it let go.
  mutating func releaseGate(_ pad: Pad, by id: PlayerID, at frame: Frames, heard: Frames? = nil) {
    let heard = heard.map { (frame: $0, beat: clock.view.beat(at: $0)) }
    let hasWaiting = queue.letGo(of: pad, by: id, at: frame, heard: heard)
    guard let shift = hands[id][pad].close(isWaited: hasWaiting) else { return }
    let release = WaitingRelease(player: id, pad: pad, start: frame, frame: frame + shift, heard: heard?.beat)
    guard shift > .zero else { return carryOut(release, at: frame) }
    queue.wait(release)
  }

  /// Drops hits that wait, with their releases. A release of a hit that sounds stays.
  /// - Parameter beat: where the first of the hits is recorded; nil is all.
  mutating func withdrawWaiting(of id: PlayerID, on pad: Pad? = nil, from beat: Beats? = nil) {
    withdrawWaiting() { hit in
      hit.player == id && (pad == nil || hit.pad == pad) && hit.place.recorded >= beat ?? hit.place.recorded
    }
  }

  mutating func withdrawWaiting(where isMeant: (WaitingHit) -> Bool) {
    for hit in queue.takeWaiting(where: isMeant) {
      countPending(hit.pad, of: hit.player, by: -1)
      settleAwaited(of: hit.player)
    }
    queue.plan(clock.view)
  }
}

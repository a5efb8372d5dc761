internal import JamCore
internal import JamEngine
internal import JamRealtime

/// The times and hits of loops. A full room has thousands of hits a second: the data for each is in
/// `LoopSchedule`, and no player is copied.
extension RoomState {

  /// - Parameter isAhead: `last` lies behind what is due.
  mutating func playHits(_ now: Frames, until last: Frames, isAhead: Bool = false) {
    defer { schedule.send(until: last, isAhead: isAhead) }
    guard let next = schedule.nextHit, next <= last else { return }
    let time = loopClock
    for index in schedule.frames.indices where schedule.frames[index] <= last {
      let id = PlayerID(index: UInt8(index))
      repeatEarlyHits(of: id, until: last)
      var place = TrackPlace()
      while let due = loopers[id].loop.takeHit(until: last, from: &place, time) {
        // A stalled thread does not catch up on missed hits in a burst.
        guard due.frame > now - RoomState.mostLate else { continue }
        soundAgain(due.hit, of: due.layer, gain: due.gain, by: id, at: due.frame)
      }
      playLanes(of: id, now, until: last, time)
      schedule.setNextHit(of: id, at: nextFrame(of: id))
    }
    schedule.findNextHit(isPlaying: clock.isPlaying)
  }

  private mutating func playLanes(
    of id: PlayerID, _ now: Frames, until last: Frames, _ time: LoopClock
  ) {
    for lane in loopers[id].lanes.indices where loopers[id].lanes[lane].row.nextFrame <= last {
      while let (hit, frame) = loopers[id].lanes[lane].row.takeHit(until: last, time) {
        if frame > now - RoomState.mostLate { soundAgain(hit, of: 0, gain: 0, by: id, at: frame) }
      }
    }
    while let next = loopers[id].focus?.row.nextFrame, next <= last,
      let (hit, frame) = loopers[id].focus?.row.takeHit(until: last, time)
    {
      guard frame > now - RoomState.mostLate else { continue }
      cueHit(hit, hold: hold(of: hit, at: frame), of: id, at: frame)
    }
  }

  /// For how long a hit is held that would begin at `frame`; 0 rings out. Inlined: for a call that
  /// only reads, Swift copies the room.
  @inline(__always) private func hold(of hit: LoopHit, at frame: Frames) -> Int32 {
    guard let length = hit.length else { return 0 }
    return Int32(clamping: max(1, clock.view.frames(of: length, from: clock.view.beat(at: frame))))
  }

  /// Of a note in a loop that nobody saw let go of.
  private static let shortestHold: Int32 = 6_000
  private static let mostLate = Frames.milliseconds(50)

  /// A pad that is muted now is silent in loops, too, though these keep the level of their hits.
  private mutating func soundAgain(
    _ hit: LoopHit, of number: Int, gain: Float, by id: PlayerID, at frame: Frames
  ) {
    guard hit.start.pad.isKey || !hands[id].pads[hit.start.pad.index].settings.mute else { return }
    sound(hit, of: number, hold: hold(of: hit, at: frame), gain: gain, by: id, at: frame)
  }

  /// - Parameter hold: in frames; 0 rings out.
  mutating func sound(
    _ hit: LoopHit, of number: Int, hold: Int32, gain: Float, by id: PlayerID, at frame: Frames
  ) {
    let hit = mayFit(hit, by: id) ? fitted(hit, by: id) : hit
    var start = hit.start
    // Another may have taken over what this player's hits began.
    start.bus = id
    let linear = Decibels.gain(gain)
    start.gain.left *= linear
    start.gain.right *= linear
    start.isGated = false
    // Each round is another note of its synthesiser.
    start.seed = UInt16(truncatingIfNeeded: session.tally.sequence + 1)
    // A note without an end would hang.
    start.holdFrames = hold == 0 && (start.patch != nil || start.sample.hasLoop) ? RoomState.shortestHold : hold
    var duration = RoomState.duration(of: start)
    if start.holdFrames > 0 { duration = min(duration, Frames(Int64(start.holdFrames))) }
    session.tally.hits += 1
    schedule.lead.count(hitAt: frame)
    let name = roster[id].name
    commit(
      .command(.loopHit(layer: number, hit: hit.sequence, hold: hold, gain: gain)), by: id, at: frame,
      engine: .start(start), reads: hit.sound)
    let shown = PendingHit(
      frame: frame, sequence: session.tally.sequence, player: id, name: name, pad: start.pad, velocity: hit.velocity,
      duration: duration)
    show(shown)
    guard start.pad.isKey else { return }
    let moves = hit.moves.isEmpty ? [] : moves(of: hit, from: frame, for: Frames(Int64(start.holdFrames)))
    schedule.moving.begin(start.pad, of: id, at: frame, moves)
  }

  /// The moves of a note while it sounds, as far as it is held.
  private func moves(of hit: LoopHit, from frame: Frames, for hold: Frames) -> [MovingNotes.Move] {
    let beat = clock.view.beat(at: frame)
    return hit.moves.compactMap { move in
      let after = Frames(clock.view.frames(of: move.at, from: beat))
      guard after < hold else { return nil }
      return MovingNotes.Move(frame: frame + after, kind: move.kind, value: move.value)
    }
  }

  /// Makes the moves of sounding notes that are due up to `last`.
  mutating func moveNotes(until last: Frames) {
    while let (player, key, move) = schedule.moving.take(until: last) {
      moveNote(key, move.kind, to: move.value, by: player, at: move.frame)
    }
  }

  /// Tells the players' places in their loops. Mutating, as `findDeadline`.
  mutating func tellLoopPositions(at now: Frames) {
    guard clock.isPlaying else { return }
    let beat = clock.view.beat(at: now)
    for id in roster.occupied where roster.isHere(id) {
      guard let share = loopers[id].loop.share(at: beat) else { continue }
      outbox.append(.tell(.loopPosition(share), .player(id)))
    }
  }

  /// A pass's end is a cycle's end, too: early hits for it sound there, before their layer is made.
  mutating func repeatEarlyHits(of id: PlayerID, until horizon: Frames) {
    defer { loopers[id].loop.settleEarlyHits() }
    while let (index, beat) = loopers[id].loop.nextEarly {
      let frame = clock.view.frame(at: beat)
      guard frame <= horizon else { return }
      loopers[id].loop.captured[index].isRepeated = true
      // A first pass that is to end sooner than it was: what lies behind is over.
      // A full loop has no layer for it.
      guard frame >= schedule.sent, let number = loopers[id].loop.freeLayer(most: limits.layersPerLoop) else {
        continue
      }
      let hit = LoopHit(
        loopers[id].loop.captured[index], position: .zero, atMost: loopers[id].loop.length)
      soundAgain(hit, of: number, gain: 0, by: id, at: frame)
    }
  }
}

extension TempoMapView {
  /// The duration of a length that begins at `beat`.
  fileprivate func frames(of length: Beats, from beat: Beats) -> Int64 {
    Int64(saturating: (exactFrame(at: beat + length) - exactFrame(at: beat)).rounded())
  }
}

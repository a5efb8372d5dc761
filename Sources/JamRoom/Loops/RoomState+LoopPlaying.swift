internal import JamCore
internal import JamEngine
internal import JamRealtime

/// When loops do something next, and their hits. A full room has thousands of those a second: what each of them looks at is in
/// `LoopSchedule`, and no player is copied.
extension RoomState {
  /// Hits everything of the loops up to one constant delay after `now`, and turns them on their bar lines.
  mutating func playLoops(at now: Frames, _ effects: inout [Effect]) {
    let horizon = now + RoomState.liveDelay
    // What ends on a bar line sounds until there, however much of it lies in one tick.
    while clock.isPlaying, let turn = schedule.nextTurn, case let line = clock.view.frame(at: turn.beat),
      line <= horizon
    {
      playHits(now, until: line - Frames(1), &effects)
      advanceLoops(until: line, &effects)
    }
    playHits(now, until: horizon, &effects)
    schedule.advance(to: horizon)
    settleLateHits(&effects)
  }

  private mutating func playHits(_ now: Frames, until last: Frames, _ effects: inout [Effect]) {
    defer { schedule.send(until: last) }
    guard let next = schedule.nextHit, next <= last else { return }
    let time = loopClock
    for index in schedule.frames.indices where schedule.frames[index] <= last {
      let id = PlayerID(index: UInt8(index))
      repeatEarlyHits(of: id, until: last, &effects)
      for layer in roster[id].loop.layers.indices {
        for track in 0..<(roster[id].loop.layers[layer]?.tracks.count ?? 0) {
          while let next = roster[id].loop.layers[layer]?.tracks[track].next, next.frame <= last {
            // What a stalled thread missed is not caught up in a burst.
            if next.frame > now - RoomState.mostLate {
              loopHit(layer, track, next.index, by: id, at: next.frame, &effects)
            }
            roster[id].loop.layers[layer]?.tracks[track].goOn(time)
          }
        }
      }
      playLanes(of: id, now, until: last, time, &effects)
      schedule.setNextHit(of: id, at: nextFrame(of: id))
    }
    schedule.findNextHit(isPlaying: clock.isPlaying)
  }

  private mutating func playLanes(
    of id: PlayerID, _ now: Frames, until last: Frames, _ time: LoopClock, _ effects: inout [Effect]
  ) {
    for lane in roster[id].lanes.indices where roster[id].lanes[lane].row.nextFrame <= last {
      for isStep in [false, true] {
        while let next = roster[id].lanes[lane].row[isStep].next, next.frame <= last {
          let hit = roster[id].lanes[lane].row[isStep].hits[next.index]
          if next.frame > now - RoomState.mostLate {
            soundAgain(hit, of: 0, gain: 0, by: id, at: next.frame, &effects)
          }
          roster[id].lanes[lane].row[isStep].goOn(time)
        }
      }
    }
    for isStep in [false, true] {
      while let next = roster[id].focus?.row[isStep].next, next.frame <= last {
        if let hit = roster[id].focus?.row[isStep].hits[next.index], next.frame > now - RoomState.mostLate {
          cueHit(hit, hold: hold(of: hit, at: next.frame), of: id, at: next.frame, &effects)
        }
        roster[id].focus?.row[isStep].goOn(time)
      }
    }
  }

  /// For how long a hit is held that would begin at `frame`; 0 rings out.
  private func hold(of hit: LoopHit, at frame: Frames) -> Int32 {
    guard let length = hit.length else { return 0 }
    let beat = clock.view.beat(at: frame)
    let frames = clock.view.exactFrame(at: beat + length) - clock.view.exactFrame(at: beat)
    return Int32(clamping: max(1, Int64(saturating: frames.rounded())))
  }

  private var loopClock: LoopClock { LoopClock(map: clock.view, swing: clock.swing, sent: schedule.sent) }

  private static let mostLate = Frames.milliseconds(50)

  private mutating func loopHit(
    _ layer: Int, _ track: Int, _ index: Int, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let hit = roster[id].loop.layers[layer]?.tracks[track].hits[index],
      let gain = roster[id].loop.layers[layer]?.gain
    else { return }
    soundAgain(hit, of: layer + 1, gain: gain, by: id, at: frame, &effects)
  }

  mutating func soundAgain(
    _ hit: LoopHit, of number: Int, gain: Float, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    sound(hit, of: number, hold: hold(of: hit, at: frame), gain: gain, by: id, at: frame, &effects)
  }

  /// - Parameter hold: in frames; 0 rings out.
  mutating func sound(
    _ hit: LoopHit, of number: Int, hold: Int32, gain: Float, by id: PlayerID, at frame: Frames,
    _ effects: inout [Effect]
  ) {
    var start = hit.start
    let linear = Decibels.gain(gain)
    start.gain.left *= linear
    start.gain.right *= linear
    start.isGated = false
    start.holdFrames = hold
    var duration = RoomState.duration(of: start)
    if hold > 0 { duration = min(duration, Frames(Int64(hold))) }
    tally.hits += 1
    let name = roster[id].name
    commit(
      .command(.loopHit(layer: number, hit: hit.sequence, hold: hold, gain: gain)), by: name, at: frame,
      engine: .start(start), reads: hit.sound, &effects)
    let shown = PendingHit(
      frame: frame, sequence: tally.sequence, player: id, name: name, pad: start.pad, velocity: hit.velocity,
      duration: duration)
    show(shown, &effects)
  }

  // MARK: Planning

  /// What comes next, after any change of the clock.
  mutating func planLoops() {
    for index in roster.players.indices { plan(PlayerID(index: UInt8(index))) }
    findNext()
  }

  /// What comes next, after a change of this player's loop.
  mutating func planLoop(of id: PlayerID) {
    plan(id)
    findNext()
  }

  private mutating func findNext() {
    schedule.findNextTurn()
    schedule.findNextHit(isPlaying: clock.isPlaying)
  }

  /// Another swing: the hits that come next lie elsewhere, and none comes twice.
  mutating func realignLoops() {
    let time = loopClock
    for id in roster.occupied {
      roster[id].realign(time)
      schedule.setNextHit(of: id, at: nextFrame(of: id))
    }
    schedule.findNextHit(isPlaying: clock.isPlaying)
  }

  private mutating func plan(_ id: PlayerID) {
    guard roster.players[Int(id.index)] != nil else {
      schedule.setNextTurn(of: id, at: nil)
      return schedule.setNextHit(of: id, at: LoopSchedule.never)
    }
    schedule.setNextTurn(of: id, at: roster[id].nextTurn)
    let (time, isPlaying) = (loopClock, clock.isPlaying)
    roster[id].planLoops(time, isPlaying: isPlaying)
    schedule.setNextHit(of: id, at: nextFrame(of: id))
  }

  /// Of the loop and the lanes, or of what came early for a pass under way.
  private func nextFrame(of id: PlayerID) -> Frames {
    let next = roster[id].nextLoopFrame
    guard let early = roster[id].loop.nextEarly else { return next }
    return min(next, clock.view.frame(at: early.beat))
  }

  /// When loops have something to do next; nil while they have nothing.
  var loopDeadline: Frames? {
    guard clock.isPlaying else { return nil }
    return schedule.deadline(clock.view).map { $0 - RoomState.liveDelay }
  }

  /// Where in their loops the players are.
  func tellLoopPositions(at now: Frames, _ effects: inout [Effect]) {
    guard clock.isPlaying else { return }
    let beat = clock.view.beat(at: now)
    for id in roster.occupied where roster.isHere(id) {
      guard roster[id].loop.isPlaying, roster[id].loop.length > .zero else { continue }
      let position = roster[id].loop.position(of: beat).value / roster[id].loop.length.value
      effects.append(.tell(.loopPosition(Float(position)), .player(id)))
    }
  }
}

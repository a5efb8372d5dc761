internal import JamCore
internal import JamEngine
internal import JamRealtime

/// When loops do something next, and their hits. A full room has thousands of those a second: what each of them looks at is in
/// `LoopPlan`, and no player is copied.
extension RoomState {
  /// Hits everything of the loops up to one constant delay after `now`, and turns them on their bar lines.
  mutating func playLoops(at now: Frames, _ effects: inout [Effect]) {
    let horizon = now + RoomState.liveDelay
    // What ends on a bar line sounds until there, however much of it lies in one tick.
    while map.isPlaying, let (_, beat) = nextTurn, case let line = map.view.frame(at: beat), line <= horizon {
      playHits(now, until: line - Frames(1), &effects)
      advanceLoops(until: line, &effects)
    }
    playHits(now, until: horizon, &effects)
    advance(to: horizon)
    settleLateHits(&effects)
  }

  private mutating func playHits(_ now: Frames, until last: Frames, _ effects: inout [Effect]) {
    defer { loopsSent = max(loopsSent, last + Frames(1)) }
    guard let nextLoop, nextLoop <= last else { return }
    let clock = loopClock
    for index in loopPlan.frames.indices where loopPlan.frames[index] <= last {
      let id = PlayerID(index: UInt8(index))
      repeatEarlyHits(of: id, until: last, &effects)
      for layer in self[known: id].loop.layers.indices {
        for track in 0..<(self[known: id].loop.layers[layer]?.tracks.count ?? 0) {
          while let next = self[known: id].loop.layers[layer]?.tracks[track].next, next.frame <= last {
            // What a stalled thread missed is not caught up in a burst.
            if next.frame > now - RoomState.mostLate {
              loopHit(layer, track, next.index, by: id, at: next.frame, &effects)
            }
            self[known: id].loop.layers[layer]?.tracks[track].goOn(clock)
          }
        }
      }
      playLanes(of: id, now, until: last, clock, &effects)
      loopPlan.frames[index] = nextFrame(of: id)
    }
    updateNextLoop()
  }

  private mutating func playLanes(
    of id: PlayerID, _ now: Frames, until last: Frames, _ clock: LoopClock, _ effects: inout [Effect]
  ) {
    for lane in self[known: id].lanes.indices where self[known: id].lanes[lane].row.nextFrame <= last {
      for isStep in [false, true] {
        while let next = self[known: id].lanes[lane].row[isStep].next, next.frame <= last {
          let hit = self[known: id].lanes[lane].row[isStep].hits[next.index]
          if next.frame > now - RoomState.mostLate {
            soundAgain(hit, of: 0, gain: 0, by: id, at: next.frame, &effects)
          }
          self[known: id].lanes[lane].row[isStep].goOn(clock)
        }
      }
    }
    for isStep in [false, true] {
      while let next = self[known: id].focus?.row[isStep].next, next.frame <= last {
        if let hit = self[known: id].focus?.row[isStep].hits[next.index], next.frame > now - RoomState.mostLate {
          cueHit(hit, hold: hold(of: hit, at: next.frame), of: id, at: next.frame, &effects)
        }
        self[known: id].focus?.row[isStep].goOn(clock)
      }
    }
  }

  /// For how long a hit is held that would begin at `frame`; 0 rings out.
  private func hold(of hit: LoopHit, at frame: Frames) -> Int32 {
    guard let length = hit.length else { return 0 }
    let beat = map.view.beat(at: frame)
    let frames = map.view.exactFrame(at: beat + length) - map.view.exactFrame(at: beat)
    return Int32(clamping: max(1, Int64(saturating: frames.rounded())))
  }

  private var loopClock: LoopClock { LoopClock(map: map.view, swing: swing, sent: loopsSent) }

  private static let mostLate = Frames.milliseconds(50)

  private mutating func loopHit(
    _ layer: Int, _ track: Int, _ index: Int, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let hit = self[known: id].loop.layers[layer]?.tracks[track].hits[index],
      let gain = self[known: id].loop.layers[layer]?.gain
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
    if hit.sound.use.count == 0 { effects.append(.keep(hit.sound)) }
    hit.sound.use.retain()
    hits += 1
    let name = self[known: id].name
    commit(
      .command(.loopHit(layer: number, hit: hit.sequence, hold: hold, gain: gain)), by: name, at: frame,
      engine: .start(start),
      &effects)
    let shown = PendingHit(
      frame: frame, sequence: lastSequence, player: id, name: name, pad: start.pad, velocity: hit.velocity,
      duration: duration)
    show(shown, &effects)
  }

  // MARK: Planning

  /// What comes next, after any change of the clock.
  mutating func planLoops() {
    for index in players.indices { plan(PlayerID(index: UInt8(index))) }
    updateNextTurn()
    updateNextLoop()
  }

  /// What comes next, after a change of this player's loop.
  mutating func planLoop(of id: PlayerID) {
    plan(id)
    updateNextTurn()
    updateNextLoop()
  }

  /// Another swing: the hits that come next lie elsewhere, and none comes twice.
  mutating func realignLoops() {
    let clock = loopClock
    for id in seated {
      self[known: id].realign(clock)
      loopPlan.frames[Int(id.index)] = nextFrame(of: id)
    }
    updateNextLoop()
  }

  private mutating func plan(_ id: PlayerID) {
    let index = Int(id.index)
    loopPlan.frames[index] = LoopPlan.never
    loopPlan.turns[index] = LoopPlan.noBeat
    guard players[index] != nil else { return }
    loopPlan.turns[index] = self[known: id].nextTurn ?? LoopPlan.noBeat
    let (clock, isPlaying) = (loopClock, map.isPlaying)
    self[known: id].planLoops(clock, isPlaying: isPlaying)
    loopPlan.frames[index] = nextFrame(of: id)
  }

  /// Of the loop and the lanes, or of what came early for a pass under way.
  private func nextFrame(of id: PlayerID) -> Frames {
    let next = self[known: id].nextLoopFrame
    guard let early = self[known: id].loop.nextEarly else { return next }
    return min(next, map.view.frame(at: early.beat))
  }

  private mutating func updateNextTurn() {
    nextTurn = nil
    for (index, beat) in loopPlan.turns.enumerated() where beat < (nextTurn?.1 ?? LoopPlan.noBeat) {
      nextTurn = (PlayerID(index: UInt8(index)), beat)
    }
  }

  private mutating func updateNextLoop() {
    let next = loopPlan.frames.reduce(LoopPlan.never) { min($0, $1) }
    nextLoop = map.isPlaying && next != LoopPlan.never ? next : nil
  }

  /// When loops have something to do next; nil while they have nothing.
  var loopDeadline: Frames? {
    guard map.isPlaying else { return nil }
    var next = nextLoop
    if let nextTurn {
      let turn = map.view.frame(at: nextTurn.1)
      next = min(next ?? turn, turn)
    }
    return next.map { $0 - RoomState.liveDelay }
  }

  /// Where in their loops the players are.
  func tellLoopPositions(at now: Frames, _ effects: inout [Effect]) {
    guard map.isPlaying else { return }
    let beat = map.view.beat(at: now)
    for id in seated where isHere(id) {
      guard self[known: id].loop.isPlaying, self[known: id].loop.length > .zero else { continue }
      let position = self[known: id].loop.position(of: beat).value / self[known: id].loop.length.value
      effects.append(.tell(.loopPosition(Float(position)), .player(id)))
    }
  }
}

internal import JamCore
internal import JamEngine
internal import JamRealtime

/// When loops do something next, and their hits. A full room has thousands of those a second: what each of them looks at is in
/// `LoopPlan`, and no player is copied.
extension RoomState {
  /// Hits everything of the loops up to one constant delay after `now`.
  mutating func playLoops(at now: Frames, _ effects: inout [Effect]) {
    let horizon = now + RoomState.liveDelay
    advanceLoops(until: horizon, &effects)
    defer {
      loopsSent = horizon + Frames(1)
      settleLateHits(&effects)
    }
    guard let nextLoop, nextLoop <= horizon else { return }
    let view = map.view
    for index in loopPlan.frames.indices where loopPlan.frames[index] <= horizon {
      let id = PlayerID(index: UInt8(index))
      let length = self[known: id].loop.length
      repeatEarlyHits(of: id, until: horizon, &effects)
      for layer in self[known: id].loop.layers.indices {
        while let next = self[known: id].loop.layers[layer]?.next, next.frame <= horizon {
          // What a stalled thread missed is not caught up in a burst.
          if next.frame > now - RoomState.mostLate {
            loopHit(layer + 1, next.index, by: id, at: next.frame, &effects)
          }
          self[known: id].loop.layers[layer]?.goOn(by: length, view)
        }
      }
      loopPlan.frames[index] = nextFrame(of: id)
    }
    updateNextLoop()
  }

  private static let mostLate = Frames.milliseconds(50)

  private mutating func loopHit(
    _ number: Int, _ index: Int, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let layer = self[known: id].loop.layers[number - 1] else { return }
    soundAgain(layer.hits[index], of: number, gain: layer.gain, by: id, at: frame, &effects)
  }

  mutating func soundAgain(
    _ hit: LoopHit, of number: Int, gain: Float, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    var hold: Int64 = 0
    if let length = hit.length {
      let beat = map.view.beat(at: frame)
      hold = max(1, Int64((map.view.exactFrame(at: beat + length) - map.view.exactFrame(at: beat)).rounded()))
    }
    sound(hit, of: number, hold: Int32(clamping: hold), gain: gain, by: id, at: frame, &effects)
  }

  /// A loop's hit that a score holds.
  mutating func loopHit(
    _ number: Int, hit: UInt32, hold: Int32, gain: Float, by id: PlayerID, at frame: Frames,
    _ effects: inout [Effect]
  ) {
    guard let played = playedHits[hit] else { return }
    sound(played, of: number, hold: hold, gain: gain, by: id, at: frame, &effects)
  }

  private mutating func sound(
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

  private mutating func plan(_ id: PlayerID) {
    let index = Int(id.index)
    loopPlan.frames[index] = LoopPlan.never
    loopPlan.turns[index] = LoopPlan.noBeat
    guard players[index] != nil else { return }
    loopPlan.turns[index] = self[known: id].loop.nextTurn ?? LoopPlan.noBeat
    guard !self[known: id].loop.layers.isEmpty || self[known: id].loop.pass != nil else { return }
    let isPlaying = map.isPlaying && self[known: id].loop.isPlaying && self[known: id].loop.length > .zero
    let (sent, view) = (loopsSent, map.view)
    self[known: id].loop.plan(from: sent, view, isPlaying: isPlaying)
    loopPlan.frames[index] = nextFrame(of: id)
  }

  /// Of the layers, or of what came early for a pass under way.
  private func nextFrame(of id: PlayerID) -> Frames {
    let next = self[known: id].loop.nextFrame
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
    nextLoop = map.isPlaying && rolls && next != LoopPlan.never ? next : nil
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
    for index in players.indices {
      let id = PlayerID(index: UInt8(index))
      guard isHere(id), self[known: id].loop.isPlaying, self[known: id].loop.length > .zero else { continue }
      let position = self[known: id].loop.position(of: beat).value / self[known: id].loop.length.value
      effects.append(.tell(.loopPosition(Float(position)), .player(id)))
    }
  }
}

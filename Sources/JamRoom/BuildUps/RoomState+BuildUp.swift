internal import JamCore
internal import JamEngine

/// Build-ups as they are ordered, changed and ended. `RoomState+Building` makes their sound.
extension RoomState {

  /// Everything before `frame` has been carried out.
  mutating func orderBuildUp(to bpm: Float?, over bars: Int, _ curve: TempoCurve, by id: PlayerID, at frame: Frames) {
    let isStart = !clock.isPlaying
    let map = isStart ? clock.map.starting(at: frame) : clock.map
    let base = clock.buildUps.tempo(of: map)
    // The log holds a Float, so the map must too: rendered again, it has to be the same map.
    let target = Tempo(clamping: Double(bpm ?? Float(Tempo(clamping: base.beatsPerMinute * 1.25).beatsPerMinute)))
    let start = isStart ? .zero : map.barLine(atOrAfter: frame)
    let end = map.barLine(bars, after: start)
    let next = BuildUp(
      player: id, base: base, target: target, bars: bars, curve: curve, start: start, end: end,
      drop: clock.buildUps.parts.hold ? nil : end, nextLine: start, nextRise: start, nextBar: start)
    let replacedEffects = clock.buildUps.current.map { replaced($0, by: id) } ?? []
    let isDropping = (clock.buildUps.outgoing ?? clock.buildUps.current)?.isDropOrdered == true
    let new = clock.buildUps.order(next, in: map, at: frame)
    let action = LogAction.command(.buildUp(bpm: Float(target.beatsPerMinute), bars: bars, curve))
    if isStart {
      queue.restart(with: new, at: frame, from: clock.view)
      for player in roster.occupied { loopers[player].played.detach(from: clock.view) }
      countRoundsAnew()
    }
    put(new, at: frame, action, by: id)
    outbox.append(replacedEffects)
    if !isDropping { unhush(at: frame) }
    if isStart {
      clock.nextBeat = .zero
      startLoops()
      for player in roster.people { realignRolls(of: player.id, at: frame) }
      outbox.append(.tell(.value(.playing, .bool(true)), .everybody))
    }
    announceNextBeat()
    reportBuildUp(at: clock.view.beat(at: frame))
  }

  mutating func orderDrop(by id: PlayerID, at frame: Frames) {
    let line = clock.barLine(atOrAfter: frame)
    change(.drop, by: id, at: frame) { buildUp in
      buildUp.drop = line
      buildUp.isDropOrdered = true
    }
  }

  /// It ends at once, at the tempo of before.
  mutating func callOffBuildUp(by id: PlayerID, at frame: Frames) {
    guard let buildUp = clock.buildUps.current else { return }
    put(
      clock.map.setting(buildUp.base, at: frame), at: frame, .command(.cancelBuildUp), by: id)
    endBuildUp(by: id, at: frame)
    announceNextBeat()
  }

  mutating func put(
    _ parts: BuildUpParts, _ setting: Setting, to value: SettingValue, by id: PlayerID, at frame: Frames
  ) {
    clock.buildUps.parts = parts
    let now = clock.view.beat(at: frame)
    guard setting == .buildUpHold, let buildUp = clock.buildUps.current, !buildUp.isDropOrdered,
      (buildUp.drop == nil) != parts.hold
    else {
      commit(.command(.set(setting, value)), by: id, at: frame)
      if !parts.riser { home(at: frame, over: RoomState.letGo) }
      if !parts.silence { unhush(at: frame) }
      return clock.planBuildUps()
    }
    // The ramp's own end, unless that is over.
    let line =
      buildUp.end > now ? clock.view.barLine(atOrAfter: buildUp.end) : clock.barLine(atOrAfter: frame)
    change(.set(setting, value), by: id, at: frame) { $0.drop = parts.hold ? nil : line }
  }

  /// A player who sets the tempo or stops the transport ends the build-up.
  mutating func endBuildUp(by id: PlayerID, at frame: Frames) {
    guard clock.buildUps.current != nil else { return }
    clock.buildUps.end()
    home(at: frame, over: RoomState.letGo)
    unhush(at: frame)
    clock.planBuildUps()
    reportBuildUp(at: .zero)
  }

  /// A build-up outlives the player who ordered it, without its roll. It ends with the last player.
  mutating func leaveBuildUp(of id: PlayerID, at frame: Frames) {
    clock.buildUps.leave(id)
    guard let buildUp = clock.buildUps.current, !roster.people.contains(where: { $0.id != id }) else {
      return clock.planBuildUps()
    }
    // Before the leave: in a replay of the log, the player must still be there.
    let frame = notBeforeSent(frame)
    put(
      clock.map.setting(buildUp.base, at: frame), at: frame, .command(.cancelBuildUp), by: id)
    endBuildUp(by: id, at: frame)
  }

  private mutating func change(_ command: Command, by id: PlayerID, at frame: Frames, _ body: (inout BuildUp) -> Void) {
    let now = clock.view.beat(at: frame)
    guard let (map, isMoved) = clock.buildUps.change(in: clock.map, at: now, body) else { return }
    put(map, at: frame, .command(command), by: id)
    if isMoved { unhush(at: frame) }
    announceNextBeat()
    reportBuildUp(at: now)
  }

  /// To both, once.
  private func replaced(_ old: BuildUp, by id: PlayerID) -> [Effect] {
    guard let player = old.player, player != id, let earlier = roster.here(player) else { return [] }
    let event = Event.buildUpReplaced(player: earlier.name, by: roster[id].name)
    return [.tell(event, .player(player)), .tell(event, .player(id))]
  }
}

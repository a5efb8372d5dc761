internal import JamCore
internal import JamEngine

/// What is heard of a build-up beside the tempo, sent ahead of its frame as rolls are, and what is told of it.
///
/// All of it is logged as it is sent: a score needs only to repeat it.
extension RoomState {
  /// Of the riser, when a build-up is ended at once: 40 ms.
  static let letGo = Frames(1_920)
  /// Of the riser and the silence before a drop, so that the bar line finds the mix as it was: 5 ms.
  static let letGoBeforeDrop = Frames(240)

  /// Does what is due at `now`.
  mutating func buildUpOn(at now: Frames, _ effects: inout [Effect]) {
    guard let nextBuildUp, nextBuildUp <= now else { return }
    if var running = outgoing, let limit = buildUp?.start {
      roll(&running, before: limit, at: now, &effects)
      rise(&running, before: limit, at: now, &effects)
      dropOn(&running, at: now, &effects)
      outgoing = running
    }
    if var running = buildUp {
      roll(&running, before: running.drop, at: now, &effects)
      rise(&running, before: running.drop, at: now, &effects)
      dropOn(&running, at: now, &effects)
      buildUp = running
    }
    tellBars(until: now, &effects)
    planBuildUp()
  }

  /// A build-up that is to begin, before anything of it is sent: the tempo may be locked by now, or who ordered it a listener. Then it ends
  /// at `frame`, and with it the one whose place it was to take.
  mutating func allowBuildUp(at frame: Frames, _ effects: inout [Effect]) {
    guard let order = buildUp, !order.isAllowed,
      map.view.frame(at: order.start) - RoomState.rollAhead + RoomState.liveDelay <= frame
    else { return }
    buildUp?.isAllowed = true
    // Of one who left it goes on.
    guard let id = order.player else { return }
    let frame = notBeforeAdvanced(frame)
    do throws(Refusal) {
      try requireUnlocked(.tempo, id)
      try requirePlaying(id)
    } catch {
      let command = Command.buildUp(bpm: Float(order.target.beatsPerMinute), bars: order.bars, order.curve)
      effects.append(.tell(.refused(command, reason: error.reason), .player(id)))
      advanceLoops(until: frame, &effects)
      callOffBuildUp(by: id, at: frame, &effects)
    }
  }

  /// A command for `frame` finds what lies before it done.
  mutating func settleBuildUp(at frame: Frames, _ effects: inout [Effect]) {
    allowBuildUp(at: frame, &effects)
    buildUpOn(at: frame, &effects)
  }

  /// The order, a change of the clock, or something that was sent: something else is due next.
  mutating func planBuildUp() {
    nextBuildUp = nil
    guard let buildUp else { return }
    var next = map.view.frame(at: buildUp.nextBar)
    if !buildUp.isAllowed { next = min(next, map.view.frame(at: buildUp.start) - RoomState.rollAhead) }
    for running in [outgoing, buildUp] {
      guard let running else { continue }
      let limit = running.start < buildUp.start ? buildUp.start : running.drop
      if let frame = nextHit(of: running, before: limit) { next = min(next, frame - RoomState.rollAhead) }
      if let frame = nextRise(of: running, before: limit) { next = min(next, frame - RoomState.rollAhead) }
      guard let drop = running.drop else { continue }
      if buildUpParts.silence, !running.isHushSent {
        next = min(next, hushFrame(before: drop) - RoomState.rollAhead)
      }
      if !running.isHome { next = min(next, homeFrame(before: drop) - RoomState.rollAhead) }
      if !running.isImpactSent { next = min(next, map.view.frame(at: drop) - RoomState.rollAhead) }
    }
    nextBuildUp = next
  }

  // MARK: The roll

  private func nextHit(of running: BuildUp, before limit: Beats?) -> Frames? {
    guard buildUpParts.roll, running.player != nil else { return nil }
    if let limit, running.nextLine >= limit { return nil }
    return frame(of: running.nextLine, of: running)
  }

  /// Where a line of the roll is hit: it swings with the room, as those of `/repeat` do.
  private func frame(of line: Beats, of running: BuildUp) -> Frames {
    let straight = GridLines(running.grid(at: line))
    // They count from the build-up's first bar line: in bars of odd sixteenths some are no lines of their bar's.
    guard swing > 0, map.view.line(straight, atOrBefore: line) == line else { return map.view.frame(at: line) }
    return map.view.frame(at: map.view.line(line, of: straight, in: GridLines(straight.grid, swing: swing)))
  }

  private mutating func roll(_ running: inout BuildUp, before limit: Beats?, at now: Frames, _ effects: inout [Effect])
  {
    let silence = buildUpParts.silence ? running.drop.map { hushBeat(before: $0) } : nil
    while true {
      let line = running.nextLine
      let frame = frame(of: line, of: running)
      guard limit.map({ line < $0 }) ?? true, frame - RoomState.rollAhead <= now else { return }
      running.nextLine = running.line(after: line)
      // What a stalled thread missed is not caught up in a burst.
      guard buildUpParts.roll, frame >= now, silence.map({ line < $0 }) ?? true, let id = running.player,
        let pad = rollPad(of: id)
      else { continue }
      strike(pad, running.velocity(at: line), by: id, at: frame, &effects)
    }
  }

  /// As a player's hit would do it, and so it stands in the log; but no loop takes it down.
  private mutating func strike(
    _ pad: Pad, _ velocity: Velocity, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    if self[known: id].pads[pad.index].isLooping {
      endLoop(pad, velocity, by: id, at: frame, &effects)
    } else {
      sound(pad, velocity, by: id, at: frame, isLive: false, isPlayed: false, &effects)
    }
  }

  private func rollPad(of id: PlayerID) -> Pad? {
    Pad(Int(buildUpParts.pad)) ?? pad(of: id, ["snare", "clap", "tom", "percussion"])
  }

  private func pad(of id: PlayerID, _ categories: [String]) -> Pad? {
    for category in categories {
      if let pad = Pad.all.first(where: { self[known: id].pads[$0.index].description?.category == category }) {
        return pad
      }
    }
    return nil
  }

  // MARK: The riser

  private func nextRise(of running: BuildUp, before limit: Beats?) -> Frames? {
    guard !running.isHome, running.nextRise < min(running.end, limit ?? running.end) else { return nil }
    return map.view.frame(at: running.nextRise)
  }

  /// Beat by beat, straight in between.
  private mutating func rise(_ running: inout BuildUp, before limit: Beats?, at now: Frames, _ effects: inout [Effect])
  {
    while let frame = nextRise(of: running, before: limit), frame - RoomState.rollAhead <= now {
      let next = min(running.nextRise + Beats(1), running.end)
      running.nextRise = next
      let length = map.view.frame(at: next) - frame
      if let drop = running.drop, frame >= homeFrame(before: drop) { continue }
      guard buildUpParts.riser, map.view.frame(at: next) > now else { continue }
      isRisen = true
      commitRise(Float(running.rise(at: next)), over: length, at: frame, &effects)
    }
  }

  private mutating func commitRise(_ amount: Float, over length: Frames, at frame: Frames, _ effects: inout [Effect]) {
    guard let name = conductor else { return }
    commitRise(amount, frames: Int(length.count), by: name, at: frame, &effects)
  }

  mutating func commitRise(
    _ amount: Float, frames: Int, by name: PlayerName, at frame: Frames, _ effects: inout [Effect]
  ) {
    commit(
      .command(.rise(amount, frames: frames)), by: name, at: frame,
      engine: .riser(amount, frames: Int32(clamping: frames)), &effects)
  }

  /// The riser lets go of the mix.
  mutating func home(at frame: Frames, over length: Frames, _ effects: inout [Effect]) {
    guard isRisen else { return }
    isRisen = false
    commitRise(0, over: length, at: frame, &effects)
  }

  mutating func unhush(at frame: Frames, _ effects: inout [Effect]) {
    guard isHushed else { return }
    hush(false, at: frame, &effects)
  }

  private mutating func hush(_ isHushed: Bool, at frame: Frames, _ effects: inout [Effect]) {
    guard let name = conductor else { return }
    self.isHushed = isHushed
    commitHush(isHushed, by: name, at: frame, &effects)
  }

  mutating func commitHush(_ isHushed: Bool, by name: PlayerName, at frame: Frames, _ effects: inout [Effect]) {
    commit(.command(.hush(isHushed)), by: name, at: frame, engine: .hush(isHushed), &effects)
  }

  /// Whose name stands in the log: whoever ordered it, or anybody who is there.
  private var conductor: PlayerName? { (buildUp?.player.flatMap { self[$0] } ?? people.first)?.name }

  // MARK: The drop

  private func hushBeat(before drop: Beats) -> Beats {
    drop - map.view.signature(at: drop - Beats(microBeats: 1)).signature.beatLength
  }

  /// On the beat itself nothing is heard any more.
  private func hushFrame(before drop: Beats) -> Frames {
    map.view.frame(at: hushBeat(before: drop)) - RoomState.letGoBeforeDrop
  }

  private func homeFrame(before drop: Beats) -> Frames { map.view.frame(at: drop) - RoomState.letGoBeforeDrop }

  private mutating func dropOn(_ running: inout BuildUp, at now: Frames, _ effects: inout [Effect]) {
    guard let drop = running.drop else { return }
    let ahead = now + RoomState.rollAhead
    let line = map.view.frame(at: drop)
    let home = homeFrame(before: drop)
    // Where the drop was ordered within its beat, from then on.
    let silence = max(hushFrame(before: drop), now + RoomState.liveDelay)
    if buildUpParts.silence, !running.isHushSent, silence <= ahead {
      running.isHushSent = true
      if silence + RoomState.letGoBeforeDrop < home { hush(true, at: silence, &effects) }
    }
    if !running.isHome, home <= ahead {
      running.isHome = true
      self.home(at: home, over: RoomState.letGoBeforeDrop, &effects)
      unhush(at: home, &effects)
    }
    if !running.isImpactSent, line <= ahead {
      running.isImpactSent = true
      guard buildUpParts.impact, line >= now, let id = running.player,
        let pad = pad(of: id, ["impact", "cymbal", "kick"])
      else { return }
      strike(pad, .full, by: id, at: line, &effects)
    }
  }

  // MARK: What is told

  private mutating func tellBars(until now: Frames, _ effects: inout [Effect]) {
    while let running = buildUp, map.view.frame(at: running.nextBar) <= now {
      let bar = running.nextBar
      if bar >= running.start { outgoing = nil }
      if let drop = running.drop, bar >= drop {
        buildUp = nil
      } else {
        buildUp?.nextBar = map.view.barLine(atOrAfter: bar + Beats(microBeats: 1))
      }
      tellBuildUp(at: bar, &effects)
    }
  }

  /// Tells it where it is another than was told.
  mutating func reportBuildUp(at beat: Beats, _ effects: inout [Effect]) {
    guard (buildUp?.report(at: beat, map.view) ?? noBuildUp) != (buildUpReport ?? noBuildUp) else { return }
    tellBuildUp(at: beat, &effects)
  }

  private mutating func tellBuildUp(at beat: Beats, _ effects: inout [Effect]) {
    buildUpReport = buildUp?.report(at: beat, map.view)
    effects.append(.tell(.buildUp(buildUpReport ?? noBuildUp), .everybody))
  }

  var noBuildUp: BuildUpReport {
    BuildUpReport(state: .none, target: Float(map.settledTempo.beatsPerMinute), barsLeft: 0)
  }
}

public import JamCore
internal import JamEngine

/// The room's next deeds by itself, and their times: each of these looks anew after a change.
extension RoomState {
  /// Plans after any change of the clock.
  mutating func planLoops() {
    for id in roster.places { plan(id) }
    schedule.findNext(isPlaying: clock.isPlaying)
  }

  /// Plans after a change of this player's loop.
  mutating func planLoop(of id: PlayerID) {
    plan(id)
    schedule.findNext(isPlaying: clock.isPlaying)
  }

  /// Another swing: the hits that come next lie elsewhere, and none comes twice.
  mutating func realignLoops(at frame: Frames) {
    let (time, frame) = (loopClock, notBeforeSent(frame))
    for id in roster.occupied {
      loopers[id].realign(time, at: frame)
      schedule.setNextHit(of: id, at: nextFrame(of: id))
    }
    schedule.findNextHit(isPlaying: clock.isPlaying)
  }

  mutating func plan(_ id: PlayerID) {
    guard roster.isTaken(id) else {
      schedule.setNextTurn(of: id, at: nil)
      return schedule.setNextHit(of: id, at: LoopSchedule.never)
    }
    schedule.setNextTurn(of: id, at: loopers[id].nextTurn)
    let (time, isPlaying) = (loopClock, clock.isPlaying)
    loopers[id].planLoops(time, isPlaying: isPlaying)
    schedule.setNextHit(of: id, at: nextFrame(of: id))
  }

  /// Of the loop and the lanes, or of what came early for a pass under way. Inlined, as `mayFit`.
  @inline(__always) func nextFrame(of id: PlayerID) -> Frames {
    let next = loopers[id].nextLoopFrame
    guard let early = loopers[id].loop.nextEarly else { return next }
    return min(next, clock.view.frame(at: early.beat))
  }

  var loopClock: LoopClock {
    LoopClock(map: clock.view, swing: clock.swing, sent: schedule.over, advanced: schedule.advanced)
  }

  /// The time of the next deed of loops; nil while there is none. Mutating, as `findDeadline`.
  private var loopDeadline: Frames? {
    mutating get {
      guard clock.isPlaying else { return nil }
      return schedule.deadline(clock.view).map { $0 - RoomState.liveDelay }
    }
  }

  // MARK: Rolls

  /// After a new rate or beat count, rolls go on at the first line from `frame` on not hit yet.
  mutating func realignRolls(of id: PlayerID, at frame: Frames) {
    let grid = hands[id].repeatRate
    alignArpeggio(of: id, at: frame)
    for pad in Pad.all {
      guard let roll = hands[id][pad].press.roll else { continue }
      guard grid != .off else {
        hands[id][pad].press.roll = nil
        continue
      }
      let next = line(of: grid, atOrAfter: max(frame, roll.sent + Frames(1)))
      hands[id][pad].press.roll?.next = next
    }
    planRolls()
  }

  /// Nothing of it is to come.
  mutating func restArpeggio(of id: PlayerID) {
    guard hands[id].playing.next != nil else { return }
    hands[id].playing.next = nil
    planRolls()
  }

  /// The arpeggiator goes on, or begins, at the first line from `frame` on not played yet. It rests
  /// while it holds nothing, or has no lines.
  mutating func alignArpeggio(of id: PlayerID, at frame: Frames) {
    let (lines, sent) = (noteLines(of: id), hands[id].playing.sent)
    let rests = lines.grid == .off || hands[id].playing.arp.isEmpty
    hands[id].playing.next = rests ? nil : line(of: lines, atOrAfter: max(frame, sent + Frames(1)))
  }

  /// Another swing: the lines that come next lie elsewhere, and none is hit twice.
  mutating func realignRolls(from old: Float, at frame: Frames) {
    for id in roster.occupied { alignArpeggio(of: id, at: frame) }
    for id in present where hands[id].repeatRate != .off {
      let rate = hands[id].repeatRate
      for pad in Pad.all {
        guard let roll = hands[id][pad].press.roll else { continue }
        let moved = clock.view.line(
          roll.next, of: GridLines(rate, swing: old), in: GridLines(rate, swing: clock.swing))
        // A line that is over already is hit where it was.
        if clock.view.frame(at: moved) >= frame { hands[id][pad].press.roll?.next = moved }
      }
    }
    planRolls()
  }

  /// The transport or the tempo changed: the rolls' next lines lie elsewhere.
  mutating func planRolls() {
    queue.nextRoll = nil
    for id in roster.occupied where roster.isHere(id) {
      if let next = hands[id].playing.next { queue.planRoll(at: clock.view.frame(at: next)) }
      if let next = hands[id].progression.next { queue.planRoll(at: clock.view.frame(at: next)) }
      let grid = hands[id].repeatRate
      for index in hands[id].pads.indices {
        guard let roll = hands[id].pads[index].press.roll, let frame = nextFrame(of: roll, grid) else { continue }
        queue.planRoll(at: frame)
      }
    }
  }

  func nextFrame(of roll: Roll, _ grid: Grid) -> Frames? { grid == .off ? nil : clock.view.frame(at: roll.next) }

  /// The lines of the player's arpeggiator, or of its notes that repeat.
  func noteLines(of id: PlayerID) -> GridLines {
    let own = hands[id].playing.arpeggiates ? hands[id].playing.swing : 0
    return GridLines(hands[id].noteGrid, swing: max(clock.swing, own))
  }

  func line(of grid: Grid, atOrAfter frame: Frames) -> Beats {
    line(of: GridLines(grid, swing: clock.swing), atOrAfter: frame)
  }

  func line(of lines: GridLines, atOrAfter frame: Frames) -> Beats {
    var line = clock.view.line(lines, atOrBefore: clock.view.beat(at: frame))
    while clock.view.frame(at: line) < frame { line = clock.view.line(lines, after: line) }
    return line
  }

  func line(of grid: Grid, after line: Beats) -> Beats {
    self.line(of: GridLines(grid, swing: clock.swing), after: line)
  }

  func line(of lines: GridLines, after line: Beats) -> Beats { clock.view.line(lines, after: line) }

  // MARK: Timetags

  /// The time of the next command that waits for its timetag; nil without one. Mutating, as
  /// `findDeadline`.
  var scheduledDeadline: Frames? {
    mutating get {
      guard let next = queue.scheduled.last else { return nil }
      return goesAhead(next) ? next.frame - ScheduledCommand.ahead : next.due
    }
  }

  /// Whether a command is a hit that no earlier one can change: a player's own on a plain pad. Hits
  /// that hold, roll, go round or choke others depend on the state at their time. Mutating, as
  /// `findDeadline`.
  private mutating func goesAhead(_ next: ScheduledCommand) -> Bool {
    guard let pad = next.command.hitPad, !pad.isKey, next.moment.heard == nil, roster.isHere(next.player) else {
      return false
    }
    let id = next.player
    guard hands[id].quantize == .off, hands[id].timing != .interval, hands[id].playing.changesNothing,
      !hands[id].repeatsAll
    else { return false }
    return hands.read(pad, of: id) {
      $0.settings.mode == .oneShot && !$0.press.isGated && !$0.isLooping && $0.settings.choke == 0
    }
  }

  // MARK: Deadlines

  /// The frame of the next deed of `tick`, for holders of the state who do not change it.
  public var nextDeadline: Frames {
    var state = self
    return state.findDeadline()
  }

  /// The same for the room, each turn. Mutating, and so is all it asks: for a value only read
  /// there, Swift would copy the state, 3 KB and all it holds.
  mutating func findDeadline() -> Frames {
    var next = min(pulse.nextPosition, pulse.nextHousekeeping)
    if pulse.hasToFit { next = min(next, pulse.ticked) }
    if let spring = mix.holds.nextSpring { next = min(next, spring - RoomState.liveDelay) }
    if clock.isPlaying { next = min(next, clock.view.frame(at: clock.nextBeat)) }
    if let pending = queue.nextPending { next = min(next, pending) }
    if let nextRoll = queue.nextRoll { next = min(next, nextRoll) }
    if let loopDeadline { next = min(next, loopDeadline) }
    if let move = schedule.moving.next { next = min(next, move - RoomState.liveDelay) }
    if let buildUp = clock.buildUps.next { next = min(next, buildUp) }
    if let late = schedule.nextLate { next = min(next, late - RoomState.liveDelay) }
    if clock.isPlaying, let note = queue.take?.deadline(clock.view) { next = min(next, note) }
    if let waiting = queue.next { next = min(next, waiting) }
    if let scheduledDeadline { next = min(next, scheduledDeadline) }
    if let count = clock.voteDeadline { next = min(next, count) }
    if let outside = clock.outsideDeadline { next = min(next, outside) }
    if let opening = session.opening {
      next = min(next, opening.deadline(clock.view, isPlaying: clock.isPlaying))
    }
    if clock.isPlaying, let scene = library.scenes.waiting { next = min(next, scene.deadline(clock.view)) }
    return next
  }
}

internal import JamCore

/// A pad that rolls: which line of the grid its next hit falls on, and how hard.
struct Roll: Equatable, Sendable {
  var velocity: Velocity
  var next: Beats
  /// Of the last hit that was sent: no line is hit twice.
  var sent: Frames
}

/// Pads in mode `repeat`: while one is held, the room itself hits it on every line of the grid, so that no network's jitter is heard.
extension RoomState {
  /// A press begins the roll on the next line, a harder or softer one while it is held goes on with that velocity.
  mutating func roll(
    _ pad: Pad, _ velocity: Velocity, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) {
    guard roster[id].pads[pad.index].roll == nil else {
      roster[id].pads[pad.index].roll?.velocity = velocity
      return
    }
    let grid = roster[id].repeatRate
    let line = line(of: grid, atOrAfter: playedFrame(moment))
    // The first hit is sure, however soon the pad is let go: a tap is heard.
    let frame = clock.view.frame(at: line)
    let position = sound(pad, velocity, by: id, at: frame, isLive: false, &effects).recorded
    let wanted = moment.tagged ?? arrivalFrame(moment)
    effects.append(.tell(receiptEvent(pad, at: frame, position, wanted: wanted), .player(id)))
    roster[id].pads[pad.index].roll = Roll(velocity: velocity, next: self.line(of: grid, after: line), sent: frame)
    planRolls()
  }

  mutating func endRoll(_ pad: Pad, of id: PlayerID) {
    guard roster[id].pads[pad.index].roll != nil else { return }
    roster[id].pads[pad.index].roll = nil
    planRolls()
  }

  /// Sends the hits of every roll that are due at `now`.
  mutating func rollOn(at now: Frames, _ effects: inout [Effect]) {
    guard let next = queue.nextRoll, next <= now else { return }
    for player in roster.people {
      for pad in Pad.all {
        while let roll = roster[player.id].pads[pad.index].roll,
          let frame = nextFrame(of: roll, player), frame - HitQueue.ahead <= now
        {
          let next = line(of: player.repeatRate, after: roll.next)
          roster[player.id].pads[pad.index].roll = Roll(velocity: roll.velocity, next: next, sent: frame)
          // What a stalled thread missed is not caught up in a burst.
          if frame >= now { sound(pad, roll.velocity, by: player.id, at: frame, isLive: false, &effects) }
        }
      }
    }
    planRolls()
  }

  /// A change of the rate, or beats or bars that count anew: rolls go on with the first line from `frame` on that was not hit yet.
  mutating func realignRolls(of id: PlayerID, at frame: Frames) {
    let grid = roster[id].repeatRate
    for pad in Pad.all {
      guard let roll = roster[id].pads[pad.index].roll else { continue }
      guard grid != .off else {
        roster[id].pads[pad.index].roll = nil
        continue
      }
      let next = line(of: grid, atOrAfter: max(frame, roll.sent + Frames(1)))
      roster[id].pads[pad.index].roll?.next = next
    }
    planRolls()
  }

  /// Another swing: the lines that come next lie elsewhere, and none is hit twice.
  mutating func realignRolls(from old: Float, at frame: Frames) {
    for player in roster.people where player.repeatRate != .off {
      for pad in Pad.all {
        guard let roll = roster[player.id].pads[pad.index].roll else { continue }
        let moved = clock.view.line(
          roll.next, of: GridLines(player.repeatRate, swing: old), in: GridLines(player.repeatRate, swing: clock.swing))
        // A line that is over already is hit where it was.
        if clock.view.frame(at: moved) >= frame { roster[player.id].pads[pad.index].roll?.next = moved }
      }
    }
    planRolls()
  }

  /// The transport or the tempo changed: the rolls' next lines lie elsewhere.
  mutating func planRolls() {
    queue.nextRoll = nil
    for player in roster.people {
      for state in player.pads {
        guard let roll = state.roll, let frame = nextFrame(of: roll, player) else { continue }
        queue.nextRoll = min(queue.nextRoll ?? frame - HitQueue.ahead, frame - HitQueue.ahead)
      }
    }
  }

  private func nextFrame(of roll: Roll, _ player: Player) -> Frames? {
    guard player.repeatRate != .off else { return nil }
    return clock.view.frame(at: roll.next)
  }

  private func line(of grid: Grid, atOrAfter frame: Frames) -> Beats {
    let lines = GridLines(grid, swing: clock.swing)
    var line = clock.view.line(lines, atOrBefore: clock.view.beat(at: frame))
    while clock.view.frame(at: line) < frame { line = clock.view.line(lines, after: line) }
    return line
  }

  private func line(of grid: Grid, after line: Beats) -> Beats {
    clock.view.line(GridLines(grid, swing: clock.swing), after: line)
  }
}

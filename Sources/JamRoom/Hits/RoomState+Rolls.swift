internal import JamCore

/// A pad that rolls: which line of the grid its next hit falls on, and how hard.
struct Roll: Sendable {
  var velocity: Velocity
  var next: Beats
  /// Of the last hit that was sent: no line is hit twice.
  var sent: Frames
}

/// Pads in mode `repeat`: while one is held, the room itself hits it on every line of the grid, so that no network's jitter is heard.
extension RoomState {
  /// How long before its frame a roll's hit is sent: time for the ways between the threads, and for a release to stop it.
  static let rollAhead = Frames(480)

  /// A press begins the roll on the next line, a harder or softer one while it is held goes on with that velocity.
  mutating func roll(
    _ pad: Pad, _ velocity: Velocity, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) {
    guard self[known: id].pads[pad.index].roll == nil else {
      self[known: id].pads[pad.index].roll?.velocity = velocity
      return
    }
    let grid = self[known: id].repeatRate
    let line = line(of: grid, atOrAfter: playedFrame(moment))
    // The first hit is sure, however soon the pad is let go: a tap is heard.
    let frame = map.view.frame(at: line)
    let position = sound(pad, velocity, by: id, at: frame, isLive: false, &effects).recorded
    let wanted = moment.tagged ?? arrivalFrame(moment)
    effects.append(.tell(receiptEvent(pad, at: frame, position, wanted: wanted), .player(id)))
    self[known: id].pads[pad.index].roll = Roll(velocity: velocity, next: self.line(of: grid, after: line), sent: frame)
    planRolls()
  }

  mutating func endRoll(_ pad: Pad, of id: PlayerID) {
    guard self[known: id].pads[pad.index].roll != nil else { return }
    self[known: id].pads[pad.index].roll = nil
    planRolls()
  }

  /// Sends the hits of every roll that are due at `now`.
  mutating func rollOn(at now: Frames, _ effects: inout [Effect]) {
    guard let nextRoll, nextRoll <= now else { return }
    for player in people {
      for pad in Pad.all {
        while let roll = self[known: player.id].pads[pad.index].roll,
          let frame = nextFrame(of: roll, player), frame - RoomState.rollAhead <= now
        {
          let next = line(of: player.repeatRate, after: roll.next)
          self[known: player.id].pads[pad.index].roll = Roll(velocity: roll.velocity, next: next, sent: frame)
          // What a stalled thread missed is not caught up in a burst.
          if frame >= now { sound(pad, roll.velocity, by: player.id, at: frame, isLive: false, &effects) }
        }
      }
    }
    planRolls()
  }

  /// A change of the rate, or beats or bars that count anew: rolls go on with the first line from `frame` on that was not hit yet.
  mutating func realignRolls(of id: PlayerID, at frame: Frames) {
    let grid = self[known: id].repeatRate
    for pad in Pad.all {
      guard let roll = self[known: id].pads[pad.index].roll else { continue }
      guard grid != .off else {
        self[known: id].pads[pad.index].roll = nil
        continue
      }
      let next = line(of: grid, atOrAfter: max(frame, roll.sent + Frames(1)))
      self[known: id].pads[pad.index].roll?.next = next
    }
    planRolls()
  }

  /// Another swing: the lines that come next lie elsewhere, and none is hit twice.
  mutating func realignRolls(from old: Float, at frame: Frames) {
    for player in people where player.repeatRate != .off {
      for pad in Pad.all {
        guard let roll = self[known: player.id].pads[pad.index].roll else { continue }
        let moved = map.view.line(
          roll.next, of: GridLines(player.repeatRate, swing: old), in: GridLines(player.repeatRate, swing: swing))
        // A line that is over already is hit where it was.
        if map.view.frame(at: moved) >= frame { self[known: player.id].pads[pad.index].roll?.next = moved }
      }
    }
    planRolls()
  }

  /// The transport or the tempo changed: the rolls' next lines lie elsewhere.
  mutating func planRolls() {
    nextRoll = nil
    for player in people {
      for state in player.pads {
        guard let roll = state.roll, let frame = nextFrame(of: roll, player) else { continue }
        nextRoll = min(nextRoll ?? frame - RoomState.rollAhead, frame - RoomState.rollAhead)
      }
    }
  }

  private func nextFrame(of roll: Roll, _ player: Player) -> Frames? {
    guard player.repeatRate != .off else { return nil }
    return map.view.frame(at: roll.next)
  }

  private func line(of grid: Grid, atOrAfter frame: Frames) -> Beats {
    let lines = GridLines(grid, swing: swing)
    var line = map.view.line(lines, atOrBefore: map.view.beat(at: frame))
    while map.view.frame(at: line) < frame { line = map.view.line(lines, after: line) }
    return line
  }

  private func line(of grid: Grid, after line: Beats) -> Beats {
    map.view.line(GridLines(grid, swing: swing), after: line)
  }
}

internal import JamCore

/// A pad that rolls: which line of the grid its next hit falls on, and how hard.
struct Roll: Sendable {
  var velocity: Velocity
  var line: Int64
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
    let from = effectFrame(moment)
    let beat = map.view.beat(at: from)
    var line = line(of: grid, atOrBefore: beat)
    while map.view.frame(at: position(line, grid, near: beat)) < from { line += 1 }
    // The first hit is sure, however soon the pad is let go: a tap is heard.
    let frame = map.view.frame(at: position(line, grid, near: beat))
    let position = sound(pad, velocity, by: id, at: frame, isLive: false, &effects)
    let wanted = moment.tagged ?? liveFrame(moment)
    effects.append(.tell(receiptEvent(pad, at: frame, position, wanted: wanted), .player(id)))
    self[known: id].pads[pad.index].roll = Roll(velocity: velocity, line: line + 1)
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
          self[known: player.id].pads[pad.index].roll?.line += 1
          // What a stalled thread missed is not caught up in a burst.
          if frame >= now { _ = sound(pad, roll.velocity, by: player.id, at: frame, isLive: false, &effects) }
        }
      }
    }
    planRolls()
  }

  /// A change of the rate: rolls go on with the next line of the new grid.
  mutating func realignRolls(of id: PlayerID, at frame: Frames) {
    let grid = self[known: id].repeatRate
    let beat = map.view.beat(at: frame)
    let next = grid == .off ? nil : line(of: grid, atOrBefore: beat) + 1
    for pad in Pad.all {
      guard let roll = self[known: id].pads[pad.index].roll else { continue }
      self[known: id].pads[pad.index].roll = next.map { Roll(velocity: roll.velocity, line: $0) }
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
    return map.view.frame(at: position(roll.line, player.repeatRate, near: nextBeat))
  }

  /// Lines count from beat 0; bars from the beginning of the signature that holds.
  private func line(of grid: Grid, atOrBefore beat: Beats) -> Int64 {
    let signature = map.view.signature(at: beat)
    let start = grid == .bar ? signature.startBeat : .zero
    return grid.index(atOrBefore: beat - start, barLength: signature.signature.barLength)
  }

  private func position(_ line: Int64, _ grid: Grid, near beat: Beats) -> Beats {
    let signature = map.view.signature(at: beat)
    let start = grid == .bar ? signature.startBeat : .zero
    return start + grid.line(line, barLength: signature.signature.barLength)
  }
}

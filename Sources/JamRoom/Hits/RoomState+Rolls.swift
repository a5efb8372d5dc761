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
    guard roster[id][pad].roll == nil else {
      roster[id][pad].roll?.velocity = velocity
      return
    }
    let grid = roster[id].repeatRate
    let line = line(of: grid, atOrAfter: playedFrame(moment))
    // The first hit is sure, however soon the pad is let go: a tap is heard.
    let frame = clock.view.frame(at: line)
    let position = sound(pad, velocity, by: id, at: frame, isLive: false, &effects).recorded
    let wanted = moment.tagged ?? arrivalFrame(moment)
    effects.append(.tell(receiptEvent(pad, at: frame, position, wanted: wanted), .player(id)))
    roster[id][pad].roll = Roll(velocity: velocity, next: self.line(of: grid, after: line), sent: frame)
    planRolls()
  }

  mutating func endRoll(_ pad: Pad, of id: PlayerID) {
    guard roster[id][pad].roll != nil else { return }
    roster[id][pad].roll = nil
    planRolls()
  }

  /// Sends the hits of every roll that are due at `now`.
  mutating func rollOn(at now: Frames, _ effects: inout [Effect]) {
    guard let next = queue.nextRoll, next <= now else { return }
    for player in roster.people {
      for pad in Pad.all {
        while let roll = roster[player.id][pad].roll,
          let frame = nextFrame(of: roll, player), frame - HitQueue.ahead <= now
        {
          let next = line(of: player.repeatRate, after: roll.next)
          roster[player.id][pad].roll = Roll(velocity: roll.velocity, next: next, sent: frame)
          // What a stalled thread missed is not caught up in a burst.
          if frame >= now { sound(pad, roll.velocity, by: player.id, at: frame, isLive: false, &effects) }
        }
      }
    }
    planRolls()
  }

}

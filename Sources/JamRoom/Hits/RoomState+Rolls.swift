internal import JamCore

/// A pad that rolls: which line of the grid its next hit falls on, and how hard.
struct Roll: Equatable, Sendable {
  var velocity: Velocity
  var next: Beats
  /// Of the last hit that was sent: no line is hit twice.
  var sent: Frames
}

/// Pads in mode `repeat`: the room hits a held pad on each grid line, free of network jitter.
extension RoomState {
  /// A press begins the roll on the next line; another one while it is held changes the velocity.
  /// Only the first hit can be one that the client sounds itself.
  mutating func roll(
    _ pad: Pad, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at moment: Moment
  ) {
    guard hands.read(pad, of: id, { $0.press.roll == nil }) else {
      hands[id][pad].press.roll?.velocity = velocity
      return
    }
    let grid = hands[id].repeatRate
    let line = line(of: grid, atOrAfter: playedFrame(moment))
    // The first hit is sure, however soon the pad is let go: a tap is heard.
    let frame = clock.view.frame(at: line)
    let position = sound(pad, velocity, own, by: id, at: frame, isLive: false).recorded
    let wanted = moment.tagged ?? arrivalFrame(moment)
    outbox.append(.tell(receiptEvent(pad, at: frame, position, wanted: wanted), .player(id)))
    hands[id][pad].press.roll = Roll(velocity: velocity, next: self.line(of: grid, after: line), sent: frame)
    planRolls()
  }

  mutating func endRoll(_ pad: Pad, of id: PlayerID) {
    guard hands.read(pad, of: id, { $0.press.roll != nil }) else { return }
    hands[id][pad].press.roll = nil
    planRolls()
  }

  /// Sends the hits of every roll that are due at `now`.
  mutating func rollOn(at now: Frames) {
    for id in roster.occupied where roster.isHere(id) {
      let grid = hands[id].repeatRate
      for pad in Pad.all {
        while let roll = hands[id].pads[pad.index].press.roll, let frame = nextFrame(of: roll, grid),
          frame - HitQueue.ahead <= now
        {
          hands[id][pad].press.roll = Roll(velocity: roll.velocity, next: line(of: grid, after: roll.next), sent: frame)
          // A stalled thread does not catch up on missed hits in a burst.
          guard frame >= now else { continue }
          // A hit that waited since the pad was another goes round. Any hit ends that.
          if hands[id].pads[pad.index].isLooping {
            endLoop(pad, roll.velocity, by: id, at: frame)
          } else {
            sound(pad, roll.velocity, by: id, at: frame, isLive: false)
          }
        }
      }
    }
  }

}

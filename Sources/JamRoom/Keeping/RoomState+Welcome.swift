internal import JamCore
internal import JamEngine

/// Somebody is there again, in a room that was kept: what played goes on from the next bar line, and those who do not come are not waited
/// for any longer.
extension RoomState {
  /// So long after the first who comes the others have time to come, too.
  private static let patience = Frames.seconds(120)

  mutating func welcomeBack(at frame: Frames) {
    guard roster.isExpecting else { return }
    roster.isExpecting = false
    roster.expectedUntil = frame + RoomState.patience
    let line = clock.isPlaying ? clock.barLine(atOrAfter: frame) : .zero
    for id in roster.occupied {
      guard let resumes = loopers[id].resumes else { continue }
      loopers[id].resumes = nil
      if resumes.loop { loopers[id].loop.resume(at: line) }
      for (lane, action) in resumes.lanes.enumerated() {
        if let action { loopers[id].lanes[lane].waiting = WaitingAction(action: action, line: line) }
      }
      planLoop(of: id)
      tellLoop(of: id)
    }
  }

  /// Whoever was there before the process ended, and has not come since, is gone; what it left playing plays on.
  mutating func forgetExpected(at now: Frames) {
    guard let until = roster.expectedUntil, until <= now else { return }
    roster.expectedUntil = nil
    for id in roster.occupied where roster[id].isExpected {
      roster[id].isExpected = false
      if roster.isHere(id) { leave(id, at: Moment(arrival: now)) }
    }
  }

  /// The player is there: it is not expected any more.
  mutating func greet(_ id: PlayerID) {
    guard roster.isHere(id) else { return }
    roster[id].isExpected = false
  }

  /// Clients that have a token show it within seconds of the server's start.
  private static let headStart = Frames.seconds(10)

  /// Who comes under the name of somebody who is expected, and has no token to show, goes on with
  /// what was that player's: as if that one had left, its role is not handed on. A guest has no
  /// token at all: its address makes its name. Who comes from where that player came from needs not
  /// wait for those who have a token: most controllers keep none.
  mutating func yieldExpected(
    _ name: PlayerName, isGuest: Bool, from visitor: Visitor, at moment: Moment
  ) {
    guard let id = roster.player(named: name), roster[id].isExpected,
      isGuest && roster[id].isGuest || moment.arrival >= RoomState.headStart
        || visitor.presence < .connected && roster[id].whereabouts.covers(visitor)
    else { return }
    leave(id, playsOn: true, at: moment)
  }

  /// The player's place is needed. Who is expected leaves its loop, which nobody has started again
  /// yet.
  /// - Returns: false where it is not expected.
  mutating func leaveExpected(_ id: PlayerID, at moment: Moment) -> Bool {
    guard roster[id].isExpected else { return false }
    leave(id, playsOn: !loopers[id].loop.hasNothing, at: moment)
    return true
  }

  /// Other streams are open than before: who focused on a block before the process ended hears it again.
  mutating func focusAgain(at moment: Moment) {
    for id in roster.occupied where roster.isHere(id) {
      guard let place = loopers[id].resumedFocus else { continue }
      do throws(Refusal) {
        try checkFocus(on: place.lane, slot: place.slot, by: id)
        focus(on: place.lane, slot: place.slot, by: id, at: moment)
        loopers[id].resumedFocus = nil
      } catch {
        // Its stream is not open yet, or the block is gone.
      }
    }
  }
}

internal import JamCore
internal import JamEngine

/// Somebody is back in a kept room: its music goes on from the next bar line, and absent players
/// are no longer waited for.
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

  /// Players from before the restart who did not come are gone; their loops and lanes play on.
  mutating func forgetExpected(at now: Frames) {
    guard let until = roster.expectedUntil, until <= now else { return }
    roster.expectedUntil = nil
    for id in roster.occupied where roster[id].isExpected {
      roster[id].isExpected = false
      forgetControls(of: id)
      if roster.isHere(id) { leave(id, at: Moment(arrival: now)) }
    }
  }

  /// Clients that have a token show it within seconds of the server's start.
  private static let headStart = Frames.seconds(10)

  /// A visitor without a token takes up an expected player by name: as if that player had left, its
  /// role is not handed on. A guest has no token at all: its address makes its name. A visitor from
  /// that player's own address need not wait for those with a token: most controllers keep none.
  /// Nobody yields to a visitor who has to wait at the door.
  mutating func yieldExpected(
    _ name: PlayerName, isGuest: Bool, from visitor: Visitor, at moment: Moment
  ) {
    guard let id = roster.player(named: name), roster[id].isExpected,
      !stopsAtDoor(visitor, as: .player),
      isGuest && roster[id].isGuest || moment.arrival >= RoomState.headStart
        || visitor.presence < .connected && roster[id].whereabouts.covers(visitor)
    else { return }
    leave(id, playsOn: true, at: moment)
  }

  /// The player's place is needed. An expected player leaves its loop, which nobody has restarted
  /// yet.
  /// - Returns: false where it is not expected.
  mutating func leaveExpected(_ id: PlayerID, at moment: Moment) -> Bool {
    guard roster[id].isExpected else { return false }
    forgetControls(of: id)
    leave(id, playsOn: !loopers[id].loop.hasNothing, at: moment)
    return true
  }

  /// Other streams are open now: a player with a focus from before the restart hears it again.
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

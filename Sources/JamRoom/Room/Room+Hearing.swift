public import JamCore

/// The lights of the room's players.
extension Room {
  /// Takes what a player's client says of the sound.
  /// - Parameter report: nil is that the room does not sound there.
  public func hears(_ report: HearingReport?, by player: PlayerID, at arrival: Frames) {
    change { state, _ in state.outbox.append(state.roster.hears(report, by: player, at: arrival)) }
  }

  /// Looks at all lights. Call it once a second.
  /// - Parameters:
  ///   - serverEvents: what this server was too late for in the room since the last look.
  ///   - reports: the receiver reports about the room's streams since the last look.
  public func lookAtHearing(serverEvents: Int, reports: [ReceivedReport]) {
    let now = now
    change { state, _ in
      for report in reports { state.outbox.append(state.roster.hears(report, at: now)) }
      state.outbox.append(state.roster.lookAtHearing(serverEvents: serverEvents, at: now))
    }
  }
}

internal import JamCore

/// The lights of players: how well each hears the room. Each player is told its own, and hosts are
/// told all.
extension Roster {
  /// Takes what a player's client says of the sound.
  /// - Parameter report: nil is that the room does not sound there.
  /// - Returns: what to tell, as of each function here.
  mutating func hears(_ report: HearingReport?, by id: PlayerID, at now: Frames) -> [Effect] {
    guard isHere(id) else { return [] }
    let wasHeld = self[id].hearing.lateness.isHeld
    let isNews =
      if let report {
        self[id].hearing.lateness.take(report, at: now)
      } else {
        self[id].hearing.lateness.stop(at: now)
      }
    if isNews { return lightEffects(of: id) }
    // Rooms without lights are not looked at, unless the snapshot says that one is held.
    return wasHeld == self[id].hearing.lateness.isHeld ? [] : [.peopleChanged]
  }

  /// Takes what receiver reports say of a player's stream, where the player's client says nothing.
  mutating func hears(_ reception: ReceivedReport, at now: Frames) -> [Effect] {
    // Streams have no names. Of several players at one address, nobody knows whose a stream is.
    let there = people.filter { person in person.whereabouts.isAt(reception.addresses) }
    guard let person = there.first, there.count == 1, !person.isAway,
      !person.hearing.lateness.isReporting(at: now)
    else { return [] }
    let isNews = self[person.id].hearing.lateness.take(
      reception.report, at: now, patience: Lateness.patienceForReceiverReports)
    return isNews ? lightEffects(of: person.id) : []
  }

  /// Looks at all lights, once a second.
  /// - Parameter serverEvents: what this server was too late for since the last look.
  mutating func lookAtHearing(serverEvents: Int, at now: Frames) -> [Effect] {
    var effects: [Effect] = []
    for id in occupied where isHere(id) {
      let wasHeld = self[id].hearing.lateness.isHeld
      if self[id].hearing.lateness.look(serverEvents: serverEvents, at: now) {
        effects += lightEffects(of: id)
      } else if wasHeld != self[id].hearing.lateness.isHeld {
        effects.append(.peopleChanged)
      }
    }
    return effects
  }

  /// The lights that a player may see.
  func lightEvents(for id: PlayerID) -> [Event] {
    let seesAll = isHost(id)
    return people.filter { (seesAll || $0.id == id) && $0.hearing.lateness.light != .off }
      .map(\.lightEvent)
  }

  /// Tells the light of a player who has another name now.
  func lightEffects(ofRenamed id: PlayerID) -> [Effect] {
    here(id)?.hearing.lateness.light == .off ? [] : lightEffects(of: id)
  }

  private func lightEffects(of id: PlayerID) -> [Effect] {
    guard let event = here(id)?.lightEvent else { return [] }
    return people.filter { $0.id == id || $0.isHost }.map { .tell(event, .player($0.id)) }
      + [.peopleChanged]
  }
}

internal import JamCore

/// The lights of players: how well each hears the room. Each player is told its own, and hosts are
/// told all.
extension RoomState {
  /// Takes what a player's client says of the sound.
  /// - Parameter report: nil is that the room does not sound there.
  mutating func hears(_ report: HearingReport?, by id: PlayerID, at now: Frames) {
    guard roster.isHere(id) else { return }
    if let report {
      if desks[id].lateness.take(report, at: now) { tellLight(of: id) }
    } else if desks[id].lateness.stop() {
      tellLight(of: id)
    }
  }

  /// Takes what a player's receiver reports say of its stream, where its client says nothing.
  mutating func hears(_ reception: ReceivedReport, at now: Frames) {
    // Streams have no names. Of several players at one address, nobody knows whose a stream is.
    let there = roster.people.filter { person in
      person.whereabouts.addresses.contains { $0.text == reception.address }
    }
    guard there.count == 1, let id = there.first?.id, !roster[id].isAway,
      !desks[id].lateness.isReporting(at: now)
    else { return }
    if desks[id].lateness.take(reception.report, at: now, patience: Lateness.patienceForReceiverReports) {
      tellLight(of: id)
    }
  }

  /// Looks at all lights, once a second.
  /// - Parameter serverEvents: what this server was too late for since the last look.
  mutating func lookAtLights(serverEvents: Int, at now: Frames) {
    for id in roster.occupied where roster.isHere(id) {
      if desks[id].lateness.look(serverEvents: serverEvents, at: now) { tellLight(of: id) }
    }
  }

  /// Tells a player's light to the player and to hosts.
  mutating func tellLight(of id: PlayerID) {
    let event = lightEvent(of: id)
    outbox.append(.tell(event, .player(id)))
    for host in roster.people where host.isHost && host.id != id { outbox.append(.tell(event, .player(host.id))) }
    outbox.append(.peopleChanged)
  }

  /// Tells a new host all lights.
  mutating func tellLights(to host: PlayerID) {
    for event in lightEvents(for: host) { outbox.append(.tell(event, .player(host))) }
  }

  /// The lights that a player may see.
  func lightEvents(for id: PlayerID) -> [Event] {
    let seesAll = roster.isHost(id)
    return roster.people.filter { (seesAll || $0.id == id) && desks[$0.id].lateness.light != .off }
      .map { lightEvent(of: $0.id) }
  }

  private func lightEvent(of id: PlayerID) -> Event {
    .playerLight(player: roster[id].name, desks[id].lateness.light)
  }
}

internal import JamCore

/// Visitors: their addresses, and those a host keeps out.
extension Roster {
  /// Whether the visitor may come in under the name.
  /// - Throws: a refusal if a host put it out, or its address has its share of the room's places.
  func requireWelcome(_ wanted: PlayerName, _ visitor: Visitor, at now: Frames) throws(Refusal) {
    guard !visitor.isTrusted else { return }
    if let kick = bans.kick(of: wanted, visitor, at: now) {
      let seconds = max(1, Int(saturating: (kick.until - now).seconds.rounded(.up)))
      throw .keptOut(name: kick.name, room: room, seconds: seconds)
    }
    guard let address = visitor.address else { return }
    let (_, own, ownUnproven) = crowd(from: address)
    if visitor.presence == .unproven {
      guard ownUnproven < limits.unprovenPerAddress else { throw .unprovenAddressFull(room: room, count: ownUnproven) }
    }
    guard address.isCounted else { return }
    guard own < limits.playersPerAddress else { throw .addressFull(room: room, count: own) }
  }

  /// Whether a player may take the name: coming in under another name first leads past no kick, and
  /// past no host's word on a listener.
  func requireWelcome(_ id: PlayerID, as wanted: PlayerName, _ visitor: Visitor, at now: Frames) throws(Refusal) {
    guard isHere(id), self[id].name != wanted, !self[id].isHost, !visitor.isTrusted else { return }
    guard !bans.entries.contains(where: { $0.isKick && $0.until > now && $0.isCalled(wanted) }) else {
      throw .nameKeptOut(wanted, room: room)
    }
    guard
      self[id].isMadeListener
        || !bans.entries.contains(where: { !$0.isKick && $0.until > now && $0.isCalled(wanted) })
    else {
      throw .nameOfListener(wanted)
    }
  }

  /// Whether the room has a place left for those whose address may be forged.
  func requirePlace(_ visitor: Visitor) throws(Refusal) {
    guard visitor.presence == .unproven, let address = visitor.address else { return }
    let unproven = crowd(from: address).unproven
    guard unproven < limits.unprovenPerRoom else { throw .unprovenFull(room: room, count: unproven) }
  }

  /// Counts players with unproven addresses, those from the address, and the unproven among these.
  private func crowd(from address: SourceAddress) -> (unproven: Int, own: Int, ownUnproven: Int) {
    var count = (unproven: 0, own: 0, ownUnproven: 0)
    for id in occupied where isHere(id) {
      let index = Int(id.index)
      let isUnproven = persons.values[index]?.presence == .unproven
      let isOwn = persons.values[index]?.whereabouts.addresses.contains { $0 == address && $0.isCounted } == true
      count.unproven += isUnproven ? 1 : 0
      count.own += isOwn ? 1 : 0
      count.ownUnproven += isUnproven && isOwn ? 1 : 0
    }
    return count
  }

  /// The player who makes room for a visitor in a full room: a silent sender of single packets,
  /// unproven before proven, the longest silent first; then one expected since the room began. A
  /// player with an open connection keeps its place.
  func whoMakesRoom(for visitor: Visitor, at now: Frames) -> PlayerID? {
    let isFull = isFull
    guard isFull || visitor.presence == .unproven else { return nil }
    var unproven = 0
    var silent: (id: PlayerID, presence: Presence, lastHeard: Frames)?
    for id in occupied where isHere(id) {
      guard let presence = persons.values[Int(id.index)]?.presence else { continue }
      unproven += presence == .unproven ? 1 : 0
      guard presence < .connected, isFull || presence == .unproven else { continue }
      let player = self[id]
      guard !player.isAway, now - player.lastHeard >= player.patience else { continue }
      if let silent, (silent.presence, silent.lastHeard) <= (presence, player.lastHeard) { continue }
      silent = (id, presence, player.lastHeard)
    }
    guard isFull || unproven >= limits.unprovenPerRoom else { return nil }
    // A player whose connection ended makes room by its edge, which knows since when.
    return silent?.id ?? (isFull ? people.first(where: \.isExpected)?.id : nil)
  }

  /// Somebody resumed the player, or its address has proven itself.
  mutating func came(_ visitor: Visitor, as id: PlayerID) {
    guard isHere(id) else { return }
    self[id].note(visitor)
  }

  /// Sets the kind of connection that the player has now.
  mutating func setPresence(_ presence: Presence, of id: PlayerID) {
    if isHere(id) { self[id].presence = presence }
  }

  /// A host puts the player out.
  mutating func shutOut(_ id: PlayerID, for seconds: Int, at now: Frames) {
    let player = self[id]
    bans.remember(
      BanList.Entry(
        name: player.name, token: player.token, whereabouts: player.whereabouts, isKick: true,
        until: now + .seconds(Double(seconds))),
      limit: limits.rememberedVisitors, at: now)
  }

  /// A player made listener by a host stays one, also under another name from the same address.
  mutating func rememberListener(_ id: PlayerID, at now: Frames) {
    let player = self[id]
    guard player.isMadeListener else { return }
    bans.remember(
      BanList.Entry(
        name: player.name, token: player.token, whereabouts: player.whereabouts, isKick: false,
        until: now + .seconds(Double(limits.listenerSeconds))),
      limit: limits.rememberedVisitors, at: now)
  }

  /// Whether the visitor is somebody whom a host made a listener, here or gone, who comes in again.
  func comesAsListener(_ wanted: PlayerName, _ visitor: Visitor, at now: Frames) -> Bool {
    guard !visitor.isTrusted else { return false }
    if bans.makesListener(wanted, visitor, at: now) { return true }
    return people.contains { $0.isMadeListener && $0.whereabouts.covers(visitor) }
  }

  /// Somebody who is in already may be let in again: nothing is left to do then.
  func checkAdmit(_ name: PlayerName, by id: PlayerID, at now: Frames) throws(Refusal) {
    try requireHost(id, for: .admit)
    guard player(named: name) == nil, !bans.knows(name, at: now) else { return }
    let keptOut = bans.keptOut(at: now)
    // A name that nobody had is a typing error, whoever is kept out.
    guard !keptOut.isEmpty, departed.last(name) != nil else { throw noSuchPlayer(name) }
    throw .notKeptOut(name, keptOut: keptOut.suffix(8))
  }
}

extension Person {
  /// Notes the player's address, and the surest of its connections.
  mutating func note(_ visitor: Visitor) {
    presence = max(presence, visitor.presence)
    whereabouts.note(visitor)
  }

  /// The silence after which it makes room for somebody else.
  fileprivate var patience: Frames {
    if presence == .proven { return .seconds(30) }
    let wasHeardOnce = lastHeard - joined < .seconds(1)
    return isGuest ? .seconds(5) : wasHeardOnce ? .seconds(2) : .seconds(10)
  }
}

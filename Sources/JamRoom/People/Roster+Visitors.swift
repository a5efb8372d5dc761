internal import JamCore

/// Who comes in, from where, and whom a host keeps out.
extension Roster {
  /// Whether the visitor may come in under the name.
  /// - Throws: a refusal where a host put it out, or where its address has its share of the room's places.
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

  /// Whether a player who is here may take the name: nobody gets past a kick, or a host's word on a listener, by coming in under another
  /// name first.
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

  /// How many are here whose address may be forged, how many from the address, and how many of these are unproven.
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

  /// Who makes room for a visitor where there is no place: who sends single packets and has been
  /// silent for a while, unproven before proven, the longest silent first; then whom the room
  /// expects since it began. Whoever has a connection open keeps its place.
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
    // Whose connection ended makes room by its edge, which knows since when.
    return silent?.id ?? (isFull ? people.first(where: \.isExpected)?.id : nil)
  }

  /// Somebody resumed the player, or its address has proven itself.
  mutating func came(_ visitor: Visitor, as id: PlayerID) {
    guard isHere(id) else { return }
    self[id].note(visitor)
  }

  /// By which of its connections the player is there now.
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

  /// Whom a host made a listener stays one, under another name and from the same address, too.
  mutating func rememberListener(_ id: PlayerID, at now: Frames) {
    let player = self[id]
    guard player.isMadeListener else { return }
    bans.remember(
      BanList.Entry(
        name: player.name, token: player.token, whereabouts: player.whereabouts, isKick: false,
        until: now + .seconds(Double(limits.listenerSeconds))),
      limit: limits.rememberedVisitors, at: now)
  }

  /// Whether somebody who is here or was, and whom a host made a listener, comes in again.
  func comesAsListener(_ wanted: PlayerName, _ visitor: Visitor, at now: Frames) -> Bool {
    guard !visitor.isTrusted else { return false }
    if bans.makesListener(wanted, visitor, at: now) { return true }
    return people.contains { $0.isMadeListener && $0.whereabouts.covers(visitor) }
  }

  func checkAdmit(_ name: PlayerName, by id: PlayerID, at now: Frames) throws(Refusal) {
    try requireHost(id, for: .admit)
    guard !bans.knows(name, at: now) else { return }
    throw .notKeptOut(name, keptOut: bans.keptOut(at: now).suffix(8))
  }
}

extension Person {
  /// Where the player came from lately, and the surest of its connections.
  mutating func note(_ visitor: Visitor) {
    presence = max(presence, visitor.presence)
    whereabouts.note(visitor)
  }

  /// How long it is silent before it makes room for somebody else.
  fileprivate var patience: Frames {
    if presence == .proven { return .seconds(30) }
    let wasHeardOnce = lastHeard - joined < .seconds(1)
    return isGuest ? .seconds(5) : wasHeardOnce ? .seconds(2) : .seconds(10)
  }
}

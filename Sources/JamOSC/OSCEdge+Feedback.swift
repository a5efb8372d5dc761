internal import JamCore
internal import JamRoom
internal import JamWire

/// A room's events: answers go to the asker, and feedback to the subscribers.
extension OSCEdge: RoomOutlet {
  func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause) {
    switch audience {
    case .asker:
      guard let endpoint = origins[cause.origin] else { return }
      answer(endpoint, event, in: room, at: time())
    case .player(let player):
      guard let topic = event.topic else { return tellOwner(of: player, in: room, event, cause.origin, at: time()) }
      if case .late = event { answerIfUnheard(event, in: room, cause.origin) }
      guard !feedback.isEmpty else { return }
      let isFromElsewhere =
        event.answersHit && origins[cause.origin].map { ($0.home ?? registry.main) != room.name } ?? false
      feedback.tell(player, event, topic, in: room, cause, isFromElsewhere: isFromElsewhere, at: time())
    case .everybody:
      guard !feedback.isEmpty else { return }
      feedback.tellEverybody(event, in: room, cause, at: time())
    }
  }

  func room(
    _ room: Room, lost player: PlayerID, named name: PlayerName, kickedBy host: PlayerName?, cause: Cause
  ) {
    note(name, in: room, kickedBy: host, cause)
    for endpoint in membershipIndex.holders(of: Membership(room: room, player: player)) {
      endpoint.memberships.removeAll { $0.room === room && $0.player == player }
      if endpoint.home == room.name || endpoint.memberships.isEmpty {
        endpoint.isNamed = false
        endpoint.home = nil
      }
      if host != nil { endpoint.kickedOutOf.insert(room.name) }
    }
    unlinkAll { $0.room === room && $0.player == player }
    feedback.lost(player, in: room)
    guests.lost(player, in: room)
  }

  func room(_ room: Room, hasHost name: PlayerName, by host: PlayerName?, cause: Cause) {
    note(host: name, in: room, by: host, cause)
  }

  func isWatching(_ room: Room) -> Bool { feedback.isWatching(room) }

  func closed(_ room: Room) {
    openings.closed(room.name)
    unlinkAll { $0.room === room }
    for endpoint in origins.all {
      endpoint.memberships.removeAll { $0.room === room }
      endpoint.kickedOutOf.remove(room.name)
    }
    feedback.closed(room)
    guests.closed(room)
    away.closed(room)
  }

  private func answer(_ endpoint: Endpoint, _ event: Event, in room: Room, at now: HostTime) {
    if case .refused(let command, let refusal) = event {
      let address =
        endpoint.answerPlace?.address ?? AddressTable.standard.message(for: command)?.address ?? "/"
      outbox.refuse(endpoint, SessionReply(refusal, address: address), in: room.name, at: now)
      return
    }
    if case .notice(let notice) = event {
      show { $0.ends(with: .noticed(notice.text, code: notice.code), of: endpoint) }
    }
    if case .together(let events) = event, events.count > OSCEdge.longList { return dump(events, to: endpoint) }
    if case .value(let setting, let value) = event, let place = endpoint.answerPlace,
      place.takesValue
    {
      let table = AddressTable.standard
      let told =
        place.isShare
        ? table.share(setting, value) : table.feedback(for: event, clock: clock).messages.first
      if let told { outbox.answer(endpoint, OSCMessage(place.address, told.arguments)) }
      return
    }
    if case .value(let setting, let value) = event, endpoint.dump != nil,
      let membership = place(of: endpoint, in: room),
      endpoint.dump?.add(.value(setting, of: membership, asked: value)) == true
    {
      return
    }
    let answer = AddressTable.standard.feedback(for: event, clock: clock)
    guard !answer.messages.isEmpty else { return }
    if case .together = event { return outbox.answer(endpoint, answer.messages) }
    outbox.answer(endpoint, answer.encoded())
  }

  /// Tells the sender of a late hit that the hit was late, even where the sender has no
  /// subscription.
  private func answerIfUnheard(_ event: Event, in room: Room, _ cause: Origin) {
    guard let endpoint = origins[cause], !feedback.hears(cause) else { return }
    answer(endpoint, event, in: room, at: time())
  }

  /// The endpoint's player in a room: a named player, or a guest.
  func place(of endpoint: Endpoint, in room: Room) -> Membership? {
    endpoint.membership(in: room.name)
      ?? guests.player(of: endpoint, in: room).map { Membership(room: room, player: $0) }
  }

  /// Sends a refusal that comes later than its command: to the connection that sent the command,
  /// or, where that is gone, to all connections of the player.
  private func tellOwner(of player: PlayerID, in room: Room, _ event: Event, _ cause: Origin, at now: HostTime) {
    if let endpoint = origins[cause] { return answer(endpoint, event, in: room, at: now) }
    for endpoint in membershipIndex.holders(of: Membership(room: room, player: player)) {
      answer(endpoint, event, in: room, at: now)
    }
  }

  /// The endpoint used `/n/<address>`: it is told further values there, too.
  func noteShare(
    _ command: Command, _ addressed: AddressedRequest, _ address: String, of endpoint: Endpoint,
    in room: Room
  ) {
    let shared: Setting? =
      switch command {
      // A button sets the instrument, too, and is told its own light.
      case .set(let moved, _) where moved != .instrument: moved
      case .read(let asked): asked
      default: AddressTable.standard.light(atShare: address)
      }
    guard let setting = shared, addressed.player == nil, addressed.actingSeat == nil,
      room.name == endpoint.home ?? registry.main,
      endpoint.shares.contains(setting) || mayNote(setting, of: endpoint, in: room)
    else { return }
    endpoint.shares.insert(setting)
    feedback.noteShare(setting, of: endpoint)
  }

  /// Whether one more share may be remembered. Kits, instruments and players that the room does not
  /// have are not remembered, because a stranger could fill the memory with their names.
  private func mayNote(_ setting: Setting, of endpoint: Endpoint, in room: Room) -> Bool {
    guard endpoint.shares.count < Endpoint.mostShares,
      let player = place(of: endpoint, in: room)?.player
    else { return false }
    return room.assumeIsolated { [player] in $0.knows(setting, for: player) }
  }

  /// A value that the endpoint sets makes older waiting values of the same control stale. The
  /// endpoint is also not told the new value, because its control already shows it.
  func noteShown(
    _ command: Command, _ addressed: AddressedRequest, _ address: String, of endpoint: Endpoint, in room: Room
  ) {
    if case .set(let setting, _) = command { feedback.forgetWaiting(setting, of: endpoint) }
    guard addressed.player == nil, addressed.actingSeat == nil,
      room.name == endpoint.home ?? registry.main
    else { return }
    // A page shows only the values that are in force, so it must be told when its value is
    // accepted.
    guard !endpoint.transport.isWebSocket else { return }
    switch command {
    case .set: break
    // A button that chooses a kit, such as `/kit/dub`, is another control than `/kit`.
    case .chooseKit: guard address.hasSuffix("/kit") else { return }
    // The control shows the answer from now on.
    case .read(let setting): return endpoint.shown[setting] = nil
    default: return
    }
    guard let shown = room.assumeIsolated({ $0.shown(command) }) else { return }
    feedback.forgetWaiting(shown.setting, of: endpoint)
    endpoint.shown[shown.setting] = shown.value
  }
}

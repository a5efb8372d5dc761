internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// What senders are told: answers to the asker, feedback to subscribers.
extension OSCEdge: RoomOutlet {
  func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause) {
    switch audience {
    case .asker:
      guard let endpoint = origins[cause.origin] else { return }
      answer(endpoint, event, in: room, at: time())
    case .player(let player):
      guard let topic = event.topic else { return tellOwner(of: player, in: room, event, cause.origin, at: time()) }
      if case .late = event { answerIfUnheard(event, in: room, cause.origin) }
      guard !subscribers.isEmpty else { return }
      // Who hits in another room by /room/<name>/ has its receipts too.
      let isFromElsewhere =
        event.answersHit && origins[cause.origin].map { ($0.home ?? registry.main) != room.name } ?? false
      let those = isFromElsewhere ? Array(subscribers.values) : subscribers(in: room)
      tell(event, topic, cause, those, at: time()) {
        $0.room === room && $0.player == player || event.answersHit && $0.owner == cause.origin
      }
    case .everybody:
      guard !subscribers.isEmpty, let topic = event.topic else { return }
      tell(event, topic, cause, subscribers(in: room), at: time()) { _ in true }
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
    for subscriber in subscribers(in: room) where subscriber.player == player {
      subscriber.player = nil
    }
    guests = guests.filter { $0.key.room != room.name || $0.value.player != player }
  }

  func room(_ room: Room, hasHost name: PlayerName, by host: PlayerName?, cause: Cause) {
    note(host: name, in: room, by: host, cause)
  }

  func isWatching(_ room: Room) -> Bool { subscribers.values.contains { $0.room === room } }

  func closed(_ room: Room) {
    openings.closed(room.name)
    for endpoint in origins.values {
      endpoint.memberships.removeAll { $0.room === room }
      endpoint.kickedOutOf.remove(room.name)
    }
    subscribers = subscribers.filter { $0.value.room !== room }
    guests = guests.filter { $0.key.room != room.name }
    for index in abandoned.indices { abandoned[index].memberships.removeAll { $0.room === room } }
  }

  private func answer(_ endpoint: Endpoint, _ event: Event, in room: Room, at now: HostTime) {
    if case .refused(let command, let refusal) = event {
      let address = AddressTable.standard.message(for: command)?.address ?? "/"
      outbox.refuse(endpoint, SessionReply(refusal, address: address), at: now)
      return
    }
    if case .together(let events) = event, events.count > OSCEdge.longList { return dump(events, to: endpoint) }
    if case .value(let setting, let value) = event, endpoint.dump != nil,
      let membership = place(of: endpoint, in: room),
      endpoint.dump?.add(.value(setting, of: membership, asked: value)) == true
    {
      return
    }
    let feedback = AddressTable.standard.feedback(for: event, clock: clock)
    guard !feedback.messages.isEmpty else { return }
    if case .together = event { return outbox.answer(endpoint, feedback.messages) }
    outbox.answer(endpoint, feedback.encoded())
  }

  /// A late hit is told to whoever sent it, subscribed or not.
  private func answerIfUnheard(_ event: Event, in room: Room, _ cause: Origin) {
    guard let endpoint = origins[cause], !subscribers.values.contains(where: { $0.owner == cause }) else { return }
    answer(endpoint, event, in: room, at: time())
  }

  /// Who the endpoint is in a room: named there, or a guest.
  func place(of endpoint: Endpoint, in room: Room) -> Membership? {
    endpoint.membership(in: room.name)
      ?? guests[GuestKey(endpoint, in: room)].map {
        Membership(room: room, player: $0.player)
      }
  }

  /// A refusal that comes later than its command: to the connection that caused it, or to all of the player's.
  private func tellOwner(of player: PlayerID, in room: Room, _ event: Event, _ cause: Origin, at now: HostTime) {
    if let endpoint = origins[cause] { return answer(endpoint, event, in: room, at: now) }
    for endpoint in membershipIndex.holders(of: Membership(room: room, player: player)) {
      answer(endpoint, event, in: room, at: now)
    }
  }

  private func tell(
    _ event: Event, _ topic: Topics, _ cause: Cause, _ audience: [Subscriber], at now: HostTime,
    if wants: (Subscriber) -> Bool
  ) {
    if case .value(let setting, let value) = event {
      // Latest value wins, 30 times a second, and no echo to the control that was moved.
      for subscriber in audience
      where subscriber.topics.contains(topic) && wants(subscriber)
        && !(subscriber.owner == cause.origin && setting == cause.setting)
        && !isShown(setting, value, at: subscriber)
      {
        subscriber.put(setting, value)
        if let deadline = subscriber.deadline { nextFlush = nextFlush.map { min($0, deadline) } ?? deadline }
      }
      return
    }
    let isLight = origins[cause.origin]?.told.take(at: now) ?? true
    var bytes: [UInt8]?
    for subscriber in audience where subscriber.topics.contains(topic) && wants(subscriber) {
      // What answers one's own hits is as much as one sends: a flood of others' hits does not crowd it out.
      guard event.answersHit || subscriber.mayTell(isLight: isLight, at: now) else {
        counters.unsent.wrappingAdd(1, ordering: .relaxed)
        continue
      }
      let encoded = bytes ?? AddressTable.standard.feedback(for: event, clock: clock).encoded()
      bytes = encoded
      if topic == .state { tellMade(to: subscriber) }
      outbox.tell(subscriber, encoded, isDispensable: topic == .position || topic == .meters)
    }
  }

  func flushValues(at now: HostTime) {
    guard let due = nextFlush, due <= now else { return }
    // Most values are told to everybody: each is encoded once.
    var encoded: [Setting: (value: SettingValue, bytes: [UInt8])] = [:]
    var next: HostTime?
    for subscriber in subscribers.values {
      guard let deadline = subscriber.deadline else { continue }
      guard deadline <= now else {
        next = next.map { min($0, deadline) } ?? deadline
        continue
      }
      let values = subscriber.takeWaiting(at: now)
      tellMade(to: subscriber)
      guard subscriber.sendCredit == nil else {
        if let later = tellSparingly(values, to: subscriber, at: now) { next = next.map { min($0, later) } ?? later }
        continue
      }
      let messages = values.compactMap { setting, value -> [UInt8]? in
        if let known = encoded[setting], known.value == value { return known.bytes }
        let message = AddressTable.standard.feedback(for: .value(setting, value), clock: clock).messages.first
        guard let bytes = message?.encoded() else { return nil }
        encoded[setting] = (value, bytes)
        return bytes
      }
      for packet in OSCPacket.pack(encoded: messages) { outbox.tell(subscriber, packet.bytes) }
    }
    nextFlush = next
  }

  /// Tells the part of a long answer that is made and stands in no packet yet: something newer comes past it.
  private func tellMade(to subscriber: Subscriber) {
    guard let owner = origins[subscriber.owner], owner.dump != nil else { return }
    for packet in owner.dump?.overtaken() ?? [] { outbox.deliver(owner, packet.bytes, messages: packet.messages) }
  }

  /// One by one, as far as they may go; the others wait. A control that was moved must not show an old value for good.
  /// - Returns: when those that wait are looked at again.
  private func tellSparingly(
    _ values: [(Setting, SettingValue)], to subscriber: Subscriber, at now: HostTime
  ) -> HostTime? {
    for (index, (setting, value)) in values.enumerated() {
      let feedback = AddressTable.standard.feedback(for: .value(setting, value), clock: clock)
      guard outbox.tell(subscriber, feedback.encoded()) else {
        subscriber.keep(values[index...], at: now)
        return subscriber.deadline
      }
    }
    return nil
  }

  /// What the endpoint sets itself makes older values of the same control stale, and is not told to it when it has come in.
  func noteShown(
    _ command: Command, _ addressed: AddressedRequest, _ address: String, of endpoint: Endpoint, in room: Room
  ) {
    if case .set(let setting, _) = command { forgetWaiting(setting, of: endpoint) }
    guard addressed.player == nil, room.name == endpoint.home ?? registry.main else { return }
    // A page shows what is in force, and waits to be told that it is.
    guard !endpoint.transport.isWebSocket else { return }
    switch command {
    case .set: break
    // A button that chooses a kit, as `/kit/dub`, is another control.
    case .chooseKit: guard address.hasSuffix("/kit") else { return }
    // The answer is what it shows from now on.
    case .read(let setting): return endpoint.shown[setting] = nil
    default: return
    }
    guard let shown = room.assumeIsolated({ $0.shown(command) }) else { return }
    forgetWaiting(shown.setting, of: endpoint)
    endpoint.shown[shown.setting] = shown.value
  }

  /// Whether the subscriber's own control shows the value already, because it was set there. Another value takes its place.
  private func isShown(_ setting: Setting, _ value: SettingValue, at subscriber: Subscriber) -> Bool {
    guard let owner = origins[subscriber.owner], let shown = owner.shown[setting] else { return false }
    if shown != value { owner.shown[setting] = nil }
    return shown == value
  }

  func forgetWaiting(_ setting: Setting, of endpoint: Endpoint) {
    for subscriber in subscribers.values where subscriber.owner == endpoint.origin { subscriber.forget(setting) }
  }
}

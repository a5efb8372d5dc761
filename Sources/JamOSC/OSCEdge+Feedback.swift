internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Messages to senders: answers to the asker, and feedback to subscribers.
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
      // A sender that hits in another room through /room/<name>/ gets its receipts, too.
      let isFromElsewhere =
        event.answersHit && origins[cause.origin].map { ($0.home ?? registry.main) != room.name } ?? false
      let those = isFromElsewhere ? Array(subscribers.values) : subscribers(in: room)
      tell(event, topic, cause, those, at: time()) {
        $0.room === room && $0.player == player || event.answersHit && $0.owner == cause.origin
      }
    case .everybody:
      guard !subscribers.isEmpty, let topic = event.topic else { return }
      if topic == .hits, gather(event, cause, in: room) { return }
      // Otherwise ends of the player's keys would come behind its own.
      if case .playerGone = event { tellGathered(in: room, at: time()) }
      tell(event, topic, cause, subscribers(in: room), at: time()) { _ in true }
    }
  }

  /// Keeps a hit that nobody played just now for the next moment of telling. Such hits come from the
  /// room's clock, and so without an origin: from loops, rolls and arpeggios, or from what waited
  /// for its grid line. A key's end is kept whatever it comes from: the room tells it late anyway.
  /// - Returns: false where the event is to be told at once.
  private func gather(_ event: Event, _ cause: Cause, in room: Room) -> Bool {
    let waits =
      switch event {
      case .hit, .note: cause.origin == .none
      case .noteOff: true
      default: false
      }
    guard waits else {
      if case .note(let player, let note, _, _, _) = event {
        gathered[ObjectIdentifier(room)]?.hits.forget(note, of: player)
      }
      return false
    }
    guard subscribers(in: room).contains(where: { $0.topics.contains(.hits) }) else { return true }
    let hits = gatheredHits(in: room)
    if !hits.add(event) { counters.unsent.wrappingAdd(1, ordering: .relaxed) }
    if let deadline = hits.deadline { nextFlush = nextFlush.map { min($0, deadline) } ?? deadline }
    return true
  }

  private func gatheredHits(in room: Room) -> GatheredHits {
    if let known = gathered[ObjectIdentifier(room)] { return known.hits }
    let hits = GatheredHits()
    gathered[ObjectIdentifier(room)] = (room, hits)
    return hits
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
    gathered[ObjectIdentifier(room)] = nil
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

  /// Tells the sender of a late hit that the hit was late, even where the sender has no
  /// subscription.
  private func answerIfUnheard(_ event: Event, in room: Room, _ cause: Origin) {
    guard let endpoint = origins[cause], !subscribers.values.contains(where: { $0.owner == cause }) else { return }
    answer(endpoint, event, in: room, at: time())
  }

  /// The endpoint's player in a room: a named player, or a guest.
  func place(of endpoint: Endpoint, in room: Room) -> Membership? {
    endpoint.membership(in: room.name)
      ?? guests[GuestKey(endpoint, in: room)].map {
        Membership(room: room, player: $0.player)
      }
  }

  /// Sends a refusal that comes later than its command: to the connection that sent the command,
  /// or, where that is gone, to all connections of the player.
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
      // Values are sent 30 times a second, the latest value wins, and the control that was moved
      // gets no echo.
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
    let isDispensable = topic == .position || topic == .meters
    // Outer nil: not written yet.
    var text: Int??
    var bytes: [UInt8]?
    for subscriber in audience where subscriber.topics.contains(topic) && wants(subscriber) {
      // Answers to a subscriber's own hits are always sent. There are no more of them than the
      // subscriber sends, so a flood of other players' hits must not crowd them out.
      guard event.answersHit || subscriber.mayTell(isLight: isLight, at: now) else {
        counters.unsent.wrappingAdd(1, ordering: .relaxed)
        continue
      }
      if topic == .state { tellMade(to: subscriber) }
      if let credit = subscriber.sendCredit {
        let encoded = bytes ?? encoded(event)
        bytes = encoded
        outbox.tell(subscriber, credit, encoded, isDispensable: isDispensable)
      } else {
        let written = text ?? outbox.write(event, clock: clock, isDispensable: isDispensable)
        text = written
        outbox.tell(subscriber, written)
      }
    }
  }

  private func encoded(_ event: Event) -> [UInt8] {
    AddressTable.standard.feedback(for: event, clock: clock).encoded()
  }

  /// Tells what is told 30 times a second, as far as it is due.
  func flushFeedback(at now: HostTime) {
    guard let due = nextFlush, due <= now else { return }
    // Nothing is lost by waiting: the latest values win, and so does the latest hit of each pad.
    guard !outbox.isCrowded else { return nextFlush = TellPace.next(after: now) }
    var next: HostTime?
    for (room, hits) in gathered.values {
      guard let deadline = hits.deadline else { continue }
      if deadline <= now {
        tellGathered(in: room, at: now)
      } else {
        next = next.map { min($0, deadline) } ?? deadline
      }
    }
    if let later = flushValues(at: now) { next = next.map { min($0, later) } ?? later }
    nextFlush = next
  }

  /// Tells the hits that the room played by itself, in the same bundles to everybody.
  private func tellGathered(in room: Room, at now: HostTime) {
    guard let (hits, keys) = gathered[ObjectIdentifier(room)]?.hits.take(at: now), !hits.isEmpty || !keys.isEmpty
    else { return }
    // A missed hit is soon followed by another. A key whose end is missed stays lit.
    let pads = hits.isEmpty ? nil : outbox.write(.together(hits), clock: clock, isDispensable: true)
    let notes = keys.isEmpty ? nil : outbox.write(.together(keys), clock: clock)
    var single: (hits: [[UInt8]], keys: [[UInt8]])?
    for subscriber in subscribers(in: room) where subscriber.topics.contains(.hits) {
      if let credit = subscriber.sendCredit {
        let packets = single ?? (hits.map(encoded), keys.map(encoded))
        single = packets
        for packet in packets.hits where !outbox.tell(subscriber, credit, packet, isDispensable: true) { break }
        for packet in packets.keys { outbox.tell(subscriber, credit, packet) }
      } else {
        if !hits.isEmpty { outbox.tell(subscriber, pads) }
        if !keys.isEmpty { outbox.tell(subscriber, notes) }
      }
    }
  }

  /// - Returns: when the next values are due.
  private func flushValues(at now: HostTime) -> HostTime? {
    // Most values go to all subscribers, so each value is written only once.
    var written: [Setting: (value: SettingValue, text: Int?)] = [:]
    var next: HostTime?
    for subscriber in subscribers.values {
      guard var deadline = subscriber.deadline else { continue }
      // A light does not come before the hit that it belongs to.
      if subscriber.topics.contains(.hits), let hits = gathered[ObjectIdentifier(subscriber.room)]?.hits.deadline {
        deadline = max(deadline, hits)
      }
      if outbox.isCrowded { deadline = max(deadline, TellPace.next(after: now)) }
      guard deadline <= now else {
        next = next.map { min($0, deadline) } ?? deadline
        continue
      }
      let values = subscriber.takeWaiting(at: now)
      tellMade(to: subscriber)
      if let credit = subscriber.sendCredit {
        if let later = tellSparingly(values, to: subscriber, credit, at: now) {
          next = next.map { min($0, later) } ?? later
        }
        continue
      }
      for (setting, value) in values {
        if let known = written[setting], known.value == value {
          outbox.tell(subscriber, known.text)
        } else {
          let text = outbox.write(.value(setting, value), clock: clock)
          written[setting] = (value, text)
          outbox.tell(subscriber, text)
        }
      }
    }
    return next
  }

  /// Sends the finished part of a long answer, because a newer event is about to overtake it.
  private func tellMade(to subscriber: Subscriber) {
    guard let owner = origins[subscriber.owner], owner.dump != nil else { return }
    for packet in owner.dump?.overtaken() ?? [] { outbox.deliver(owner, packet.bytes, messages: packet.messages) }
  }

  /// Sends values one by one as far as the address may receive them; the others wait. They are not
  /// dropped, because a control must not show an old value for ever.
  /// - Returns: when the waiting values are tried again.
  private func tellSparingly(
    _ values: [(Setting, SettingValue)], to subscriber: Subscriber, _ credit: SendCredit, at now: HostTime
  ) -> HostTime? {
    for (index, (setting, value)) in values.enumerated() {
      guard outbox.tell(subscriber, credit, encoded(.value(setting, value))) else {
        subscriber.keep(values[index...], at: now)
        return subscriber.deadline
      }
    }
    return nil
  }

  /// A value that the endpoint sets makes older waiting values of the same control stale. The
  /// endpoint is also not told the new value, because its control already shows it.
  func noteShown(
    _ command: Command, _ addressed: AddressedRequest, _ address: String, of endpoint: Endpoint, in room: Room
  ) {
    if case .set(let setting, _) = command { forgetWaiting(setting, of: endpoint) }
    guard addressed.player == nil, room.name == endpoint.home ?? registry.main else { return }
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
    forgetWaiting(shown.setting, of: endpoint)
    endpoint.shown[shown.setting] = shown.value
  }

  /// Whether the subscriber's own control already shows the value, because the value was set there.
  /// A different value ends this.
  private func isShown(_ setting: Setting, _ value: SettingValue, at subscriber: Subscriber) -> Bool {
    guard let owner = origins[subscriber.owner], let shown = owner.shown[setting] else { return false }
    if shown != value { owner.shown[setting] = nil }
    return shown == value
  }

  func forgetWaiting(_ setting: Setting, of endpoint: Endpoint) {
    for subscriber in subscribers.values where subscriber.owner == endpoint.origin { subscriber.forget(setting) }
  }
}

internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Tells subscribers: events at once; values, and hits that a room plays by itself, 30 times a
/// second.
extension Subscriptions {
  /// Tells the subscribers of a room, if the event is one that they may ask for.
  func tellEverybody(_ event: Event, in room: Room, _ cause: Cause, at now: HostTime) {
    guard let topic = event.topic else { return }
    if topic == .hits, gather(event, cause, in: room) { return }
    // Otherwise ends of the player's keys would come behind its own.
    if case .playerGone = event { tellGathered(in: room, at: now) }
    tell(event, topic, cause, subscribers(in: room), at: now) { _ in true }
  }

  /// Tells a player's subscribers.
  /// - Parameter isFromElsewhere: whether the event answers a sender that is at home in another
  ///   room, and hits here through /room/<name>/. It gets its receipts, too.
  func tell(
    _ player: PlayerID, _ event: Event, _ topic: Topics, in room: Room, _ cause: Cause,
    isFromElsewhere: Bool,
    at now: HostTime
  ) {
    let those = isFromElsewhere ? Array(subscribers.values) : subscribers(in: room)
    tell(event, topic, cause, those, at: now) {
      $0.room === room && $0.player == player || event.answersHit && $0.owner == cause.origin
    }
  }

  /// Values that the subscriber is told with the next ones that change.
  func put(_ values: [Event], for subscriber: Subscriber) {
    for case .value(let setting, let value) in values { subscriber.put(setting, value) }
    if let due = subscriber.deadline { isDue(at: due) }
  }

  /// Keeps a hit that nobody played just now for the next moment of telling. Such hits come from
  /// the room's clock, and so without an origin: from loops, rolls and arpeggios, or from hits that
  /// waited for their grid line. All ends of keys are kept, because the room tells them late anyway.
  /// - Returns: false where the event must be told at once.
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
    if let due = hits.deadline { isDue(at: due) }
    return true
  }

  private func gatheredHits(in room: Room) -> GatheredHits {
    if let known = gathered[ObjectIdentifier(room)] { return known.hits }
    let hits = GatheredHits()
    gathered[ObjectIdentifier(room)] = (room, hits)
    return hits
  }

  private func tell(
    _ event: Event, _ topic: Topics, _ cause: Cause, _ audience: [Subscriber], at now: HostTime,
    if wants: (Subscriber) -> Bool
  ) {
    if case .value(let setting, let value) = event {
      // Values are sent 30 times a second, the latest value wins, and the control that was moved
      // gets no echo.
      for subscriber in audience
      where subscriber.takes(topic) && wants(subscriber)
        && !(subscriber.owner == cause.origin && setting == cause.setting)
        && !isShown(setting, value, at: subscriber)
      {
        subscriber.put(setting, value)
        if let due = subscriber.deadline { isDue(at: due) }
      }
      if let name = setting.namedPlayer { tellMixers(setting, of: name, value, cause, audience) }
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
      if topic == .state, !tellMade(to: subscriber) {
        origins[subscriber.owner]?.dump?.askAgain()
      }
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

  /// Tells a value of somebody's channel at the seat, too, to those who asked for seats.
  private func tellMixers(
    _ setting: Setting, of name: PlayerName, _ value: SettingValue, _ cause: Cause,
    _ audience: [Subscriber]
  ) {
    let mixers = audience.filter { $0.topics.contains(.seats) }
    guard let room = mixers.first?.room, let seat = room.assumeIsolated({ $0.seat(of: name) }),
      let seated = setting.atSeat(seat)
    else { return }
    for mixer in mixers where !(mixer.owner == cause.origin && seated == cause.setting) {
      mixer.put(seated, value)
      if let due = mixer.deadline { isDue(at: due) }
    }
  }

  private func isDue(at moment: HostTime) { deadline = deadline.map { min($0, moment) } ?? moment }

  private func encoded(_ event: Event) -> [UInt8] {
    AddressTable.standard.feedback(for: event, clock: clock).encoded()
  }

  /// Tells what is told 30 times a second, as far as it is due.
  func flush(at now: HostTime) {
    guard let due = deadline, due <= now else { return }
    // Nothing is lost by waiting: the latest values win, and so does the latest hit of each pad.
    guard !outbox.isCrowded else { return deadline = TellPace.next(after: now) }
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
    deadline = next
  }

  /// Tells the hits that the room played by itself, in the same bundles to everybody.
  private func tellGathered(in room: Room, at now: HostTime) {
    guard let (hits, keys) = gathered[ObjectIdentifier(room)]?.hits.take(at: now),
      !hits.isEmpty || !keys.isEmpty
    else { return }
    // A missed hit is soon followed by another. A key whose end is missed stays lit.
    let pads = hits.isEmpty ? nil : outbox.write(.together(hits), clock: clock, isDispensable: true)
    let notes = keys.isEmpty ? nil : outbox.write(.together(keys), clock: clock)
    var single: (hits: [[UInt8]], keys: [[UInt8]])?
    for subscriber in subscribers(in: room) where subscriber.topics.contains(.hits) {
      if let credit = subscriber.sendCredit {
        let packets = single ?? (hits.map(encoded), keys.map(encoded))
        single = packets
        for packet in packets.hits {
          guard outbox.tell(subscriber, credit, packet, isDispensable: true) else { break }
        }
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
      if subscriber.topics.contains(.hits),
        let hits = gathered[ObjectIdentifier(subscriber.room)]?.hits.deadline
      {
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
        if subscriber.shares.contains(setting),
          let share = AddressTable.standard.share(setting, value)
        {
          outbox.tell(subscriber, outbox.write(share))
        }
      }
    }
    return next
  }

  /// Sends the finished part of a long answer, because a newer event is about to overtake it.
  /// - Returns: false where the answer waits because the address cannot pay for it now: the part
  ///   would be lost.
  @discardableResult
  private func tellMade(to subscriber: Subscriber) -> Bool {
    guard let owner = origins[subscriber.owner], owner.dump != nil else { return true }
    guard owner.isDumpDue else { return false }
    for packet in owner.dump?.overtaken() ?? [] {
      outbox.deliver(owner, packet.bytes, messages: packet.messages)
    }
    return true
  }

  /// Sends values one by one as far as the address may receive them; the others wait. They are not
  /// dropped, because a control must not show an old value for ever. A share is sent with its value
  /// or not at all, so that its control waits likewise.
  /// - Returns: when the waiting values are tried again.
  private func tellSparingly(
    _ values: [(Setting, SettingValue)], to subscriber: Subscriber, _ credit: SendCredit,
    at now: HostTime
  ) -> HostTime? {
    // The state that waits to be paid for would show older values behind these.
    if let owner = origins[subscriber.owner], owner.dump != nil, !owner.isDumpDue {
      subscriber.keep(values[...], at: now)
      return subscriber.deadline
    }
    for (index, (setting, value)) in values.enumerated() {
      var packets = [encoded(.value(setting, value))]
      if subscriber.shares.contains(setting),
        let share = AddressTable.standard.share(setting, value)
      {
        packets.append(share.encoded())
      }
      guard outbox.tell(subscriber, credit, together: packets) else {
        subscriber.keep(values[index...], at: now)
        return subscriber.deadline
      }
    }
    return nil
  }

  /// Whether the subscriber's own control already shows the value, because the value was set there.
  /// A different value ends this.
  private func isShown(_ setting: Setting, _ value: SettingValue, at subscriber: Subscriber) -> Bool {
    guard let owner = origins[subscriber.owner], let shown = owner.shown[setting] else {
      return false
    }
    if shown != value { owner.shown[setting] = nil }
    return shown == value
  }

  func forgetWaiting(_ setting: Setting, of endpoint: Endpoint) {
    for subscriber in subscribers.values where subscriber.owner == endpoint.origin {
      subscriber.forget(setting)
    }
  }
}

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
      answer(endpoint, event, at: time())
    case .player(let player):
      guard let topic = event.topic else { return tellOwner(of: player, in: room, event, cause.origin, at: time()) }
      if case .late = event { answerIfUnheard(event, cause.origin) }
      guard !subscribers.isEmpty else { return }
      // Who hits in another room by /room/<name>/ has its receipts too.
      tell(event, topic, cause, at: time()) {
        $0.room === room && $0.player == player || event.answersHit && $0.owner == cause.origin
      }
    case .everybody:
      guard !subscribers.isEmpty, let topic = event.topic else { return }
      tell(event, topic, cause, at: time()) { $0.room === room }
    }
  }

  func room(_ room: Room, lost player: PlayerID, isKicked: Bool) {
    for endpoint in origins.values where endpoint.seats.contains(where: { $0.room === room && $0.player == player }) {
      endpoint.seats.removeAll { $0.room === room && $0.player == player }
      if endpoint.home == room.name || endpoint.seats.isEmpty {
        endpoint.isNamed = false
        endpoint.home = nil
      }
      if isKicked { endpoint.kickedOutOf.insert(room.name) }
    }
    for subscriber in subscribers.values where subscriber.room === room && subscriber.player == player {
      subscriber.player = nil
    }
    guests = guests.filter { $0.key.room != room.name || $0.value.player != player }
  }

  private func answer(_ endpoint: Endpoint, _ event: Event, at now: HostTime) {
    if case .refused(let command, let reason) = event {
      let address = AddressTable.standard.message(for: command)?.address ?? "/"
      return post.refuse(endpoint, .error(address: address, reason: reason), at: now)
    }
    let feedback = AddressTable.standard.feedback(for: event, clock: clock)
    guard !feedback.messages.isEmpty else { return }
    post.answer(endpoint, feedback.encoded())
  }

  /// A late hit is told to whoever sent it, subscribed or not.
  private func answerIfUnheard(_ event: Event, _ cause: Origin) {
    guard let endpoint = origins[cause], !subscribers.values.contains(where: { $0.owner == cause }) else { return }
    answer(endpoint, event, at: time())
  }

  /// A refusal that comes later than its command: to the connection that caused it, or to all of the player's.
  private func tellOwner(of player: PlayerID, in room: Room, _ event: Event, _ cause: Origin, at now: HostTime) {
    if let endpoint = origins[cause] { return answer(endpoint, event, at: now) }
    for endpoint in origins.values
    where endpoint.seats.contains(where: { $0.room === room && $0.player == player }) {
      answer(endpoint, event, at: now)
    }
  }

  private func tell(
    _ event: Event, _ topic: Topics, _ cause: Cause, at now: HostTime, if wants: (Subscriber) -> Bool
  ) {
    if case .value(let setting, let value) = event {
      // Latest value wins, 30 times a second, and no echo to the control that was moved.
      for subscriber in subscribers.values
      where subscriber.topics.contains(topic) && wants(subscriber)
        && !(subscriber.owner == cause.origin && setting == cause.setting)
      {
        subscriber.put(setting, value)
      }
      return
    }
    var bytes: [UInt8]?
    for subscriber in subscribers.values where subscriber.topics.contains(topic) && wants(subscriber) {
      // What answers one's own hits is as much as one sends: a flood of others' hits does not crowd it out.
      guard event.answersHit || subscriber.mayTell(at: now) else {
        counters.unsent.wrappingAdd(1, ordering: .relaxed)
        continue
      }
      let encoded = bytes ?? AddressTable.standard.feedback(for: event, clock: clock).encoded()
      bytes = encoded
      post.send(encoded, by: subscriber.transport)
    }
  }

  func flushValues(at now: HostTime) {
    for subscriber in subscribers.values {
      guard let deadline = subscriber.deadline, deadline <= now else { continue }
      for (setting, value) in subscriber.takeWaiting(at: now) {
        let feedback = AddressTable.standard.feedback(for: .value(setting, value), clock: clock)
        guard !feedback.messages.isEmpty else { continue }
        post.send(feedback.encoded(), by: subscriber.transport)
      }
    }
  }

  /// What the endpoint sets itself makes older values of the same control stale.
  func forgetWaiting(_ setting: Setting, of endpoint: Endpoint) {
    for subscriber in subscribers.values where subscriber.owner == endpoint.origin { subscriber.forget(setting) }
  }
}

internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Subscriptions and leases.
extension OSCEdge {
  func key(_ endpoint: Endpoint, port: UInt16?) -> SubscriberKey {
    switch endpoint.transport {
    case .stream(let connection): SubscriberKey(peer: .none, stream: ObjectIdentifier(connection))
    case .datagram(_, let path): SubscriberKey(peer: port.map { path.peer.with(port: $0) } ?? path.peer)
    }
  }

  func subscribe(_ endpoint: Endpoint, port: UInt16?, topics: Topics, at now: HostTime) throws(Refusal) {
    guard endpoint.proof.isProven else {
      throw Refusal("this address has to prove itself first: echo the /cookie that it was sent, then subscribe again")
    }
    let room: Room
    let home = endpoint.seat(in: endpoint.home ?? lobby.main)
    if let home {
      room = home.room
    } else {
      room = try enter(endpoint.home ?? lobby.main, endpoint)
    }
    let key = key(endpoint, port: port)
    if subscribers[key] == nil, !endpoint.transport.isStream {
      let others = subscribers.keys.count { $0.peer.host == endpoint.host }
      guard others < OSCEdge.mostSubscribersPerHost else {
        throw Refusal("\(others) ports of your host are subscribed already: /unsubscribe one first")
      }
    }
    // Another port than before: the old one would get everything twice.
    if port != endpoint.answerPort { subscribers[self.key(endpoint, port: endpoint.answerPort)] = nil }
    if let port, !endpoint.transport.isStream {
      endpoint.answerPort = port
      portsOfHosts[endpoint.host] = port
    }
    let player =
      home?.player ?? guests[GuestKey(host: endpoint.host, room: room.name)]?.player
    subscribers[key] = Subscriber(
      owner: endpoint.origin, transport: port.map(endpoint.transport.with) ?? endpoint.transport, topics: topics,
      room: room, player: player, expires: now.advanced(byMilliseconds: lease(endpoint.host)), at: now)
    counters.subscribers.store(subscribers.count, ordering: .relaxed)
  }

  func unsubscribe(_ endpoint: Endpoint) {
    subscribers[key(endpoint, port: nil)] = nil
    if let port = endpoint.answerPort ?? (endpoint.transport.isStream ? nil : portsOfHosts[endpoint.host]) {
      subscribers[key(endpoint, port: port)] = nil
      portsOfHosts[endpoint.host] = nil
      endpoint.answerPort = nil
    }
    counters.subscribers.store(subscribers.count, ordering: .relaxed)
  }

  /// The endpoint sits elsewhere now, and so do its subscriptions.
  func moveSubscriptions(of endpoint: Endpoint, to seat: Seat, at now: HostTime) {
    for (key, old) in subscribers where old.owner == endpoint.origin {
      subscribers[key] = Subscriber(
        owner: old.owner, transport: old.transport, topics: old.topics, room: seat.room, player: seat.player,
        expires: now.advanced(byMilliseconds: lease(endpoint.host)), at: now)
    }
  }

  /// In milliseconds: a quarter of an hour on attached networks, a minute elsewhere.
  private func lease(_ host: SocketAddress) -> Double { isAttached(host) ? 900_000 : 60_000 }

  /// Drops subscriptions, guests and players that have not been heard from for too long.
  func expireLeases(at now: HostTime) {
    var lastHeard: [SocketAddress: HostTime] = [:]
    for endpoint in endpoints.values {
      lastHeard[endpoint.host] = max(lastHeard[endpoint.host] ?? endpoint.lastHeard, endpoint.lastHeard)
    }
    for (key, subscriber) in subscribers where key.stream == nil {
      if let heard = lastHeard[key.peer.host] {
        // Any message from the host renews.
        subscriber.expires = max(subscriber.expires, heard.advanced(byMilliseconds: lease(key.peer.host)))
      }
      if subscriber.expires <= now { subscribers[key] = nil }
    }
    counters.subscribers.store(subscribers.count, ordering: .relaxed)
    for (key, guest) in guests where now.milliseconds(since: guest.lastHeard) > 60_000 {
      guests[key] = nil
      if let room = lobby.room(key.room) { leave(Seat(room: room, player: guest.player), at: now) }
    }
    for endpoint in endpoints.values where endpoint.isNamed {
      guard now.milliseconds(since: endpoint.lastHeard) > lease(endpoint.host) else { continue }
      for seat in endpoint.seats where !isElsewhere(seat, than: endpoint, at: now) { leave(seat, at: now) }
      endpoint.isNamed = false
      endpoint.seats = []
      endpoint.home = nil
    }
    for gone in abandoned where gone.leave <= now { for seat in gone.seats { leave(seat, at: now) } }
    abandoned.removeAll { $0.leave <= now }
  }

  /// Whether the player is also on a connection that was heard from lately.
  func isElsewhere(_ seat: Seat, than endpoint: Endpoint, at now: HostTime) -> Bool {
    origins.values.contains { other in
      other !== endpoint && other.seats.contains { $0.room === seat.room && $0.player == seat.player }
        && (other.transport.isStream || now.milliseconds(since: other.lastHeard) <= lease(other.host))
    }
  }

  func leave(_ seat: Seat, at now: HostTime) {
    let moment = Moment(arrival: seat.room.anchor.frame(at: now))
    seat.room.assumeIsolated { $0.receive(.leave, from: seat.player, at: moment, origin: .none) }
  }
}

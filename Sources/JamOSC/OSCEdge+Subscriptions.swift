internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Subscriptions and their leases.
extension OSCEdge {
  func key(_ endpoint: Endpoint, port: UInt16?) -> SubscriberKey {
    switch endpoint.transport {
    case .stream(let connection): SubscriberKey(peer: .none, stream: ObjectIdentifier(connection))
    case .datagram(_, let path): SubscriberKey(peer: port.map { path.peer.with(port: $0) } ?? path.peer)
    }
  }

  /// - Parameters:
  ///   - port: nil is the endpoint's own port.
  ///   - andOwn: whether the endpoint's own port gets the same feedback.
  func subscribe(
    _ endpoint: Endpoint, port: UInt16?, andOwn: Bool = false, topics: Topics, at now: HostTime
  ) throws(Refusal) {
    let (sendCredit, room) = try admitSubscriber(endpoint)
    let wanted = andOwn ? [port, nil] : [port]
    for port in wanted { try requireSubscription(key(endpoint, port: port), of: endpoint) }
    // Ends subscriptions of other ports, which would get everything twice.
    for old in [endpoint.answerPort, nil] where !wanted.contains(old) { subscribers[key(endpoint, port: old)] = nil }
    if !endpoint.transport.isStream {
      if port == nil, portsOfHosts[endpoint.host] == endpoint.answerPort { portsOfHosts[endpoint.host] = nil }
      if let port { portsOfHosts[endpoint.host] = port }
      endpoint.answerPort = port
      endpoint.answersOwnPort = andOwn
      endpoint.portOfHost = nil
    }
    for port in wanted { add(endpoint, port: port, topics: topics, in: room, sendCredit: sendCredit, at: now) }
    outbox.ask(endpoint)
  }

  /// Subscribes the endpoint's own port, beside the port that it asked for. A sender that says
  /// `/hello` gets feedback there, whatever it asked for before.
  func subscribeOwnPort(_ endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    let ports = endpoint.answerPort.map { [$0, nil] } ?? [nil]
    let missing = ports.filter { subscribers[key(endpoint, port: $0)] == nil }
    guard !missing.isEmpty else { return }
    let (sendCredit, room) = try admitSubscriber(endpoint)
    for port in missing {
      try requireSubscription(key(endpoint, port: port), of: endpoint)
      add(endpoint, port: port, topics: .standard, in: room, sendCredit: sendCredit, at: now)
    }
    outbox.ask(endpoint)
  }

  /// The room whose feedback the endpoint gets. Throws where the endpoint may not subscribe.
  private func admitSubscriber(_ endpoint: Endpoint) throws(Refusal) -> (sendCredit: SendCredit?, room: Room) {
    let sendCredit = endpoint.proof.isProven ? nil : endpoint.proof.sendCredit
    guard endpoint.proof.isProven || sendCredit != nil else {
      throw .addressUnproven(for: .subscription)
    }
    if let membership = endpoint.membership(in: endpoint.home ?? registry.main) { return (sendCredit, membership.room) }
    return (sendCredit, try enter(endpoint.home ?? registry.main, endpoint))
  }

  private func requireSubscription(_ key: SubscriberKey, of endpoint: Endpoint) throws(Refusal) {
    guard subscribers[key] == nil else { return }
    if !endpoint.transport.isStream {
      let others = subscribers.keys.count { $0.peer.host == endpoint.host }
      guard others < OSCEdge.mostSubscribersPerHost else {
        throw .tooManySubscriptions(others)
      }
    }
    guard !endpoint.proof.isProven, endpoint.proof.sendCredit != nil else { return }
    guard subscribers.values.count(where: { $0.sendCredit != nil }) < OSCEdge.mostUnprovenSubscribers else {
      throw .tooManyUnprovenSubscriptions
    }
  }

  private func add(
    _ endpoint: Endpoint, port: UInt16?, topics: Topics, in room: Room, sendCredit: SendCredit?, at now: HostTime
  ) {
    let player = place(of: endpoint, in: room)?.player
    subscribers[key(endpoint, port: port)] = Subscriber(
      owner: endpoint.origin, transport: port.map(endpoint.transport.with) ?? endpoint.transport, topics: topics,
      room: room, player: player, expires: now.advanced(byMilliseconds: lease(endpoint.host)), sendCredit: sendCredit,
      at: now)
    counters.subscribers.store(subscribers.count, ordering: .relaxed)
  }

  func unsubscribe(_ endpoint: Endpoint) {
    subscribers[key(endpoint, port: nil)] = nil
    if let port = endpoint.answerPort ?? (endpoint.transport.isStream ? nil : portsOfHosts[endpoint.host]) {
      subscribers[key(endpoint, port: port)] = nil
      portsOfHosts[endpoint.host] = nil
      endpoint.answerPort = nil
      endpoint.portOfHost = nil
    }
    counters.subscribers.store(subscribers.count, ordering: .relaxed)
  }

  /// Moves the endpoint's subscriptions to its new membership.
  func moveSubscriptions(of endpoint: Endpoint, to membership: Membership, at now: HostTime) {
    for (key, old) in subscribers where old.owner == endpoint.origin {
      subscribers[key] = Subscriber(
        owner: old.owner, transport: old.transport, topics: old.topics, room: membership.room,
        player: membership.player,
        expires: now.advanced(byMilliseconds: lease(endpoint.host)), sendCredit: old.sendCredit, at: now)
    }
  }

  /// The length of a lease in milliseconds: 15 minutes on attached networks, one minute elsewhere.
  func lease(_ host: SocketAddress) -> Double { isAttached(host) ? 900_000 : 60_000 }

  /// How long a named player may be silent before it leaves, in milliseconds. An unproven sender
  /// that sent for less than a second leaves soon.
  private func patience(_ endpoint: Endpoint) -> Double {
    let lease = lease(endpoint.host)
    let wasHeardOnce = endpoint.lastHeard.milliseconds(since: endpoint.firstHeard) < 1_000
    return endpoint.proof.isProven || !wasHeardOnce ? lease : min(lease, OSCEdge.heardOnceMilliseconds)
  }

  /// The end of a lease. Any message from the subscriber's host renews it; with IPv6, any message
  /// from its network.
  func expiry(of key: SubscriberKey, _ subscriber: Subscriber) -> HostTime {
    guard let heard = sites[key.peer.site]?.lastHeard else { return subscriber.expires }
    return max(subscriber.expires, heard.advanced(byMilliseconds: lease(key.peer.host)))
  }

  /// Tells a program that plays with single packets and has no subscription how to get feedback for
  /// its lights. Each host is told once.
  func tellUnsubscribed(_ endpoint: Endpoint) {
    guard !endpoint.transport.isStream, !toldToSubscribe.contains(endpoint.host),
      !subscribers.keys.contains(where: { $0.stream == nil && $0.peer.host == endpoint.host })
    else { return }
    if toldToSubscribe.count >= OSCEdge.mostEndpoints { toldToSubscribe.removeAll() }
    toldToSubscribe.insert(endpoint.host)
    outbox.answer(endpoint, AddressTable.standard.feedback(for: .notice(.notSubscribed), clock: clock).messages)
  }

  /// Drops subscriptions, guests and players after too long a silence.
  func expireLeases(at now: HostTime) {
    for (key, subscriber) in subscribers where key.stream == nil {
      subscriber.expires = expiry(of: key, subscriber)
      if subscriber.expires <= now { subscribers[key] = nil }
    }
    counters.subscribers.store(subscribers.count, ordering: .relaxed)
    for (key, guest) in guests where now.milliseconds(since: guest.lastHeard) > 60_000 {
      guests[key] = nil
      if let room = registry.room(key.room) { leave(Membership(room: room, player: guest.player), at: now) }
    }
    for endpoint in endpoints.values where endpoint.isNamed {
      guard now.milliseconds(since: endpoint.lastHeard) > patience(endpoint) else { continue }
      for membership in endpoint.memberships where !isElsewhere(membership, than: endpoint, at: now) {
        leave(membership, at: now)
      }
      endpoint.isNamed = false
      endpoint.memberships = []
      endpoint.home = nil
    }
    for gone in abandoned where gone.leave <= now { for membership in gone.memberships { leave(membership, at: now) } }
    abandoned.removeAll { $0.leave <= now }
  }

  /// Whether the player is also on another connection that sent something lately.
  func isElsewhere(_ membership: Membership, than endpoint: Endpoint, at now: HostTime) -> Bool {
    membershipIndex.holders(of: membership).contains { other in
      other !== endpoint && (other.transport.isStream || now.milliseconds(since: other.lastHeard) <= lease(other.host))
    }
  }

  func leave(_ membership: Membership, at now: HostTime) {
    let moment = Moment(arrival: membership.room.anchor.frame(at: now))
    membership.room.assumeIsolated { $0.receive(.leave, from: membership.player, at: moment, origin: .none) }
  }
}

internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Subscriptions and their leases.
extension OSCEdge {
  /// - Parameters:
  ///   - port: nil is the endpoint's own port.
  ///   - andOwn: whether the endpoint's own port gets the same feedback.
  ///   - isDesk: whether the endpoint named seats among its topics.
  func subscribe(
    _ endpoint: Endpoint, port: UInt16?, andOwn: Bool = false, topics: Topics,
    isDesk: Bool = false, at now: HostTime
  ) throws(Refusal) {
    if let port, isOwn(port, of: endpoint) { throw .ownPort(port) }
    let (sendCredit, room) = try admitSubscriber(endpoint)
    let wanted = andOwn ? [port, nil] : [port]
    for port in wanted {
      let key = Subscriber.Key(endpoint.transport, port: port)
      try feedback.requireSubscription(key, of: endpoint)
      if topics.contains(.monitor),
        !outbox.monitor.mayWatch(key, room, as: endpoint.membership(in: room.name)?.player)
      {
        throw .tooManyWatchers(OSCMonitor.mostWatchers)
      }
    }
    // A connection loses nothing, so the state is brought there once.
    let has = { [feedback] (topic: Topics) in
      endpoint.transport.isStream && feedback.tells(topic, to: Subscriber.Key(endpoint.transport))
    }
    let hasState = has(.state)
    // The use of a seat's address brought no labels.
    let hasSeats = has(.seats) && (!isDesk || origins.isDesk(endpoint.origin))
    // Before the state, which tells seats to mixers alone, and the mixer's own seat as it is then.
    if isDesk {
      origins.addDesk(endpoint.origin)
      sitAside(endpoint)
    }
    feedback.move(endpoint, to: port, andOwn: andOwn)
    for port in wanted { add(endpoint, port: port, topics: topics, in: room, sendCredit: sendCredit, at: now) }
    // The notice that the state comes later is sent before the cookie, because it says what the
    // cookie is for.
    if topics.contains(.state), !hasState {
      bringState(of: room, to: endpoint, isAsked: true)
    } else if topics.contains(.seats), !hasSeats {
      bringState(of: room, to: endpoint, isAsked: true, ofSeats: true)
    }
    outbox.ask(endpoint)
  }

  /// Whether the port at the endpoint's host is the server's own. Feedback that goes there would
  /// come back as messages, and each of them would be answered.
  private func isOwn(_ port: UInt16, of endpoint: Endpoint) -> Bool {
    guard port == outbox.ownPort, case .datagram(_, let path) = endpoint.transport else {
      return false
    }
    return path.peer.isLoopback || path.peer.host == path.local.host
  }

  /// Subscribes the endpoint's own port, beside the port that it asked for. A sender that says
  /// `/hello` gets feedback there, whatever it asked for before.
  func subscribeOwnPort(_ endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    let ports = endpoint.answerPort.map { [$0, nil] } ?? [nil]
    let missing = ports.filter { !feedback.has(Subscriber.Key(endpoint.transport, port: $0)) }
    guard !missing.isEmpty else { return }
    let (sendCredit, room) = try admitSubscriber(endpoint)
    for port in missing {
      try feedback.requireSubscription(Subscriber.Key(endpoint.transport, port: port), of: endpoint)
      let topics = standardTopics(of: endpoint)
      add(endpoint, port: port, topics: topics, in: room, sendCredit: sendCredit, at: now)
    }
    outbox.ask(endpoint)
  }

  /// A nameless sender that plays and asked for no feedback gets its lights: at the port that it
  /// sends from, and at the port that it announces. Those that are on come at once. They are paid
  /// for as a subscription is.
  func giveLights(to endpoint: Endpoint, of player: PlayerID, in room: Room, at now: HostTime) {
    guard case .datagram = endpoint.transport, room.name == endpoint.home ?? registry.main,
      endpoint.proof.isProven || endpoint.proof.sendCredit != nil,
      feedback.mayGiveLights(to: endpoint, at: now)
    else { return }
    let announced = controllers.port(announcedBy: endpoint.transport.peer)
    let own = endpoint.transport.peer.port
    // Everything on the controller is dark so far.
    let lit = room.assumeIsolated { [player] in $0.litValues(of: player) }
    for port in Set([own, announced ?? own]) {
      let subscriber = Subscriber(
        owner: endpoint.origin, transport: endpoint.transport.with(port: port), topics: .lights,
        room: room, player: player, expires: now.advanced(byMilliseconds: UnaskedHosts.leaseMilliseconds),
        sendCredit: endpoint.proof.isProven ? nil : endpoint.proof.sendCredit, at: now)
      feedback.add(subscriber)
      feedback.put(lit, for: subscriber)
    }
  }

  /// Lights that nobody asked for go to another port of their host that still plays, where theirs has
  /// fallen silent: a controller that connects anew has another port. Call it twice a second.
  func moveSilentLights(at now: HostTime) {
    let hosts = feedback.hostsWithSilentLights(at: now)
    guard !hosts.isEmpty else { return }
    for endpoint in table.endpoints.values
    where !endpoint.isNamed && hosts.contains(endpoint.host)
      && now.milliseconds(since: endpoint.lastHeard) < UnaskedHosts.silenceMilliseconds
    {
      guard let own = endpoint.membership(in: endpoint.home ?? registry.main) else { continue }
      giveLights(to: endpoint, of: own.player, in: own.room, at: now)
    }
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

  private func add(
    _ endpoint: Endpoint, port: UInt16?, topics: Topics, in room: Room, sendCredit: SendCredit?, at now: HostTime
  ) {
    let player = place(of: endpoint, in: room)?.player
    let subscriber = Subscriber(
      owner: endpoint.origin,
      transport: port.map(endpoint.transport.with) ?? endpoint.transport, topics: topics,
      room: room, player: player,
      expires: now.advanced(byMilliseconds: proofs.lease(endpoint.host)),
      sendCredit: sendCredit, at: now)
    feedback.add(subscriber)
    if topics.contains(.monitor) { outbox.tellScope(of: subscriber) }
  }

  /// How long a named player may be silent before it leaves, in milliseconds. An unproven sender
  /// that sent for less than a second leaves soon.
  private func patience(_ endpoint: Endpoint) -> Double {
    let lease = proofs.lease(endpoint.host)
    let wasHeardOnce = endpoint.lastHeard.milliseconds(since: endpoint.firstHeard) < 1_000
    return endpoint.proof.isProven || !wasHeardOnce ? lease : min(lease, OSCEdge.heardOnceMilliseconds)
  }

  /// The end of a lease. Any message from the subscriber's host renews it; with IPv6, any message
  /// from its network.
  func expiry(of subscriber: Subscriber) -> HostTime {
    let peer = subscriber.key.peer
    guard let heard = table.sites[peer.site]?.lastHeard else { return subscriber.expires }
    let lease = subscriber.isUnasked ? UnaskedHosts.leaseMilliseconds : proofs.lease(peer.host)
    return max(subscriber.expires, heard.advanced(byMilliseconds: lease))
  }

  /// Drops subscriptions, guests and players after too long a silence.
  func expireLeases(at now: HostTime) {
    feedback.expire(at: now, expiry)
    for guest in guests.takeSilent(at: now) {
      if let room = registry.room(guest.room) { leave(Membership(room: room, player: guest.player), at: now) }
    }
    for endpoint in table.endpoints.values where endpoint.isNamed {
      guard now.milliseconds(since: endpoint.lastHeard) > patience(endpoint),
        !mayStaySilent(endpoint, at: now)
      else { continue }
      for membership in endpoint.memberships where !isElsewhere(membership, than: endpoint, at: now) {
        leave(membership, at: now)
      }
      endpoint.isNamed = false
      endpoint.memberships = []
      endpoint.home = nil
    }
    for membership in away.takeDue(at: now) { leave(membership, at: now) }
  }

  /// Whether the endpoint is a controller that shows a player's lights, and need send nothing. The
  /// player leaves by its own connections, unless the controller has played, too.
  private func mayStaySilent(_ endpoint: Endpoint, at now: HostTime) -> Bool {
    guard controllers.link(at: endpoint.origin) != nil else { return false }
    return endpoint.lastHeard == OSCEdge.neverHeard
      || endpoint.memberships.contains { isElsewhere($0, than: endpoint, at: now) }
  }

  /// Whether the player is also on another connection that sent something lately.
  func isElsewhere(_ membership: Membership, than endpoint: Endpoint, at now: HostTime) -> Bool {
    membershipIndex.holders(of: membership).contains { other in
      other !== endpoint
        && (other.transport.isStream || now.milliseconds(since: other.lastHeard) <= proofs.lease(other.host))
    }
  }

  func leave(_ membership: Membership, at now: HostTime) {
    let moment = Moment(arrival: membership.room.anchor.frame(at: now))
    membership.room.assumeIsolated { $0.receive(.leave, from: membership.player, at: moment, origin: .none) }
  }
}

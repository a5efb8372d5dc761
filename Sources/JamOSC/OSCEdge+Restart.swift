internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import Synchronization

/// Programs that keep nothing themselves go on after the server began anew, as if it had not ended.
extension OSCEdge {
  /// Those of whom a next server should know, in no order.
  func senders(at now: HostTime) -> KeptSenders {
    var kept = KeptSenders()
    for endpoint in endpoints.values where endpoint.isNamed {
      guard case .datagram(let socket, let path) = endpoint.transport, let membership = endpoint.memberships.first,
        let token = membership.room.assumeIsolated({ $0.player(membership.player)?.token })
      else { continue }
      kept.senders.append(
        KeptSenders.Sender(
          peer: path.peer, local: path.local, socket: socket, room: membership.room.name, token: token,
          answerPort: endpoint.answerPort, answersOwnPort: endpoint.answersOwnPort))
    }
    for (key, subscriber) in subscribers {
      guard case .datagram(let socket, let path) = subscriber.transport else { continue }
      // In steps, so that they are not written anew all the time; rounded down, so that a server that
      // begins anew again and again does not feed an address that nobody is at.
      let lease = lease(path.peer)
      let left = (expiry(of: key, subscriber).milliseconds(since: now) / lease * 30).rounded(.down) / 30
      guard left > 0 else { continue }
      kept.subscriptions.append(
        KeptSenders.Subscription(
          owner: origins[subscriber.owner]?.transport.peer ?? .none, peer: path.peer, local: path.local,
          socket: socket, room: subscriber.room.name, topics: subscriber.topics,
          seconds: Int(saturating: left * lease / 1_000)))
    }
    return kept
  }

  /// What an earlier server knew. Call it before anything comes in, with its rooms open again.
  ///
  /// Nobody is a host by it, before the word is said again. Who is far off has to prove its address
  /// before it is told anything.
  func resume(_ kept: KeptSenders, at now: HostTime) {
    for sender in kept.senders where sender.socket < outbox.socketCount {
      guard let room = registry.room(sender.room), endpoints[sender.peer] == nil,
        let player = room.assumeIsolated({ $0.player(token: sender.token) })
      else { continue }
      let endpoint = newEndpoint(
        along: NetworkPath(peer: sender.peer, local: sender.local), socket: sender.socket, at: now)
      endpoint.memberships = [Membership(room: room, player: player)]
      endpoint.home = room.name
      endpoint.isNamed = true
      endpoint.answerPort = sender.answerPort
      endpoint.answersOwnPort = sender.answersOwnPort
      endpoint.isResumed = true
      if let port = sender.answerPort { portsOfHosts[endpoint.host] = port }
    }
    for subscription in kept.subscriptions where subscription.socket < outbox.socketCount {
      guard let room = registry.room(subscription.room), isAttached(subscription.peer) else { continue }
      let owner = endpoints[subscription.owner]
      let proof = owner?.proof ?? proof(of: subscription.peer, at: now)
      guard proof.isProven || proof.sendCredit != nil else { continue }
      if owner == nil, subscription.owner.port != subscription.peer.port, !subscription.owner.isNone {
        portsOfHosts[subscription.peer.host] = subscription.peer.port
      }
      subscribers[SubscriberKey(peer: subscription.peer)] = Subscriber(
        owner: owner?.origin ?? .none,
        transport: .datagram(
          socket: subscription.socket, path: NetworkPath(peer: subscription.peer, local: subscription.local)),
        topics: subscription.topics, room: room, player: owner?.memberships.first?.player,
        expires: now.advanced(
          byMilliseconds: min(Double(subscription.seconds) * 1_000, lease(subscription.peer.host))),
        sendCredit: proof.isProven ? nil : proof.sendCredit, at: now)
    }
    counters.subscribers.store(subscribers.count, ordering: .relaxed)
    keptSenders.withLock { $0 = kept }
  }

  /// For whoever keeps them, if somebody does.
  func noteSenders(at now: HostTime) {
    guard keptSenders.withLock({ $0 != nil }) else { return }
    let senders = senders(at: now)
    keptSenders.withLock { $0 = senders }
  }

  /// A resumed sender is heard again: its player is there.
  func isHeardAgain(_ endpoint: Endpoint, at now: HostTime) {
    endpoint.isResumed = false
    for membership in endpoint.memberships {
      // An address and a port are no token: another program may have them by now.
      let isSure = membershipIndex.holders(of: membership).contains { $0 !== endpoint && !$0.isResumed }
      if !isSure { membership.room.assumeIsolated { $0.endHostRole(of: membership.player) } }
      membership.room.assumeIsolated { $0.setConnected(membership.player, true, at: $0.anchor.frame(at: now)) }
      notePresence(in: membership)
    }
  }
}

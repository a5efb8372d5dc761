internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import Synchronization

/// Restores senders after a restart of the server, so that programs that keep no state go on
/// playing.
extension OSCEdge {
  /// The senders and subscriptions that the next server should know, in no order.
  func senders(at now: HostTime) -> KeptSenders {
    var kept = KeptSenders()
    for endpoint in table.endpoints.values where endpoint.isNamed {
      guard case .datagram(let socket, let path) = endpoint.transport, let membership = endpoint.memberships.first,
        let token = membership.room.assumeIsolated({ $0.player(membership.player)?.token })
      else { continue }
      kept.senders.append(
        KeptSenders.Sender(
          peer: path.peer, local: path.local, socket: socket, room: membership.room.name, token: token,
          answerPort: endpoint.answerPort, answersOwnPort: endpoint.answersOwnPort))
    }
    for subscriber in feedback.subscribers.values where !subscriber.isUnasked {
      guard case .datagram(let socket, let path) = subscriber.transport else { continue }
      // Rounded to steps of a thirtieth, so that the file is not rewritten all the time. Rounded
      // down, so that a server that restarts again and again does not send to an abandoned address
      // for ever.
      let lease = proofs.lease(path.peer)
      let left = (expiry(of: subscriber).milliseconds(since: now) / lease * 30).rounded(.down) / 30
      guard left > 0 else { continue }
      kept.subscriptions.append(
        KeptSenders.Subscription(
          owner: origins[subscriber.owner]?.transport.peer ?? .none, peer: path.peer, local: path.local,
          socket: socket, room: subscriber.room.name, topics: subscriber.topics,
          seconds: Int(saturating: left * lease / 1_000)))
    }
    return kept
  }

  /// Restores the state of an earlier server. Call it before the first packet, with the rooms open
  /// again.
  ///
  /// No sender is a host after this, until it says the word again. A sender that is neither on this
  /// machine nor on an attached network must prove its address before it is told anything.
  func resume(_ kept: KeptSenders, at now: HostTime) {
    for sender in kept.senders where sender.socket < outbox.socketCount {
      guard let room = registry.room(sender.room), table.endpoints[sender.peer] == nil,
        let player = room.assumeIsolated({ $0.player(token: sender.token) })
      else { continue }
      let endpoint = table.newEndpoint(
        along: NetworkPath(peer: sender.peer, local: sender.local), socket: sender.socket, at: now)
      endpoint.memberships = [Membership(room: room, player: player)]
      endpoint.home = room.name
      endpoint.isNamed = true
      endpoint.answerPort = sender.answerPort
      endpoint.answersOwnPort = sender.answersOwnPort
      endpoint.isResumed = true
      if let port = sender.answerPort { feedback.portsOfHosts[endpoint.host] = port }
    }
    for subscription in kept.subscriptions where subscription.socket < outbox.socketCount {
      guard let room = registry.room(subscription.room), proofs.isAttached(subscription.peer) else { continue }
      let owner = table.endpoints[subscription.owner]
      let proof = owner?.proof ?? proofs.proof(of: subscription.peer, at: now)
      guard proof.isProven || proof.sendCredit != nil else { continue }
      if owner == nil, subscription.owner.port != subscription.peer.port, !subscription.owner.isNone {
        feedback.portsOfHosts[subscription.peer.host] = subscription.peer.port
      }
      if let owner, subscription.topics.contains(.seats) { asksForSeats(owner) }
      let path = NetworkPath(peer: subscription.peer, local: subscription.local)
      feedback.add(
        Subscriber(
          owner: owner?.origin ?? .none, transport: .datagram(socket: subscription.socket, path: path),
          // A program that is heard again is no host yet, and another may have its port by now.
          topics: subscription.topics.subtracting(.monitor), room: room,
          player: owner?.memberships.first?.player,
          expires: now.advanced(
            byMilliseconds: min(Double(subscription.seconds) * 1_000, proofs.lease(subscription.peer.host))),
          sendCredit: proof.isProven ? nil : proof.sendCredit, at: now))
    }
    keptSenders.withLock { $0 = kept }
  }

  /// Publishes the senders for the task that stores them, if there is one.
  func noteSenders(at now: HostTime) {
    guard keptSenders.withLock({ $0 != nil }) else { return }
    let senders = senders(at: now)
    keptSenders.withLock { $0 = senders }
  }

  /// Handles the first packet of a restored sender: its player is present again.
  func isHeardAgain(_ endpoint: Endpoint, at now: HostTime) {
    endpoint.isResumed = false
    for membership in endpoint.memberships {
      // An address and a port prove less than a token: another program may have them by now.
      let isSure = membershipIndex.holders(of: membership).contains { $0 !== endpoint && !$0.isResumed }
      if !isSure { membership.room.assumeIsolated { $0.endHostRole(of: membership.player) } }
      membership.room.assumeIsolated { $0.setConnected(membership.player, true, at: $0.anchor.frame(at: now)) }
      notePresence(in: membership)
    }
    // Lights of before the restart may be over.
    guard let membership = endpoint.memberships.first, feedback.tellsState(to: endpoint.origin)
    else { return }
    bringState(of: membership.room, to: endpoint)
  }
}

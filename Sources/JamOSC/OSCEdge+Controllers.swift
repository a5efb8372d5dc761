internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire

/// Controllers that announce themselves: a player lets one of them show its lights.
///
/// The controller becomes what it would be had it sent `/hello` with the player's token, and then
/// `/subscribe`. A controller that has sent nothing yet gets a bounded number of bytes, so that the
/// server floods nobody who only claims to be a controller.
extension OSCEdge {
  /// The time of the last packet of a controller that never sent one.
  static let neverHeard = HostTime(nanoseconds: -1_000_000_000_000_000)
  /// How long a controller's port must have been silent before another one takes its place.
  static let senderSilenceMilliseconds = 5_000.0

  // MARK: The list

  /// Answers with the list. A connection is told again when the list changes.
  func listControllers(to endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    let membership = try membership(of: endpoint, in: nil, at: now)
    if endpoint.transport.isStream {
      controllers.watch(endpoint.origin) { origins[$0] != nil }
    }
    tellControllers(to: endpoint, membership)
  }

  private func tellControllers(to endpoint: Endpoint, _ membership: Membership) {
    let replies = controllers.reachable.map { controller in
      let shown = shownPlayer(at: controller.peer)
      let isOwn =
        shown.map { $0.room === membership.room && $0.player == membership.player } ?? false
      return SessionReply.controller(
        name: controller.name, host: controller.peer.hostText, port: controller.peer.port,
        state: shown == nil ? "off" : isOwn ? "on" : "taken",
        player: shown.flatMap { name(of: $0, for: membership) }?.text ?? "")
    }
    outbox.answer(endpoint, (replies + [.controllersEnd(count: replies.count)]).map(\.message))
  }

  /// The player whose lights the controller shows.
  private func shownPlayer(at peer: SocketAddress) -> Membership? {
    guard let endpoint = table.endpoints[peer], endpoint.isNamed,
      feedback.has(Subscriber.Key(endpoint.transport))
    else { return nil }
    return endpoint.memberships.first
  }

  /// The player's name; nil where the player is in another room, which `asker` may not know of.
  private func name(of shown: Membership, for asker: Membership) -> PlayerName? {
    guard shown.room === asker.room else { return nil }
    return shown.room.assumeIsolated { $0.player(shown.player)?.name }
  }

  // MARK: Links

  /// The endpoint's player lets a controller show its lights, or no more.
  /// - Throws: `.unknownController`, `.controllerTaken`; `.addressUnproven` where the asker's own
  ///   address may be forged.
  func setLights(
    at name: String, isOn: Bool, of endpoint: Endpoint, at now: HostTime
  ) throws(Refusal) {
    let membership = try membership(of: endpoint, in: nil, at: now)
    guard endpoint.proof.isProven else {
      outbox.ask(endpoint)
      throw .addressUnproven(for: .controller)
    }
    let allowed = membership.room.assumeIsolated { room in
      Result { () throws(Refusal) in try room.requirePlaying(membership.player) }
    }
    try allowed.get()
    let reachable = controllers.reachable
    guard let controller = reachable.first(where: { $0.name == name }) else {
      throw .unknownController(name, known: reachable.prefix(8).map(\.name))
    }
    if let shown = shownPlayer(at: controller.peer),
      shown.room !== membership.room || shown.player != membership.player
    {
      throw .controllerTaken(name, by: self.name(of: shown, for: membership))
    }
    if isOn {
      try link(controller, to: membership, at: now)
    } else {
      unlink(controller.peer)
      if controllers.isElsewhere(controller.peer) { feedback.decline(controller.peer.host) }
    }
    tellWatchers()
    if !controllers.watchers.contains(endpoint.origin) { tellControllers(to: endpoint, membership) }
  }

  private func link(
    _ controller: ControllerLinks.Reachable, to membership: Membership, at now: HostTime
  ) throws(Refusal) {
    let peer = controller.peer
    releaseGuests(ofHostOf: peer)
    let endpoint: Endpoint
    if let known = table.endpoints[peer] {
      endpoint = known
    } else {
      endpoint = table.newEndpoint(
        along: NetworkPath(peer: peer), socket: controller.socket, at: now)
      // A controller that only shows lights does not keep its player's place.
      endpoint.lastHeard = OSCEdge.neverHeard
    }
    seat(endpoint, at: membership)
    if !endpoint.proof.isProven { endpoint.proof.sendCredit?.vouch() }
    do throws(Refusal) {
      try subscribe(endpoint, port: nil, andOwn: false, to: nil, at: now)
    } catch {
      unseat(endpoint)
      throw error
    }
    controllers.set(
      ControllerLinks.Link(
        name: controller.name, membership: membership, destination: endpoint.origin, lastSeen: now),
      at: peer)
  }

  /// The endpoint plays the membership's player from now on.
  private func seat(_ endpoint: Endpoint, at membership: Membership) {
    if let own = membership.room.password { endpoint.passwords.insert(own) }
    endpoint.kickedOutOf.remove(membership.room.name)
    endpoint.memberships = [membership]
    endpoint.home = membership.room.name
    endpoint.isNamed = true
    endpoint.answersOwnPort = true
  }

  private func unseat(_ endpoint: Endpoint) {
    feedback.move(endpoint, to: nil, andOwn: false)
    feedback.remove(Subscriber.Key(endpoint.transport))
    endpoint.memberships = []
    endpoint.home = nil
    endpoint.isNamed = false
  }

  /// The nameless senders of another machine lose their guest: what they send is somebody's now.
  private func releaseGuests(ofHostOf peer: SocketAddress) {
    for endpoint in table.endpoints.values where endpoint.host == peer.host && !endpoint.isNamed {
      guard endpoint.transport.peer == peer || controllers.isElsewhere(peer) else { continue }
      let left = endpoint.memberships
      endpoint.memberships = []
      for membership in left
      where guests.player(of: endpoint, in: membership.room) == membership.player
        && membershipIndex.holders(of: membership).isEmpty
      {
        leave(membership, at: time())
      }
    }
  }

  /// The controller shows its player's lights no more, and plays for nobody.
  func unlink(_ peer: SocketAddress) {
    let link = controllers.links[peer]
    if link != nil { controllers.set(nil, at: peer) }
    let senders = [table.endpoints[peer], link?.sender.flatMap { origins[$0] }]
    for case let endpoint? in senders {
      guard let link else {
        unseat(endpoint)
        continue
      }
      // One that said another name keeps it.
      if endpoint.memberships.isEmpty || holds(endpoint, link.membership) { unseat(endpoint) }
    }
  }

  private func holds(_ endpoint: Endpoint, _ membership: Membership) -> Bool {
    endpoint.memberships.contains { $0.room === membership.room && $0.player == membership.player }
  }

  /// A controller says that it plays for nobody, or says a name that is not its player's.
  /// Its player stays, and keeps its name.
  /// - Parameter name: nil where the controller leaves.
  /// - Returns: whether it showed somebody's lights, and does so no more.
  func endLink(of endpoint: Endpoint, saying name: PlayerName?) -> Bool {
    let known = controllers.links.first {
      $0.value.destination == endpoint.origin || $0.value.sender == endpoint.origin
    }
    guard let (peer, link) = known, holds(endpoint, link.membership) else { return false }
    let own = link.membership.room.assumeIsolated { $0.player(link.membership.player)?.name }
    if let name, name == own { return false }
    unlink(peer)
    return true
  }

  func unlinkAll(where isOver: (Membership) -> Bool) {
    for (peer, link) in controllers.links where isOver(link.membership) { unlink(peer) }
  }

  /// A nameless sender plays from a machine whose controller shows somebody's lights: it plays for
  /// that player, and its own port gets the lights, too. One port at a time does.
  func linkedMembership(of endpoint: Endpoint, at now: HostTime) -> Membership? {
    guard !endpoint.isNamed, !endpoint.transport.isStream,
      let (peer, link) = controllers.link(of: endpoint.transport.peer)
    else { return nil }
    if let origin = link.sender, let sender = origins[origin], sender !== endpoint {
      let wasHeardOnce = sender.lastHeard == sender.firstHeard
      guard
        wasHeardOnce
          || now.milliseconds(since: sender.lastHeard) >= OSCEdge.senderSilenceMilliseconds
      else { return nil }
      if holds(sender, link.membership) { unseat(sender) }
    }
    seat(endpoint, at: link.membership)
    controllers.sends(from: endpoint.origin, at: peer)
    try? subscribe(endpoint, port: peer.port, andOwn: true, to: nil, at: now)
    return link.membership
  }

  // MARK: As time passes

  /// Lends credit to the controllers that are still there, and ends the links of the others. Call
  /// it twice a second.
  func lookAtControllers(at now: HostTime) {
    if !controllers.links.isEmpty || controllers.found.changes > 0 {
      for controller in controllers.reachable {
        resumeLink(controller, at: now)
        controllers.isSeen(controller.peer, at: now)
      }
      for (peer, link) in controllers.links { look(at: link, of: peer, at: now) }
    }
    tellWatchers()
  }

  private func look(at link: ControllerLinks.Link, of peer: SocketAddress, at now: HostTime) {
    guard let endpoint = origins[link.destination], endpoint.isNamed,
      holds(endpoint, link.membership),
      let subscriber = feedback.subscribers[Subscriber.Key(endpoint.transport)],
      now.milliseconds(since: link.lastSeen) < proofs.lease(peer.host)
    else { return unlink(peer) }
    guard link.lastSeen == now else { return }
    subscriber.expires = now.advanced(byMilliseconds: proofs.lease(peer.host))
    guard !endpoint.proof.isProven, let credit = endpoint.proof.sendCredit else { return }
    credit.lend(bytes: ControllerLinks.bytesPerSecond / 2)
    if endpoint.owedState != nil, credit.hasCreditForState { tellState(to: endpoint) }
  }

  /// A link of before the server's restart.
  private func resumeLink(_ controller: ControllerLinks.Reachable, at now: HostTime) {
    guard controllers.links[controller.peer] == nil,
      let endpoint = table.endpoints[controller.peer],
      endpoint.isResumed, endpoint.isNamed, let membership = endpoint.memberships.first
    else { return }
    endpoint.lastHeard = OSCEdge.neverHeard
    if !endpoint.proof.isProven { endpoint.proof.sendCredit?.vouch() }
    controllers.set(
      ControllerLinks.Link(
        name: controller.name, membership: membership, destination: endpoint.origin, lastSeen: now),
      at: controller.peer)
  }

  private func tellWatchers() {
    guard controllers.takeChange() else { return }
    for origin in controllers.watchers {
      guard let endpoint = origins[origin] else {
        controllers.unwatch(origin)
        continue
      }
      guard let membership = endpoint.membership(in: endpoint.home ?? registry.main) else {
        continue
      }
      tellControllers(to: endpoint, membership)
    }
  }
}

internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Requests about a connection: its player, and its feedback.
extension OSCEdge {
  static let protocolVersion = 1

  /// - Parameter wasHeld: whether the request's word had to wait before.
  func settle(
    _ request: SessionRequest, _ message: OSCMessage, from endpoint: Endpoint, wasHeld: Bool = false, at now: HostTime
  ) {
    heard(from: endpoint, at: now)
    switch request {
    // Clients send these by themselves.
    case .ping, .hearing: break
    default: endpoint.lastDeed = now
    }
    do throws(Refusal) {
      try requireProof(for: request, of: endpoint)
      guard try passesGuessLimit(request, message, from: endpoint, wasHeld: wasHeld, at: now) else { return }
      switch request {
      case .hello(let name, let room, let password, let token):
        try hello(name, room: room, password: password, token: token, from: endpoint, at: now)
      case .password(let word):
        // Only a right password is kept, so the kept passwords tell an attacker nothing.
        if let room = room(thatWants: endpoint.home, endpoint) {
          try admit(endpoint, to: room, named: endpoint.home ?? registry.main, with: word)
        }
      case .host(let word):
        try becomeHost(word, endpoint, at: now)
      case .bye where endLink(of: endpoint, saying: nil): break
      case .bye:
        for membership in endpoint.memberships {
          membership.room.assumeIsolated { $0.forgetGuest(membership.player) }
          command(.leave, from: endpoint, membership, at: now)
        }
        endpoint.memberships = []
        endpoint.home = nil
        endpoint.isNamed = false
        feedback.unsubscribe(endpoint)
      case .sync:
        sendState(to: endpoint, try membership(of: endpoint, in: nil, at: now))
      case .ask(let question):
        try ask(question, from: endpoint, at: now)
      case .subscribe(let port, let andOwn, let topics):
        try subscribe(endpoint, port: port, andOwn: andOwn, to: topics, at: now)
      case .unsubscribe: feedback.unsubscribe(endpoint)
      case .controllers: try listControllers(to: endpoint, at: now)
      case .controllerLights(let name, let isOn):
        try setLights(at: name, isOn: isOn, of: endpoint, at: now)
      case .cookie(let text):
        try echoed(text, by: endpoint, at: now)
      case .ping(let arguments):
        endpoint.hasPinged = true
        let received = clock.timetag(at: now)
        outbox.answer(
          endpoint, SessionReply.pong(arguments, received: received, sent: clock.timetag(at: time())).message)
      case .frame:
        let frame = try membership(of: endpoint, in: nil, at: now).room.anchor.frame(at: now)
        outbox.answer(endpoint, SessionReply.frame(frame, at: clock.timetag(at: now)).message)
      case .hearing(let report):
        // A report makes nobody a player: without one there is nobody whose light it is.
        guard let room = registry.room(endpoint.home),
          let player = place(of: endpoint, in: room)?.player
        else { return }
        let arrival = room.anchor.frame(at: now)
        room.assumeIsolated { $0.hears(report, by: player, at: arrival) }
      }
    } catch {
      outbox.refuse(endpoint, SessionReply(error, address: message.address), at: now)
    }
  }

  func command(_ command: Command, from endpoint: Endpoint, _ membership: Membership, at now: HostTime) {
    let moment = Moment(arrival: membership.room.anchor.frame(at: now))
    let origin = endpoint.origin
    let hasRights = endpoint.proof.isProven
    membership.room.assumeIsolated {
      $0.receive(command, from: membership.player, at: moment, origin: origin, hasRights: hasRights)
    }
  }

  /// Joins a room, renames the player, or resumes a membership.
  private func hello(
    _ name: PlayerName, room roomName: PlayerName?, password: String?, token: String?, from endpoint: Endpoint,
    at now: HostTime
  ) throws(Refusal) {
    _ = endLink(of: endpoint, saying: name)
    let wanted = roomName ?? endpoint.home ?? registry.main
    let room = try enter(wanted, endpoint, with: password, token: token)
    let arrival = room.anchor.frame(at: now)
    let membership: Membership
    if let token, let player = room.assumeIsolated({ $0.player(token: token) }) {
      membership = Membership(room: room, player: player)
      let visitor = visitor(endpoint)
      room.assumeIsolated { $0.came(visitor, as: player) }
      // A sender with the player's token is always admitted. Where the new name is not allowed, the
      // player keeps its old name.
      try? rename(membership, to: name, of: endpoint, at: arrival)
    } else if let own = endpoint.memberships.first(where: { $0.room === room }), endpoint.isNamed {
      membership = own
      try rename(membership, to: name, of: endpoint, at: arrival)
    } else {
      let isBack = freeFormer(name, in: room, for: endpoint, at: now)
      if let own = ownGuest(of: endpoint, in: room), !isBack {
        membership = own
        try rename(membership, to: name, of: endpoint, at: arrival)
        guests.remove(of: endpoint, in: room)
        // A message without a name came first, and made a guest, which had no token to show.
        let shown = visitor(endpoint, token: token)
        room.assumeIsolated { [shown, player = own.player, arrival] in
          $0.show(shown, as: player, at: arrival)
        }
      } else {
        let player = try join(
          room, name, token: Secrets.text(length: 26), isGuest: false, from: visitor(endpoint, token: token), at: now,
          of: endpoint)
        membership = Membership(room: room, player: player)
      }
    }
    leaveOtherRooms(endpoint, but: membership, at: now)
    endpoint.kickedOutOf.remove(room.name)
    endpoint.memberships = [membership]
    endpoint.home = membership.room.name
    endpoint.isNamed = true
    endpoint.answersOwnPort = true
    away.isBack(membership)
    room.assumeIsolated { $0.setConnected(membership.player, true, at: arrival) }
    sitAside(endpoint)
    welcome(endpoint, membership)
    feedback.moveSubscriptions(
      of: endpoint, to: membership, expires: now.advanced(byMilliseconds: proofs.lease(endpoint.host)), at: now)
    try subscribeOwnPort(endpoint, at: now)
    sendState(to: endpoint, membership)
  }

  /// The connection is that of the player whose token its handshake carried. It is not welcomed and
  /// not subscribed: a client of OSCQuery asks for what it wants to hear.
  func resume(_ token: String, of endpoint: Endpoint, at now: HostTime) {
    guard let room = registry.room(endpoint.home),
      let player = room.assumeIsolated({ $0.player(token: token) })
    else { return }
    if let own = room.password { endpoint.passwords.insert(own) }
    let membership = Membership(room: room, player: player)
    let (visitor, arrival) = (visitor(endpoint, token: token), room.anchor.frame(at: now))
    endpoint.memberships = [membership]
    endpoint.home = room.name
    endpoint.isNamed = true
    away.isBack(membership)
    room.assumeIsolated { room in
      room.came(visitor, as: player)
      room.setConnected(player, true, at: arrival)
    }
  }

  /// The guest that only this sender plays. That guest keeps its place when the sender says its
  /// name.
  private func ownGuest(of endpoint: Endpoint, in room: Room) -> Membership? {
    guard !endpoint.isNamed, let membership = endpoint.memberships.first(where: { $0.room === room }),
      guests.player(of: endpoint, in: room) == membership.player
    else { return nil }
    let isShared = membershipIndex.holders(of: membership).contains { $0 !== endpoint && $0.host == endpoint.host }
    return isShared ? nil : membership
  }

  /// Tells the rooms that the endpoint's players are active, after a message that no room sees.
  /// Their held notes then stay.
  func heard(from endpoint: Endpoint, at now: HostTime) {
    for membership in endpoint.memberships {
      let frame = membership.room.anchor.frame(at: now)
      membership.room.assumeIsolated { $0.heard(from: membership.player, at: frame) }
    }
  }

  private func rename(
    _ membership: Membership, to name: PlayerName, of endpoint: Endpoint, at arrival: Frames
  ) throws(Refusal) {
    let visitor = visitor(endpoint)
    let old = membership.room.assumeIsolated { $0.player(membership.player)?.name }
    let result = membership.room.assumeIsolated { room in
      Result { () throws(Refusal) in try room.rename(membership.player, to: name, from: visitor, at: arrival) }
    }
    try result.get()
    let new = membership.room.assumeIsolated { $0.player(membership.player)?.name }
    guard let old, let new, old != new else { return }
    log.write(
      .playerRenamed,
      [
        "room": LogValue(membership.room.name), "player": LogValue(new), "was": LogValue(old),
        "address": .text(endpoint.host.hostText),
      ])
  }

  /// Frees a name for a controller that restarted. A membership is resumed only by its token. A
  /// controller that cannot store a token comes back with its name and another port. Where its old
  /// port has fallen silent, the old player leaves as with `/bye`, and the name is free. The new
  /// player gets a token and pads of its own, and is not a host. A loop that plays on is taken over
  /// by the name, as after any leaving.
  /// - Returns: whether the name was freed.
  private func freeFormer(_ name: PlayerName, in room: Room, for endpoint: Endpoint, at now: HostTime) -> Bool {
    guard !endpoint.transport.isStream, let player = room.assumeIsolated({ $0.player(named: name) }) else {
      return false
    }
    let holders = membershipIndex.holders(of: Membership(room: room, player: player)).filter { $0 !== endpoint }
    // Otherwise nobody is connected as the player, or somebody elsewhere is, so the player was not
    // this sender's.
    guard !holders.isEmpty, holders.allSatisfy({ !$0.transport.isStream && $0.host == endpoint.host && $0.isNamed })
    else {
      return false
    }
    // An earlier server knew all these senders, and none has sent to this server yet. The room
    // expects their player, and gives the place up by the address.
    guard !holders.allSatisfy(\.isResumed) else { return false }
    // A sender whose address may be forged takes no place from a proven sender, and no host's
    // place.
    let isProven = endpoint.proof.isProven
    guard isProven || !holders.contains(where: \.proof.isProven) && !room.assumeIsolated({ $0.isHost(player) }) else {
      return false
    }
    let silence =
      isProven
      ? OSCEdge.formerSilence.proven
      : proofs.isAttached(endpoint.host) ? OSCEdge.formerSilence.attached : OSCEdge.formerSilence.unproven
    guard holders.allSatisfy({ now.milliseconds(since: $0.lastHeard) >= silence }) else { return false }
    leave(Membership(room: room, player: player), at: now)
    return true
  }

  /// How long the senders on the old ports must have been silent, in milliseconds.
  private static let formerSilence = (proven: 3_000.0, attached: 6_000.0, unproven: 30_000.0)

  private func leaveOtherRooms(_ endpoint: Endpoint, but membership: Membership, at now: HostTime) {
    guard endpoint.isNamed else { return }
    for old in endpoint.memberships where old.room !== membership.room || old.player != membership.player {
      command(.leave, from: endpoint, old, at: now)
    }
  }

  private func welcome(_ endpoint: Endpoint, _ membership: Membership) {
    let (player, greeting) = membership.room.assumeIsolated { ($0.player(membership.player), $0.greeting) }
    guard let player else { return }
    let welcome = SessionReply.welcome(
      room: membership.room.name, player: player.name, version: OSCEdge.protocolVersion,
      bpm: greeting.bpm,
      beatsPerBar: greeting.beatsPerBar, token: player.token)
    // Not behind a state that a subscription brings: the player's state follows and replaces it.
    outbox.deliver(endpoint, welcome.message.encoded(), messages: 1)
  }
}

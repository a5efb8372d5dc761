internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Carries requests to their rooms.
extension OSCEdge {
  /// - Parameter isAnsweredThere: whether a single value is answered at `address`, also where that
  ///   begins with a room or a player.
  func carryOut(
    _ command: Command, _ addressed: AddressedRequest, _ address: String, from endpoint: Endpoint, at arrival: HostTime,
    tag: HostTime?, heard: UInt32?, isAnsweredThere: Bool = false
  ) {
    endpoint.lastDeed = arrival
    do throws(Refusal) {
      let membership = try membership(of: endpoint, in: addressed.room, at: arrival)
      let hasRights = hasRights(endpoint, membership)
      if addressed.isOfSeat { asksForSeats(endpoint) }
      let (command, name) = try named(command, addressed, in: membership.room)
      let player = try player(name, for: membership, hasRights: hasRights)
      var moment = try moment(arrival, tag: tag, for: membership, from: endpoint, command)
      moment.heard = heard
      noteShown(command, addressed, address, of: endpoint, in: membership.room)
      if addressed.isShare {
        noteShare(command, addressed, address, of: endpoint, in: membership.room)
      }
      if isAnsweredThere || addressed.isShare || addressed.isOfSeat {
        endpoint.answerPlace = AnswerPlace(
          address: address, isShare: addressed.isShare,
          takesValue: command.isRead
            && (isAnsweredThere || addressed.isShare || addressed.actingSeat != nil))
      }
      membership.room.receiveOnThread(
        command, from: player, at: moment, origin: endpoint.origin, hasRights: hasRights)
      endpoint.answerPlace = nil
    } catch {
      let reply = SessionReply(error, address: address)
      outbox.refuse(endpoint, reply, in: addressed.room, at: arrival)
    }
  }

  /// Answers with the value at one address.
  func ask(_ question: Question, from endpoint: Endpoint, at now: HostTime) throws(Refusal) {
    if let command = question.command {
      let addressed = AddressedRequest(
        room: question.room, player: question.player, seat: question.seat,
        actingSeat: question.actingSeat, isShare: question.isShare, request: .command(command))
      return carryOut(
        command, addressed, question.sent, from: endpoint, at: now, tag: nil, heard: nil,
        isAnsweredThere: question.hasPrefix)
    }
    let membership = try membership(of: endpoint, in: question.room, at: now)
    let name = try actor(question.player, seat: question.actingSeat, in: membership.room)
    let player = try player(name, for: membership, hasRights: hasRights(endpoint, membership))
    let (events, light) = membership.room.assumeIsolated { [player] in
      ($0.readableEvents(by: player) + $0.positions(of: player), $0.light(of: player))
    }
    func told(_ events: [Event]) -> [OSCMessage] {
      events.flatMap { AddressTable.standard.feedback(for: $0, clock: clock).messages }
        .filter { $0.address == question.address }
    }
    var messages = told(events)
    // The state leaves out lights that are off.
    if messages.isEmpty, let light { messages = told([light]) }
    guard !messages.isEmpty else {
      outbox.refuse(endpoint, SessionReply(WireError.noValue(address: question.sent)), at: now)
      return
    }
    if messages.count == 1 { messages[0].address = question.sent }
    outbox.answer(endpoint, messages)
  }

  /// The fast path of a hit or release in the sender's own room that takes effect now.
  func carryOut(_ hit: Command, from endpoint: Endpoint, at arrival: HostTime) {
    do throws(Refusal) {
      let membership = try membership(of: endpoint, in: nil, at: arrival)
      let moment = Moment(arrival: membership.room.anchor.frame(at: arrival))
      membership.room.receiveOnThread(hit, from: membership.player, at: moment, origin: endpoint.origin)
    } catch {
      let address = AddressTable.standard.message(for: hit)?.address ?? "/pad"
      outbox.refuse(endpoint, SessionReply(error, address: address), at: arrival)
    }
  }

  /// The player that the command is for: the sender, or another player where the sender is a host.
  private func player(_ name: PlayerName?, for membership: Membership, hasRights: Bool) throws(Refusal) -> PlayerID {
    guard let name else { return membership.player }
    let (own, other) = membership.room.assumeIsolated { ($0.player(membership.player), $0.player(named: name)) }
    if own?.name == name { return membership.player }
    guard own?.isHost == true else {
      throw .otherPlayer(name)
    }
    guard hasRights else {
      throw .otherPlayerUnproven(name)
    }
    guard let other else { throw .noSuchPlayer(name, here: []) }
    return other
  }

  /// Converts arrival and timetag to frames of the room.
  private func moment(
    _ arrival: HostTime, tag: HostTime?, for membership: Membership, from endpoint: Endpoint, _ command: Command
  ) throws(Refusal) -> Moment {
    let now = membership.room.anchor.frame(at: arrival)
    guard let tag else { return Moment(arrival: now) }
    // Adds half a frame to find the nearest frame. Clients compute tags in floating point, so a tag
    // may lie just before a frame's first nanosecond.
    let tagged = membership.room.anchor.frame(at: tag.advanced(byNanoseconds: 10_416))
    let ahead = tagged - now
    guard ahead <= limits.timetagAhead else {
      throw .timetagTooFarAhead(ahead, most: limits.timetagAhead, clock: told(wallWatch.report.last, at: arrival))
    }
    let isFarOff = ahead > limits.unpingedTimetag
    guard isFarOff && !endpoint.hasPinged else { return Moment(arrival: now, tagged: tagged) }
    // The client never compared its clock, and the tag is far off. The hit plays now, and the
    // client is told how far off the tag was.
    if let pad = command.hitPad {
      let late = Float((now + RoomState.liveDelay - tagged).milliseconds)
      let feedback = AddressTable.standard.feedback(for: .late(pad: pad, milliseconds: late), clock: clock)
      outbox.answer(endpoint, feedback.encoded())
    }
    return Moment(arrival: now)
  }

  private func told(_ step: ClockStep?, at now: HostTime) -> Refusal.ClockSet? {
    step.map { step in
      Refusal.ClockSet(
        by: .seconds(step.seconds), ago: .milliseconds(max(0, now.milliseconds(since: step.time))))
    }
  }

  /// The endpoint's membership in a room. Without one the endpoint joins now, if the room admits
  /// it.
  func membership(of endpoint: Endpoint, in name: PlayerName?, at now: HostTime) throws(Refusal) -> Membership {
    let wanted = name ?? endpoint.home ?? registry.main
    if let membership = endpoint.membership(in: wanted) {
      touchGuest(endpoint, membership, at: now)
      return membership
    }
    if name == nil, let membership = linkedMembership(of: endpoint, at: now) { return membership }
    let room = try enter(wanted, endpoint)
    guard !endpoint.kickedOutOf.contains(room.name) else {
      throw .putOut(room: room.name)
    }
    let membership = try joinAsGuest(endpoint, in: room, at: now)
    endpoint.memberships.append(membership)
    return membership
  }

  /// The room, if its password admits the endpoint. A room that is not open is opened now, if the
  /// server opens rooms.
  ///
  /// Without the password a room that is there and one that is not get the same refusal.
  /// - Parameter token: the token of a player in the room. The room admitted that player before.
  func enter(
    _ name: PlayerName, _ endpoint: Endpoint, with password: String? = nil, token: String? = nil
  ) throws(Refusal) -> Room {
    if let room = registry.room(name) {
      if let token, room.assumeIsolated({ $0.player(token: token) }) != nil {
        if let own = room.password { endpoint.passwords.insert(own) }
        return room
      }
      try admit(endpoint, to: room, named: name, with: password)
      return room
    }
    // A new room has the main room's password. An endpoint that could not enter it may not open it.
    if let main = registry.room(nil) { try admit(endpoint, to: main, named: name, with: password) }
    guard registry.opensRooms else { return try registry.enter(name) }
    do throws(Refusal) {
      try openings.allow(endpoint.host, at: time())
      let room = try registry.enter(name)
      openings.opened(name, by: endpoint.host)
      return room
    } catch {
      log.write(
        .roomRefused,
        ["room": LogValue(name), "address": .text(endpoint.host.hostText), "reason": .text(error.words)])
      throw error
    }
  }

  /// - Parameter name: the name that the endpoint asked for, which the refusal tells. Where no such
  ///   room is there, `room` is another one.
  func admit(
    _ endpoint: Endpoint, to room: Room, named name: PlayerName, with password: String? = nil
  ) throws(Refusal) {
    guard !room.admits(password: nil) else { return }
    if let password, room.admits(password: password) {
      endpoint.passwords.insert(password)
      return
    }
    guard !endpoint.passwords.contains(where: room.admits) else { return }
    throw password != nil ? .wrongPassword(room: name) : .passwordNeeded(room: name)
  }

  /// Nameless UDP senders of one address share one guest. Each connection has a guest of its own.
  private func joinAsGuest(_ endpoint: Endpoint, in room: Room, at now: HostTime) throws(Refusal) -> Membership {
    if let player = guests.player(of: endpoint, in: room) {
      guests.heard(from: endpoint, in: room, at: now)
      giveLights(to: endpoint, of: player, in: room, at: now)
      return Membership(room: room, player: player)
    }
    try makePlaceForGuest(of: endpoint, in: room, at: now)
    let name = PlayerName("guest-\(endpoint.host.hostText)".prefix(limits.nameCharacters).description) ?? room.name
    let player = try join(
      room, name, token: Secrets.text(length: 26), isGuest: true, from: visitor(endpoint), at: now, of: endpoint)
    guests.add(player, of: endpoint, in: room, at: now)
    feedback.tellUnsubscribed(endpoint)
    giveLights(to: endpoint, of: player, in: room, at: now)
    for origin in feedback.found(player, of: endpoint, in: room) {
      // After a restart the subscription's owner may be unknown: what is sent to the guest comes to
      // the port that its host asked for, too.
      bringState(of: room, to: origins[origin] ?? endpoint)
    }
    return Membership(room: room, player: player)
  }

  /// Frees a guest's place when all guests' places are taken: the guest that was silent longest
  /// leaves, if it was silent for some time. The connections of one address may have at most half
  /// of these places.
  private func makePlaceForGuest(of endpoint: Endpoint, in room: Room, at now: HostTime) throws(Refusal) {
    let places = guests.places(in: room, of: endpoint.host)
    guard !endpoint.transport.isStream || places.own < limits.guestsPerRoom / 2 else {
      throw .guestsFull(room: room.name, count: places.own, ofAddress: true)
    }
    guard places.count >= limits.guestsPerRoom, let oldest = places.oldest else { return }
    guard now.milliseconds(since: oldest.lastHeard) > 5_000 else {
      throw .guestsFull(room: room.name, count: places.count, ofAddress: false)
    }
    leave(Membership(room: room, player: oldest.player), at: now)
  }

  /// Frees a place when all places are taken: among the players whose connection ended, the one
  /// that left first loses its place, unless its connection may just have been lost.
  private func makePlace(in room: Room, at now: HostTime) {
    guard room.assumeIsolated({ $0.isFull }), let gone = away.takeFirst(in: room, at: now) else { return }
    leave(gone, at: now)
  }

  func join(
    _ room: Room, _ name: PlayerName, token: String, isGuest: Bool, from visitor: Visitor, at now: HostTime,
    of endpoint: Endpoint
  ) throws(Refusal) -> PlayerID {
    let origin = endpoint.origin
    let arrival = room.anchor.frame(at: now)
    let welcome = room.assumeIsolated { room in
      Result { () throws(Refusal) in try room.requireWelcome(name, visitor, at: arrival) }
    }
    // Checked first, so that a player who is not admitted takes nobody's place.
    try welcome.get()
    makePlace(in: room, at: now)
    let result = room.assumeIsolated { room in
      Result { () throws(Refusal) in
        try room.join(
          name, token: token, isGuest: isGuest, isHost: false, from: visitor, at: arrival, origin: origin)
      }
    }
    let player = try result.get()
    // The name that the player was given may differ from the wanted name, because another player
    // may have that one.
    let given = room.assumeIsolated { $0.player(player)?.name } ?? name
    log.write(
      .playerJoined,
      [
        "room": LogValue(room.name), "player": LogValue(given), "address": .text(endpoint.host.hostText),
        "guest": .flag(isGuest),
      ])
    return player
  }

  private func touchGuest(_ endpoint: Endpoint, _ membership: Membership, at now: HostTime) {
    guard !endpoint.isNamed else { return }
    guests.heard(from: endpoint, in: membership.room, at: now)
  }
}

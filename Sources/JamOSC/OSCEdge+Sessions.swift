internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Matters of a connection: who is there, and who wants feedback.
extension OSCEdge {
  static let protocolVersion = 1

  /// - Parameter wasHeld: its word waited for its turn, which has come.
  func settle(
    _ request: SessionRequest, _ message: OSCMessage, from endpoint: Endpoint, wasHeld: Bool = false, at now: HostTime
  ) {
    heard(from: endpoint, at: now)
    if case .ping = request {} else { endpoint.lastDeed = now }
    do throws(Refusal) {
      try requireProof(for: request, of: endpoint)
      guard try passesGuessLimit(request, message, from: endpoint, wasHeld: wasHeld, at: now) else { return }
      switch request {
      case .hello(let name, let room, let password, let token):
        try hello(name, room: room, password: password, token: token, from: endpoint, at: now)
      case .password(let word):
        // Only a right word is kept, so what is kept tells nobody anything.
        if let room = room(thatWants: endpoint.home, endpoint) { try admit(endpoint, to: room, with: word) }
      case .host(let word):
        try becomeHost(word, endpoint, at: now)
      case .bye:
        for seat in endpoint.seats {
          seat.room.assumeIsolated { $0.forgetGuest(seat.player) }
          command(.leave, from: endpoint, seat, at: now)
        }
        endpoint.seats = []
        endpoint.home = nil
        endpoint.isNamed = false
        unsubscribe(endpoint)
      case .sync:
        sendState(to: endpoint, try seat(of: endpoint, in: nil, at: now))
      case .subscribe(let port, let andOwn, let topics):
        try subscribe(endpoint, port: port, andOwn: andOwn, topics: topics ?? .standard, at: now)
      case .unsubscribe: unsubscribe(endpoint)
      case .cookie(let text):
        try echoed(text, by: endpoint, at: now)
      case .ping(let arguments):
        endpoint.hasPinged = true
        let received = clock.timetag(at: now)
        post.answer(
          endpoint, SessionAnswer.pong(arguments, received: received, sent: clock.timetag(at: time())).message)
      case .frame:
        let frame = try seat(of: endpoint, in: nil, at: now).room.anchor.frame(at: now)
        post.answer(endpoint, SessionAnswer.frame(frame, at: clock.timetag(at: now)).message)
      }
    } catch {
      post.refuse(endpoint, SessionAnswer(error, address: message.address), at: now)
    }
  }

  func command(_ command: Command, from endpoint: Endpoint, _ seat: Seat, at now: HostTime) {
    let moment = Moment(arrival: seat.room.anchor.frame(at: now))
    let origin = endpoint.origin
    let hasRights = endpoint.proof.isProven
    seat.room.assumeIsolated {
      $0.receive(command, from: seat.player, at: moment, origin: origin, hasRights: hasRights)
    }
  }

  /// Joins, renames or resumes.
  private func hello(
    _ name: PlayerName, room roomName: PlayerName?, password: String?, token: String?, from endpoint: Endpoint,
    at now: HostTime
  ) throws(Refusal) {
    let wanted = roomName ?? endpoint.home ?? lobby.main
    let room = try enter(wanted, endpoint, with: password, token: token)
    let arrival = room.anchor.frame(at: now)
    let seat: Seat
    if let token, let player = room.assumeIsolated({ $0.player(token: token) }) {
      seat = Seat(room: room, player: player)
      let visitor = visitor(endpoint)
      room.assumeIsolated { $0.came(visitor, as: player) }
      // Whoever shows the token is let in; where it may not have the new name, it keeps the old one.
      try? rename(seat, to: name, of: endpoint, at: arrival)
    } else if let own = endpoint.seats.first(where: { $0.room === room }), endpoint.isNamed {
      seat = own
      try rename(seat, to: name, of: endpoint, at: arrival)
    } else {
      let isBack = freeFormer(name, in: room, for: endpoint, at: now)
      if let own = ownGuest(of: endpoint, in: room), !isBack {
        seat = own
        try rename(seat, to: name, of: endpoint, at: arrival)
        guests[GuestKey(endpoint, in: room)] = nil
      } else {
        let player = try join(
          room, name, token: Secrets.text(length: 26), isGuest: false, from: visitor(endpoint, token: token), at: now,
          of: endpoint)
        seat = Seat(room: room, player: player)
      }
    }
    leaveOtherRooms(endpoint, but: seat, at: now)
    endpoint.kickedOutOf.remove(room.name)
    endpoint.seats = [seat]
    endpoint.home = seat.room.name
    endpoint.isNamed = true
    endpoint.answersOwnPort = true
    abandoned.removeAll { $0.seats.contains { $0.room === room && $0.player == seat.player } }
    room.assumeIsolated { $0.setConnected(seat.player, true, at: arrival) }
    welcome(endpoint, seat)
    moveSubscriptions(of: endpoint, to: seat, at: now)
    try subscribeOwnPort(endpoint, at: now)
    sendState(to: endpoint, seat)
  }

  /// The guest that this sender alone plays: it keeps its place when it says its name.
  private func ownGuest(of endpoint: Endpoint, in room: Room) -> Seat? {
    guard !endpoint.isNamed, let seat = endpoint.seats.first(where: { $0.room === room }),
      guests[GuestKey(endpoint, in: room)]?.player == seat.player
    else { return nil }
    let isShared = seating.holders(of: seat).contains { $0 !== endpoint && $0.host == endpoint.host }
    return isShared ? nil : seat
  }

  /// Something came from the endpoint's players that no room sees: their holds stay.
  func heard(from endpoint: Endpoint, at now: HostTime) {
    for seat in endpoint.seats {
      let frame = seat.room.anchor.frame(at: now)
      seat.room.assumeIsolated { $0.heard(from: seat.player, at: frame) }
    }
  }

  private func rename(
    _ seat: Seat, to name: PlayerName, of endpoint: Endpoint, at arrival: Frames
  ) throws(Refusal) {
    let visitor = visitor(endpoint)
    let old = seat.room.assumeIsolated { $0.player(seat.player)?.name }
    let result = seat.room.assumeIsolated { room in
      Result { () throws(Refusal) in try room.rename(seat.player, to: name, from: visitor, at: arrival) }
    }
    try result.get()
    let new = seat.room.assumeIsolated { $0.player(seat.player)?.name }
    guard let old, let new, old != new else { return }
    log.write(
      .playerRenamed,
      [
        "room": LogValue(seat.room.name), "player": LogValue(new), "was": LogValue(old),
        "address": .text(endpoint.host.hostText),
      ])
  }

  /// A seat is resumed by its token alone. A controller that cannot keep one comes back from a restart with its name and another port:
  /// where its old port has fallen silent, the player there leaves as by `/bye`, and the name is free. The newcomer has a token and pads of
  /// its own and is no host; a loop that plays on is taken up by the name, as whoever left takes it up.
  /// - Returns: whether it is so.
  private func freeFormer(_ name: PlayerName, in room: Room, for endpoint: Endpoint, at now: HostTime) -> Bool {
    guard !endpoint.transport.isStream, let player = room.assumeIsolated({ $0.player(named: name) }) else {
      return false
    }
    let holders = seating.holders(of: Seat(room: room, player: player)).filter { $0 !== endpoint }
    // Where nobody is connected as the player, or somebody elsewhere, it is not this one.
    guard !holders.isEmpty, holders.allSatisfy({ !$0.transport.isStream && $0.host == endpoint.host && $0.isNamed })
    else {
      return false
    }
    // Who may be forged takes nothing from who may not, and no host's place.
    let isProven = endpoint.proof.isProven
    guard isProven || !holders.contains(where: \.proof.isProven) && !room.assumeIsolated({ $0.isHost(player) }) else {
      return false
    }
    let silence = isProven ? OSCEdge.formerSilence.proven : OSCEdge.formerSilence.unproven
    guard holders.allSatisfy({ now.milliseconds(since: $0.lastHeard) >= silence }) else { return false }
    leave(Seat(room: room, player: player), at: now)
    return true
  }

  /// How long, in milliseconds, whoever sends from the old port must have been silent.
  private static let formerSilence = (proven: 3_000.0, unproven: 30_000.0)

  private func leaveOtherRooms(_ endpoint: Endpoint, but seat: Seat, at now: HostTime) {
    guard endpoint.isNamed else { return }
    for old in endpoint.seats where old.room !== seat.room || old.player != seat.player {
      command(.leave, from: endpoint, old, at: now)
    }
  }

  private func welcome(_ endpoint: Endpoint, _ seat: Seat) {
    let (player, greeting) = seat.room.assumeIsolated { ($0.player(seat.player), $0.greeting) }
    guard let player else { return }
    post.answer(
      endpoint,
      SessionAnswer.welcome(
        room: seat.room.name, player: player.name, version: OSCEdge.protocolVersion, bpm: greeting.bpm,
        beatsPerBar: greeting.beatsPerBar, token: player.token
      ).message)
  }
}

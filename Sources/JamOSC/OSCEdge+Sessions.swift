internal import JamCore
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Matters of a connection: who is there, and who wants feedback.
extension OSCEdge {
  static let protocolVersion = 1

  func settle(_ request: SessionRequest, _ message: OSCMessage, from endpoint: Endpoint, at now: HostTime) {
    heard(from: endpoint, at: now)
    do throws(Refusal) {
      switch request {
      case .hello(let name, let room, let password, let token):
        try hello(name, room: room, password: password, token: token, from: endpoint, at: now)
      case .password(let word):
        try weigh(word, for: endpoint.home, endpoint, at: now)
        // Kept until a room wants one; bounded, since anybody may send any number.
        if endpoint.passwords.count >= 4 { endpoint.passwords.removeAll() }
        endpoint.passwords.insert(word)
        if let room = lobby.room(endpoint.home) { try admit(endpoint, to: room, with: word) }
      case .host(let word):
        try allowGuess(endpoint, isRight: false, at: now)
        let seat = try seat(of: endpoint, in: nil, at: now)
        command(.becomeHost(word), from: endpoint, seat, at: now)
      case .bye:
        for seat in endpoint.seats { command(.leave, from: endpoint, seat, at: now) }
        endpoint.seats = []
        endpoint.home = nil
        endpoint.isNamed = false
        unsubscribe(endpoint)
      case .sync:
        let seat = try seat(of: endpoint, in: nil, at: now)
        command(.readAll, from: endpoint, seat, at: now)
      case .subscribe(let port, let topics): try subscribe(endpoint, port: port, topics: topics ?? .standard, at: now)
      case .unsubscribe: unsubscribe(endpoint)
      case .cookie(let text):
        guard endpoint.proof.echo(text) else {
          throw Refusal("that is not the cookie that was sent to this address: echo it as it came")
        }
      case .ping(let arguments):
        endpoint.hasPinged = true
        let received = clock.timetag(at: now)
        post.answer(
          endpoint, SessionAnswer.pong(arguments, received: received, sent: clock.timetag(at: time())).message)
      }
    } catch {
      post.refuse(endpoint, .error(address: message.address, reason: error.reason), at: now)
    }
  }

  private func command(_ command: Command, from endpoint: Endpoint, _ seat: Seat, at now: HostTime) {
    let moment = Moment(arrival: seat.room.anchor.frame(at: now))
    let origin = endpoint.origin
    seat.room.assumeIsolated { $0.receive(command, from: seat.player, at: moment, origin: origin) }
  }

  /// Joins, renames or resumes.
  private func hello(
    _ name: PlayerName, room roomName: PlayerName?, password: String?, token: String?, from endpoint: Endpoint,
    at now: HostTime
  ) throws(Refusal) {
    let wanted = roomName ?? endpoint.home ?? lobby.main
    if let password { try weigh(password, for: wanted, endpoint, at: now) }
    let room = try enter(wanted, endpoint, with: password)
    let arrival = room.anchor.frame(at: now)
    let seat: Seat
    if let token, let player = room.assumeIsolated({ $0.player(token: token) }) {
      seat = Seat(room: room, player: player)
      rename(seat, to: name, at: arrival)
    } else if let own = endpoint.seats.first(where: { $0.room === room }), endpoint.isNamed {
      seat = own
      rename(seat, to: name, at: arrival)
    } else if let player = samePlayer(name, room, endpoint) {
      seat = Seat(room: room, player: player)
    } else if let own = ownGuest(of: endpoint, in: room) {
      seat = own
      guests[GuestKey(host: endpoint.host, room: room.name)] = nil
      rename(seat, to: name, at: arrival)
    } else {
      let player = try join(
        room, name, token: Secrets.text(length: 26), isGuest: false, at: now, origin: endpoint.origin)
      seat = Seat(room: room, player: player)
    }
    leaveOtherRooms(endpoint, but: seat, at: now)
    endpoint.kickedOutOf.remove(room.name)
    endpoint.seats = [seat]
    endpoint.home = seat.room.name
    endpoint.isNamed = true
    abandoned.removeAll { $0.seats.contains { $0.room === room && $0.player == seat.player } }
    room.assumeIsolated { $0.setConnected(seat.player, true, at: arrival) }
    welcome(endpoint, seat)
    if endpoint.isAtHome, room.assumeIsolated({ $0.player(seat.player)?.isHost }) == false {
      command(.becomeHost(room.assumeIsolated { $0.hostWord }), from: endpoint, seat, at: now)
    }
    if subscribers[key(endpoint, port: endpoint.answerPort)] == nil {
      try subscribe(endpoint, port: endpoint.answerPort, topics: .standard, at: now)
    } else {
      moveSubscriptions(of: endpoint, to: seat, at: now)
    }
    command(.readAll, from: endpoint, seat, at: now)
  }

  /// The guest that this sender alone plays: it keeps its place when it says its name.
  private func ownGuest(of endpoint: Endpoint, in room: Room) -> Seat? {
    guard !endpoint.isNamed, let seat = endpoint.seats.first(where: { $0.room === room }),
      guests[GuestKey(host: endpoint.host, room: room.name)]?.player == seat.player
    else { return nil }
    let isShared = origins.values.contains { other in
      other !== endpoint && other.host == endpoint.host
        && other.seats.contains { $0.room === room && $0.player == seat.player }
    }
    return isShared ? nil : seat
  }

  /// Something came from the endpoint's players that no room sees: their holds stay.
  func heard(from endpoint: Endpoint, at now: HostTime) {
    for seat in endpoint.seats {
      let frame = seat.room.anchor.frame(at: now)
      seat.room.assumeIsolated { $0.heard(from: seat.player, at: frame) }
    }
  }

  /// The password of a room, or, where that is not open yet, of the main one. Where no word is wanted each is right.
  private func weigh(
    _ password: String, for room: PlayerName?, _ endpoint: Endpoint, at now: HostTime
  ) throws(Refusal) {
    let room = lobby.room(room) ?? lobby.room(nil)
    try allowGuess(endpoint, isRight: room?.admits(password: password) ?? true, at: now)
  }

  /// Words can be tried, but wrong ones not at speed: ten at once, then one every two seconds for each host. Right ones cost nothing, so
  /// that a roomful behind one address comes back at once; where too many were wrong, they wait as well, or they would be found.
  private func allowGuess(_ endpoint: Endpoint, isRight: Bool, at now: HostTime) throws(Refusal) {
    if guesses.count >= OSCEdge.mostGuessers { guesses.removeAll() }
    var bucket = guesses[endpoint.host] ?? TokenBucket(perSecond: 0.5, burst: 10, at: now)
    let isAllowed = isRight ? bucket.holds(at: now) : bucket.take(at: now)
    guesses[endpoint.host] = bucket
    guard isAllowed else { throw Refusal("too many words were tried from your address: wait a few seconds") }
  }

  private func rename(_ seat: Seat, to name: PlayerName, at arrival: Frames) {
    seat.room.assumeIsolated { $0.rename(seat.player, to: name, at: arrival) }
  }

  /// Over UDP the same host and name are the same player: a controller that was restarted has a new port.
  private func samePlayer(_ name: PlayerName, _ room: Room, _ endpoint: Endpoint) -> PlayerID? {
    guard !endpoint.transport.isStream, let player = room.assumeIsolated({ $0.player(named: name) }) else { return nil }
    let isOfThisHost = endpoints.values.contains { other in
      other.isNamed && other.host == endpoint.host
        && other.seats.contains { $0.room === room && $0.player == player }
    }
    return isOfThisHost ? player : nil
  }

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

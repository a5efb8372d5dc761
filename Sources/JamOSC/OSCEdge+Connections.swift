internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// Control connections: they open, end, and make room for others.
extension OSCEdge {
  func opened(_ connection: StreamConnection, of caller: OSCCaller? = nil) {
    guard table.streams.values.count(where: { $0.host == connection.peer.host }) < OSCEdge.mostConnectionsPerHost,
      table.streams.count < OSCEdge.mostConnections || endIdlest(at: time())
    else {
      counters.refusedConnections.wrappingAdd(1, ordering: .relaxed)
      return connection.close(.tryAgainLater)
    }
    let endpoint = table.add(connection, at: time())
    endpoint.home = caller?.room
    if let password = caller?.password { endpoint.passwords.insert(password) }
    if let token = caller?.query?.token { resume(token, of: endpoint, at: time()) }
  }

  func closed(_ connection: StreamConnection) {
    guard let endpoint = table.endpoint(of: connection) else { return }
    // The packets that the peer sent before the end are still carried out.
    endCount(of: endpoint)
    guard endpoint.queue.isEmpty, endpoint.underWay.isEmpty else {
      endpoint.isClosed = true
      return wakeUp(endpoint)
    }
    feedback.unsubscribe(endpoint)
    let now = time()
    // No token can resume the connection's guest, so the guest leaves with the connection.
    for membership in endpoint.memberships
    where guests.player(of: endpoint, in: membership.room) == membership.player {
      leave(membership, at: now)
    }
    let held = endpoint.memberships
    let memberships = endpoint.memberships.filter { !isElsewhere($0, than: endpoint, at: now) }
    table.remove(connection)
    for membership in held { notePresence(in: membership) }
    guard endpoint.isNamed else { return }
    // The player may return with its token. It keeps its place for a while.
    guard !memberships.isEmpty else { return }
    away.add(memberships, at: now)
    for membership in memberships {
      membership.room.assumeIsolated { $0.setConnected(membership.player, false, at: $0.anchor.frame(at: now)) }
    }
  }

  /// Handles a connection that sent more than it may. Its surplus packets are already dropped.
  func flooded(_ connection: StreamConnection) {
    guard let endpoint = table.endpoint(of: connection) else { return }
    drop(0, "/", .messages, of: endpoint, at: time())
  }

  func lostFraming(_ connection: StreamConnection, _ error: FramingError) {
    end(connection, SessionReply(error))
  }

  /// Tells a connection the reason, then closes it.
  func end(_ connection: StreamConnection, _ reason: SessionReply) {
    guard let endpoint = table.endpoint(of: connection) else { return }
    endpoint.isEnding = true
    outbox.refuse(endpoint, reason, at: time())
    outbox.close(connection, .policy)
  }

  func endStuckConnections(at now: HostTime) {
    // The end of a connection arrives from another thread. Until then the connection is told and
    // counted only once.
    for case .stream(let connection) in table.streams.values.filter({ !$0.isEnding }).map(\.transport) {
      switch connection.stuck(at: now) {
      case nil: break
      case .mute: connection.close(.policy)
      case .gone: closed(connection)
      case .inFrame(let bytes):
        counters.unfinished.wrappingAdd(1, ordering: .relaxed)
        let seconds = Int(StreamConnection.halfPacketMilliseconds / 1_000)
        end(connection, SessionReply(.frameUnfinished(seconds: seconds, bytes: bytes), address: "/"))
      }
    }
  }

  /// Ends a connection when all places are taken and a new connection needs one. Only connections
  /// without a name are candidates. The address with the most of these loses the one that has been
  /// idle longest. `/ping` does not count as activity.
  /// - Returns: whether a connection was ended.
  func endIdlest(at now: HostTime) -> Bool {
    var counts: [SocketAddress: Int] = [:]
    // A guest leaves with its connection. A player who wants to keep its place says its name.
    let nameless = table.streams.values.filter { !$0.isNamed }
    for endpoint in nameless { counts[endpoint.host, default: 0] += 1 }
    let idlest = nameless.max { a, b in
      // Among addresses with the same number, the connection that has been idle longer.
      (counts[a.host, default: 0], b.lastDeed) < (counts[b.host, default: 0], a.lastDeed)
    }
    guard let idlest, case .stream(let connection) = idlest.transport else { return false }
    end(connection, SessionReply(.connectionsFull(most: OSCEdge.mostConnections), address: "/"))
    // Frees the place now, because the channel reports its closing later.
    closed(connection)
    return true
  }
}

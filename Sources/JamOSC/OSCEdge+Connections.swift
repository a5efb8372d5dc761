internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire

/// Ends idle control connections when others need the places.
extension OSCEdge {
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

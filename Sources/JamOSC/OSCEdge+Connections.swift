internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire

/// Control connections that do nothing, where others want theirs.
extension OSCEdge {
  /// Ends a connection for a newcomer where all are taken: one without a name, of the address that has the most such, the longest idle.
  /// `/ping` is no deed.
  /// - Returns: whether there was one.
  func endIdlest(at now: HostTime) -> Bool {
    var counts: [SocketAddress: Int] = [:]
    // A guest goes with its connection: whoever wants to keep a place says its name.
    let nameless = streams.values.filter { !$0.isNamed }
    for endpoint in nameless { counts[endpoint.host, default: 0] += 1 }
    let idlest = nameless.max { a, b in
      // Of as many, the one that was idle longer.
      (counts[a.host, default: 0], b.lastDeed) < (counts[b.host, default: 0], a.lastDeed)
    }
    guard let idlest, case .stream(let connection) = idlest.transport else { return false }
    end(connection, SessionReply(.connectionsFull(most: OSCEdge.mostConnections), address: "/"))
    // Its place is free now; that the channel has closed is told later.
    closed(connection)
    return true
  }
}

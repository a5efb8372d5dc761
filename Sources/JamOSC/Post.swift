internal import JamCore
internal import JamNet
internal import JamWire
internal import Synchronization

/// Sends what the edge has to say: gathers datagrams for a turn of the loop, and keeps addresses that have not proven
/// themselves from getting more than they sent.
///
/// Thread: the room thread.
final class Post {
  private let sockets: [DatagramSocket]
  private var batches: [DatagramBatch]
  /// Connections that have something gathered.
  private var streams: [StreamConnection] = []
  private let counters: OSCCounters

  init(sockets: [DatagramSocket], counters: OSCCounters) {
    self.sockets = sockets
    self.counters = counters
    batches = sockets.map { _ in DatagramBatch() }
  }

  /// Answers an endpoint, at the port that it asked for.
  func answer(_ endpoint: Endpoint, _ message: OSCMessage) { answer(endpoint, message.encoded()) }

  /// Many messages, in as few packets as they fit into.
  func answer(_ endpoint: Endpoint, _ messages: [OSCMessage]) {
    for packet in OSCPacket.pack(messages) { answer(endpoint, packet.bytes, messages: packet.messages) }
  }

  func answer(_ endpoint: Endpoint, _ bytes: [UInt8], messages: Int = 1) {
    // An answer is work too: a /sync, which has hundreds, costs its sender as much as hundreds of messages.
    endpoint.messages.charge(Double(messages))
    if !endpoint.proof.isProven {
      let cookie = SessionAnswer.cookie(endpoint.proof.cookie).message.encoded()
      if endpoint.proof.mayAsk(bytes: cookie.count) { send(cookie, by: endpoint.transport) }
    }
    guard endpoint.proof.maySend(bytes: bytes.count) else {
      counters.unproven.wrappingAdd(1, ordering: .relaxed)
      return
    }
    if let port = endpoint.answerPort { return send(bytes, by: endpoint.transport.with(port: port)) }
    send(bytes, by: endpoint.transport)
    if let port = endpoint.portOfHost, !endpoint.isNamed, endpoint.proof.maySend(bytes: bytes.count) {
      send(bytes, by: endpoint.transport.with(port: port))
    }
  }

  /// An error, unless the endpoint has had too many of late.
  func refuse(_ endpoint: Endpoint, _ error: SessionAnswer, at now: HostTime) {
    counters.refused.wrappingAdd(1, ordering: .relaxed)
    guard endpoint.errors.take(at: now) else { return }
    answer(endpoint, error.message)
  }

  /// Sends bytes that may be sent.
  func send(_ bytes: [UInt8], by transport: Transport) {
    switch transport {
    case .datagram(let socket, let path):
      if !batches[socket].append(bytes, along: path) {
        flush(socket)
        _ = batches[socket].append(bytes, along: path)
      }
    case .stream(let connection):
      if !connection.put(bytes) { counters.unsent.wrappingAdd(1, ordering: .relaxed) }
      if !streams.contains(where: { $0 === connection }) { streams.append(connection) }
    }
  }

  /// Whether anything was gathered that has not been handed over.
  var isWaiting: Bool { !streams.isEmpty || batches.contains { !$0.isEmpty } }

  /// Hands everything that was gathered to the kernel.
  func flush() {
    for socket in sockets.indices where !batches[socket].isEmpty { flush(socket) }
    for connection in streams { connection.flush() }
    streams.removeAll(keepingCapacity: true)
  }

  private func flush(_ socket: Int) {
    let lost = batches[socket].flush(through: sockets[socket])
    if lost > 0 { counters.unsent.wrappingAdd(UInt64(lost), ordering: .relaxed) }
  }
}

extension Transport {
  /// The same host, another port. A stream has no other.
  func with(port: UInt16) -> Transport {
    guard case .datagram(let socket, let path) = self else { return self }
    return .datagram(socket: socket, path: NetworkPath(peer: path.peer.with(port: port), local: path.local))
  }
}

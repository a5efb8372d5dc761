internal import JamCore
internal import JamNet
internal import JamWire
internal import Synchronization

/// Sends what the edge has to say: gathers datagrams for a turn of the loop, and keeps addresses that have not proven
/// themselves from getting more than they sent.
///
/// Thread: the room thread.
final class Outbox {
  private let sockets: [DatagramSocket]
  private var batches: [DatagramBatch]
  /// Connections that have something gathered.
  private var streams: [StreamConnection] = []
  private let counters: OSCCounters

  var socketCount: Int { sockets.count }

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

  /// Behind what the endpoint is being told already.
  func answer(_ endpoint: Endpoint, _ bytes: [UInt8], messages: Int = 1) {
    switch endpoint.dump?.add(.packet(bytes, messages: messages)) {
    case nil: deliver(endpoint, bytes, messages: messages)
    case true?: break
    case false?: counters.unsent.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Now.
  func deliver(_ endpoint: Endpoint, _ bytes: [UInt8], messages: Int) {
    // An answer is work too: a /sync, which has hundreds, costs its sender as much as hundreds of messages.
    endpoint.messages.charge(Double(messages))
    // Elsewhere it goes before the first answer; on an attached network once an answer cannot go.
    if !endpoint.proof.isProven, endpoint.proof.sendCredit == nil { ask(endpoint) }
    guard endpoint.proof.maySend(bytes: bytes.count) else {
      if endpoint.proof.sendCredit != nil { ask(endpoint) }
      counters.unproven.wrappingAdd(1, ordering: .relaxed)
      return
    }
    if let port = endpoint.answerPort {
      send(bytes, by: endpoint.transport.with(port: port))
      let isOther = endpoint.answersOwnPort && port != endpoint.transport.peer.port
      if isOther, endpoint.proof.maySend(bytes: bytes.count) { send(bytes, by: endpoint.transport) }
      return
    }
    send(bytes, by: endpoint.transport)
    if let port = endpoint.portOfHost, !endpoint.isNamed, endpoint.proof.maySend(bytes: bytes.count) {
      send(bytes, by: endpoint.transport.with(port: port))
    }
  }

  /// Sends an unproven address its cookie, to the port where it listens, unless it was sent a moment ago.
  func ask(_ endpoint: Endpoint) {
    guard !endpoint.proof.isProven else { return }
    let cookie = SessionReply.cookie(endpoint.proof.cookie).message.encoded()
    guard endpoint.proof.mayAsk(bytes: cookie.count, at: endpoint.lastHeard) else { return }
    guard let port = endpoint.answerPort else { return send(cookie, by: endpoint.transport) }
    // Where both have answers, it is not known which of them somebody listens to.
    send(cookie, by: endpoint.asksOwnPort ? endpoint.transport : endpoint.transport.with(port: port))
    endpoint.asksOwnPort = endpoint.answersOwnPort && !endpoint.asksOwnPort
  }

  /// Tells a subscriber, as far as its address may be told.
  /// - Parameter isDispensable: whether the next will say it anew.
  /// - Returns: false where it was withheld.
  @discardableResult
  func tell(_ subscriber: Subscriber, _ bytes: [UInt8], isDispensable: Bool = false) -> Bool {
    if let sendCredit = subscriber.sendCredit, !sendCredit.maySend(bytes: bytes.count, isDispensable: isDispensable) {
      counters.unproven.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    send(bytes, by: subscriber.transport)
    return true
  }

  /// An error, unless the endpoint has had too many of late: then its text is not made either.
  /// - Returns: whether it was told.
  @discardableResult
  func refuse(_ endpoint: Endpoint, _ error: @autoclosure () -> SessionReply, at now: HostTime) -> Bool {
    counters.refused.wrappingAdd(1, ordering: .relaxed)
    guard endpoint.errors.take(at: now) else { return false }
    answer(endpoint, error().message)
    return true
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
      let isFirst = !connection.isGathering
      guard connection.put(bytes) else {
        counters.unsent.wrappingAdd(1, ordering: .relaxed)
        return
      }
      if isFirst { streams.append(connection) }
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

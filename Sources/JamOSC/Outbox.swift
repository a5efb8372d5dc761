internal import JamCore
internal import JamNet
internal import JamWire
internal import Synchronization

/// Sends the edge's packets. The outbox gathers the datagrams of a turn. It ensures that an
/// unproven address gets no more than it may.
///
/// Thread: the room thread.
final class Outbox {
  private let sockets: [DatagramSocket]
  private var batches: [DatagramBatch]
  /// Connections with gathered bytes.
  private var streams: [StreamConnection] = []
  private let counters: OSCCounters

  var socketCount: Int { sockets.count }

  init(sockets: [DatagramSocket], counters: OSCCounters) {
    self.sockets = sockets
    self.counters = counters
    batches = sockets.map { _ in DatagramBatch() }
  }

  /// Answers an endpoint, at the port that the endpoint asked for.
  func answer(_ endpoint: Endpoint, _ message: OSCMessage) { answer(endpoint, message.encoded()) }

  /// Sends many messages in as few packets as possible.
  func answer(_ endpoint: Endpoint, _ messages: [OSCMessage]) {
    for packet in OSCPacket.pack(messages) { answer(endpoint, packet.bytes, messages: packet.messages) }
  }

  /// Sends the answer after a long answer that the endpoint is receiving already.
  func answer(_ endpoint: Endpoint, _ bytes: [UInt8], messages: Int = 1) {
    switch endpoint.dump?.add(.packet(bytes, messages: messages)) {
    case nil: deliver(endpoint, bytes, messages: messages)
    case true?: break
    case false?: counters.unsent.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Sends the answer now.
  func deliver(_ endpoint: Endpoint, _ bytes: [UInt8], messages: Int) {
    // An answer costs as much as a message: a /sync, which has hundreds of answers, costs its
    // sender as much as hundreds of messages.
    endpoint.messages.charge(Double(messages))
    // An address that is not on an attached network gets the cookie before the first answer. An
    // attached one gets it when an answer cannot be sent.
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

  /// Sends an unproven address its cookie, to the port where it listens, unless the cookie was sent
  /// a moment ago.
  func ask(_ endpoint: Endpoint) {
    guard !endpoint.proof.isProven else { return }
    let cookie = SessionReply.cookie(endpoint.proof.cookie).message.encoded()
    guard endpoint.proof.mayAsk(bytes: cookie.count, at: endpoint.lastHeard) else { return }
    guard let port = endpoint.answerPort else { return send(cookie, by: endpoint.transport) }
    // Where both ports get answers, it is unknown on which of them the program listens, so the
    // cookie goes to each port in turn.
    send(cookie, by: endpoint.asksOwnPort ? endpoint.transport : endpoint.transport.with(port: port))
    endpoint.asksOwnPort = endpoint.answersOwnPort && !endpoint.asksOwnPort
  }

  /// Sends a message to a subscriber, if its address may receive it.
  /// - Parameter isDispensable: whether a later message replaces this one.
  /// - Returns: false where the message was not sent.
  @discardableResult
  func tell(_ subscriber: Subscriber, _ bytes: [UInt8], isDispensable: Bool = false) -> Bool {
    if let sendCredit = subscriber.sendCredit, !sendCredit.maySend(bytes: bytes.count, isDispensable: isDispensable) {
      counters.unproven.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    send(bytes, by: subscriber.transport)
    return true
  }

  /// Sends an error, unless the endpoint has had too many errors lately. The text of an unsent
  /// error is not made either.
  /// - Returns: whether the error was sent.
  @discardableResult
  func refuse(_ endpoint: Endpoint, _ error: @autoclosure () -> SessionReply, at now: HostTime) -> Bool {
    counters.refused.wrappingAdd(1, ordering: .relaxed)
    guard endpoint.errors.take(at: now) else { return false }
    answer(endpoint, error().message)
    return true
  }

  /// Sends bytes without further checks.
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

  /// Whether gathered bytes wait for `flush`.
  var isWaiting: Bool { !streams.isEmpty || batches.contains { !$0.isEmpty } }

  /// Hands all gathered bytes to the kernel.
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
  /// The same host with another port. A stream stays as it is, because it has no other port.
  func with(port: UInt16) -> Transport {
    guard case .datagram(let socket, let path) = self else { return self }
    return .datagram(socket: socket, path: NetworkPath(peer: path.peer.with(port: port), local: path.local))
  }
}

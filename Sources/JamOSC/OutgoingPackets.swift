internal import JamCore
internal import JamNet
internal import JamWire
internal import Synchronization

/// Gathers the edge's messages of a turn, and hands them to whoever sends them. It ensures that an
/// unproven address gets no more than it may.
///
/// Thread: the room thread.
final class OutgoingPackets {
  /// Nil where the room thread sends itself.
  private let thread: TellThread?
  private let sender: ParcelSender
  @exclusivity(unchecked) private var parcel: Parcel
  private let counters: OSCCounters
  private var refusals: RefusalLog
  let monitor = OSCMonitor()
  let socketCount: Int
  /// The server's own port for UDP.
  let ownPort: UInt16
  /// Whether the last `flush` had to keep what it has, because all that went before is still under
  /// way.
  private(set) var isHeldUp = false

  /// - Parameters:
  ///   - thread: sends the messages. Without it `flush` sends them.
  ///   - log: is told of refused messages.
  init(
    sockets: [DatagramSocket], counters: OSCCounters, thread: TellThread? = nil,
    log: any ServerLog = NoLog()
  ) {
    refusals = RefusalLog(log)
    self.thread = thread
    self.counters = counters
    sender = ParcelSender(sockets: thread == nil ? sockets : [], counters: counters)
    parcel = thread?.first ?? Parcel()
    socketCount = sockets.count
    ownPort = sockets.first?.localAddress.port ?? 0
  }

  /// Answers an endpoint, at the port that the endpoint asked for.
  func answer(_ endpoint: Endpoint, _ message: OSCMessage) { answer(endpoint, message.encoded()) }

  /// Sends many messages in as few packets as possible.
  func answer(_ endpoint: Endpoint, _ messages: [OSCMessage]) {
    for packet in OSCPacket.pack(messages) {
      answer(endpoint, packet.bytes, messages: packet.messages)
    }
  }

  /// Sends the answer after a long answer that the endpoint is receiving already.
  func answer(_ endpoint: Endpoint, _ bytes: [UInt8], messages: Int = 1) {
    // Behind a state that waits to be paid for, an error or a pong would come much too late.
    guard endpoint.isDumpDue else { return deliver(endpoint, bytes, messages: messages) }
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
      send(bytes, to: endpoint, port: port)
      let isOther = endpoint.answersOwnPort && port != endpoint.transport.peer.port
      if isOther, endpoint.proof.maySend(bytes: bytes.count) { send(bytes, to: endpoint) }
      return
    }
    send(bytes, to: endpoint)
    if let port = endpoint.portOfHost, !endpoint.isNamed, endpoint.proof.maySend(bytes: bytes.count) {
      send(bytes, to: endpoint, port: port)
    }
  }

  /// Sends an unproven address its cookie, to the port where it listens, unless the cookie was sent
  /// a moment ago.
  func ask(_ endpoint: Endpoint) {
    guard !endpoint.proof.isProven else { return }
    let cookie = SessionReply.cookie(endpoint.proof.cookie).message.encoded()
    guard endpoint.proof.mayAsk(bytes: cookie.count, at: endpoint.lastHeard) else { return }
    guard let port = endpoint.answerPort else { return send(cookie, to: endpoint) }
    // Where both ports get answers, it is unknown on which of them the program listens, so the
    // cookie goes to each port in turn.
    send(cookie, to: endpoint, port: endpoint.asksOwnPort ? nil : port)
    endpoint.asksOwnPort = endpoint.answersOwnPort && !endpoint.asksOwnPort
  }

  /// Sends a message to a subscriber at an unproven address, if the address may receive it.
  /// - Parameter isDispensable: whether a later message replaces this one.
  /// - Returns: false where the message was not sent.
  @discardableResult
  func tell(
    _ subscriber: Subscriber, _ credit: SendCredit, _ bytes: [UInt8], isDispensable: Bool = false
  ) -> Bool {
    guard credit.maySend(bytes: bytes.count, isDispensable: isDispensable) else {
      counters.unproven.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    return send(bytes, by: subscriber.transport, goesAlone: true)
  }

  /// Sends several messages to a subscriber at an unproven address: all of them or none.
  /// - Returns: false where they were not sent.
  func tell(_ subscriber: Subscriber, _ credit: SendCredit, together packets: [[UInt8]]) -> Bool {
    guard credit.covers(packets.map(\.count)) else {
      counters.unproven.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    return packets.allSatisfy { tell(subscriber, credit, $0) }
  }

  /// Takes down an event that `tell` sends. The number holds until `flush`.
  /// - Parameter isDispensable: whether a later event replaces this one.
  /// - Returns: nil where too much waits already.
  func write(_ event: Event, clock: ServerClock, isDispensable: Bool = false) -> Int? {
    parcel.write(event, clock: clock, isDispensable: isDispensable)
  }

  /// The same for a message that is no event.
  func write(_ message: OSCMessage, isDispensable: Bool = false) -> Int? {
    parcel.write(message.encoded(), isDispensable: isDispensable)
  }

  /// Sends an event to a subscriber at a proven address.
  /// - Parameter text: the result of `write`.
  func tell(_ subscriber: Subscriber, _ text: Int?) {
    guard let text, parcel.add(.tell(text, goesAlone: false), to: subscriber.transport) else {
      counters.unsent.wrappingAdd(1, ordering: .relaxed)
      return
    }
  }

  /// Sends an error, unless the endpoint has had too many errors lately. The text of an unsent
  /// error is not made either.
  /// - Parameter room: the room that refused; nil is the endpoint's own.
  /// - Returns: whether the error was sent.
  @discardableResult
  func refuse(
    _ endpoint: Endpoint, _ error: @autoclosure () -> SessionReply, in room: PlayerName? = nil,
    at now: HostTime
  ) -> Bool {
    counters.refused.wrappingAdd(1, ordering: .relaxed)
    let isAnswered = endpoint.errors.take(at: now)
    if !isAnswered { refusals.noteUnanswered(from: endpoint.host, at: now) }
    guard isAnswered || monitor.isOn else { return false }
    guard isAnswered || monitor.wantsReason(of: endpoint, at: now) else {
      monitor.ends(with: .refused("", code: RefusalLog.unanswered), of: endpoint)
      return false
    }
    let error = error()
    if monitor.isOn { watch(error, of: endpoint, in: room, at: now) }
    guard isAnswered else { return false }
    if refusals.isOn, case .error(let address, _, let code) = error {
      refusals.note(address, code.text, from: endpoint.host, at: now)
    }
    answer(endpoint, error.message)
    return true
  }

  /// Counts a refusal of which the endpoint is not told: it just was.
  func refuseAgain(_ endpoint: Endpoint, at now: HostTime) {
    counters.refused.wrappingAdd(1, ordering: .relaxed)
    refusals.noteUnanswered(from: endpoint.host, at: now)
  }

  /// Tells the log of refusals that were left out lately. Call it about once a second.
  func lookAtRefusals(at now: HostTime) { refusals.look(at: now) }

  /// - Parameter port: nil is the endpoint's own port. A bundle would add bytes to what an unproven
  ///   address may receive, so such an address gets each message alone.
  private func send(_ bytes: [UInt8], to endpoint: Endpoint, port: UInt16? = nil) {
    send(
      bytes, by: port.map(endpoint.transport.with) ?? endpoint.transport,
      goesAlone: !endpoint.proof.isProven)
  }

  /// Sends bytes without further checks.
  /// - Returns: false where too much waits already.
  @discardableResult
  private func send(_ bytes: [UInt8], by transport: Transport, goesAlone: Bool) -> Bool {
    guard let text = parcel.write(bytes),
      parcel.add(.tell(text, goesAlone: goesAlone), to: transport)
    else {
      counters.unsent.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Ends a connection after everything that was sent to it before.
  func close(_ connection: StreamConnection, _ reason: WebSocketClose) {
    if !parcel.add(.close(reason), to: .stream(connection)) { connection.close(reason) }
  }

  /// Whether messages wait for `flush`.
  var isWaiting: Bool { !parcel.isEmpty }

  /// Whether so much waits that values had better wait, too, and dispensable messages are dropped.
  var isCrowded: Bool { parcel.isCrowded }

  /// Hands over all messages, or sends them.
  func flush() {
    guard let thread else { return sender.send(parcel) }
    guard isWaiting else {
      isHeldUp = false
      parcel.removeAll()
      return thread.look()
    }
    let next = thread.exchange(parcel)
    isHeldUp = next == nil
    if let next { parcel = next }
  }
}

extension Transport {
  /// The same host with another port. A stream stays as it is, because it has no other port.
  func with(port: UInt16) -> Transport {
    guard case .datagram(let socket, let path) = self else { return self }
    return .datagram(
      socket: socket, path: NetworkPath(peer: path.peer.with(port: port), local: path.local))
  }
}

import NIOCore
import NIOHTTP1
import Synchronization

/// One HTTP connection. It answers its requests one after the other, and keeps the peer within its
/// limits.
///
/// The connection stops reading from a peer that does not read. So at most one answer, and the
/// bytes of one read, wait for such a peer.
/// Thread: the connection's event loop.
final class Connection: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum State {
    /// Waits for a request's head.
    case waiting
    /// An answer waits for its time. Parts of the request that arrive meanwhile are kept.
    case holding([HTTPServerRequestPart])
    /// Receives a request's body piece by piece.
    case receiving(IncomingBody)
    /// The body is complete, and its answer is being made.
    case working
    /// Sends an answer's body piece by piece.
    case sending(any PieceSource, keepsAlive: Bool)
    /// The last answer is on its way out.
    case closing
    /// Our side is closed; the peer may read the answer before the connection ends.
    case lingering
    case takenOver
  }

  let router: Router
  let limits: WebLimits
  let counters: WebCounters
  let watch: RequestLineWatch
  /// There are too many connections, so every request gets 503.
  private let isOverloaded: Bool
  private let ledger: ConnectionLedger
  /// Behind a trusted proxy, the connection counts for a visitor: the one of its last request.
  private var countedFor: String?
  var state = State.waiting
  /// The connection uses TLS.
  var isSecure = false
  /// Heads of requests that came before the request ahead of them was answered. They are at most
  /// those of one read.
  private var queue: [HTTPRequestHead] = []
  private var isReadHeld = false
  private var deadline = NIODeadline.distantFuture
  private var tick: Scheduled<Void>?
  private var tickTime = NIODeadline.distantFuture

  init(
    router: Router, limits: WebLimits, counters: WebCounters, watch: RequestLineWatch, ledger: ConnectionLedger,
    isOverloaded: Bool = false
  ) {
    self.ledger = ledger
    self.router = router
    self.limits = limits
    self.counters = counters
    self.watch = watch
    self.isOverloaded = isOverloaded
  }

  // MARK: Incoming

  func channelActive(context: ChannelHandlerContext) {
    setDeadline(limits.headSeconds, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    forget()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { forget() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = Self.unwrapInboundIn(data)
    if case .holding(let parts) = state, queue.isEmpty, !parts.contains(where: \.isEnd) {
      state = .holding(parts + [part])
      if part.isEnd { watch.requestEnded() }
      return
    }
    switch part {
    case .head(let head):
      switch state {
      case .waiting where queue.isEmpty && context.channel.isWritable: answer(head, context)
      case .waiting, .holding, .sending, .receiving, .working: queue.append(head)
      case .closing, .lingering, .takenOver: break
      }
    // A request that accepts no body was refused by its head, so this piece belongs to the body
    // that is being received.
    case .body(let piece): append(piece, context)
    case .end:
      watch.requestEnded()
      bodyEnded(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let isAnswerable =
      switch state {
      case .waiting, .receiving: queue.isEmpty
      default: false
      }
    guard isAnswerable, let error = error as? HTTPParserError, context.channel.isActive else {
      context.close(promise: nil)
      return
    }
    send(
      HTTPRefusal.response(to: error, isInRequestLine: watch.isInRequestLine, limits: limits), keepsAlive: false,
      context)
  }

  /// Does not read while answers wait for the peer to take them.
  func read(context: ChannelHandlerContext) {
    if isReading(context) { context.read() } else { isReadHeld = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { goOn(context) }
    context.fireChannelWritabilityChanged()
  }

  private func isReading(_ context: ChannelHandlerContext) -> Bool {
    switch state {
    case .waiting: queue.isEmpty && context.channel.isWritable
    case .holding, .sending, .working: false
    case .receiving, .closing, .lingering, .takenOver: true
    }
  }

  /// Continues with work that had to wait: the next piece, the next request, the next read.
  func goOn(_ context: ChannelHandlerContext) {
    if case .sending = state { sendPieces(context) }
    while case .waiting = state, !queue.isEmpty, context.channel.isWritable {
      answer(queue.removeFirst(), isQueued: true, context)
    }
    if isReadHeld && isReading(context) {
      isReadHeld = false
      context.read()
    }
  }

  // MARK: Outgoing

  /// - Parameter isQueued: the request waited for the answer of another one. Its body, if it had
  ///   one, has already passed unread.
  private func answer(_ head: HTTPRequestHead, isQueued: Bool = false, _ context: ChannelHandlerContext) {
    let facts = HeadFacts(head)
    let response =
      isOverloaded
      ? HTTPRefusal.overloaded : HTTPRefusal.response(to: head, facts, limits: limits) ?? respond(head, facts, context)
    send(response, to: head, facts, isQueued: isQueued, context)
  }

  private func send(
    _ response: Response, to head: HTTPRequestHead, _ facts: HeadFacts, isQueued: Bool,
    _ context: ChannelHandlerContext
  ) {
    switch response.body {
    case .receive(let plan):
      guard isQueued else { return receive(plan, of: head, facts, context) }
      return send(HTTPRefusal.queuedBody, keepsAlive: false, version: head.version, context)
    case .later(let milliseconds, let make):
      return hold(milliseconds, head, facts, isQueued: isQueued, make, context)
    default: break
    }
    // No other request can follow: an upgrade stops the parser, and a refused body was not read.
    let keepsAlive = head.isKeepAlive && !isOverloaded && !facts.hasBody && !facts.hasUpgrade
    send(response, keepsAlive: keepsAlive, version: head.version, isHead: head.method == .HEAD, context)
  }

  /// Waits, keeps the parts of the request that arrive meanwhile, and then answers. The socket is
  /// not read meanwhile, so these parts are at most those of one read.
  private func hold(
    _ milliseconds: Double, _ head: HTTPRequestHead, _ facts: HeadFacts, isQueued: Bool,
    _ make: @escaping @Sendable () -> Response, _ context: ChannelHandlerContext
  ) {
    // A request that waited in the queue has already passed, with its end.
    state = .holding(isQueued ? [.end(nil)] : [])
    setDeadline(milliseconds / 1_000 + limits.workSeconds, context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .nanoseconds(Int64(milliseconds * 1_000_000))) {
      let (connection, context) = bound.value
      guard case .holding(let parts) = connection.state, context.channel.isActive else { return }
      connection.state = .waiting
      let response = make()
      let isRefused = facts.hasBody && response.status.code < 400
      if case .receive = response.body {
        connection.send(response, to: head, facts, isQueued: isQueued, context)
      } else {
        connection.send(isRefused ? HTTPRefusal.body : response, to: head, facts, isQueued: isQueued, context)
      }
      if !isQueued { for part in parts { connection.replay(part, context) } }
      connection.goOn(context)
    }
  }

  private func replay(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head: break
    case .body(let piece): append(piece, context)
    case .end: bodyEnded(context)
    }
  }

  private func respond(_ head: HTTPRequestHead, _ facts: HeadFacts, _ context: ChannelHandlerContext) -> Response {
    do {
      // The channel keeps its addresses. The context would ask the kernel for them each time.
      let request = try HTTPRequest(
        head, remote: context.channel.remoteAddress, local: context.channel.localAddress, proxies: router.proxies,
        isSecure: isSecure)
      guard isWelcome(request.visitor) else { return HTTPRefusal.overloaded }
      let response = router.respond(to: request)
      switch response.body {
      case .receive, .later: return response
      default: break
      }
      return facts.hasBody && response.status.code < 400 ? HTTPRefusal.body : response
    } catch {
      return HTTPRefusal.malformed(error)
    }
  }

  func send(
    _ response: Response, keepsAlive: Bool, version: HTTPVersion = .http1_1, isHead: Bool = false,
    _ context: ChannelHandlerContext
  ) {
    counters.count(status: Int(response.status.code))
    func head(_ length: Int?, keepsAlive: Bool) -> ByteBuffer {
      context.channel.allocator.buffer(
        string: ResponseHead.text(
          of: response, length: length, keepsAlive: keepsAlive, version: version, date: HTTPDate.now))
    }
    switch response.body {
    case .none: write(head(0, keepsAlive: keepsAlive), keepsAlive: keepsAlive, context)
    case .bytes(var bytes):
      var out = head(bytes.readableBytes, keepsAlive: keepsAlive)
      if isHead { bytes.clear() }
      if bytes.readableBytes <= 4_096 {
        out.writeBuffer(&bytes)
      } else {
        context.write(Self.wrapOutboundOut(out), promise: nil)
        out = bytes
      }
      write(out, keepsAlive: keepsAlive, context)
    case .pieces(let source, let length):
      let out = head(length, keepsAlive: keepsAlive)
      guard !isHead else { return write(out, keepsAlive: keepsAlive, context) }
      state = .sending(source, keepsAlive: keepsAlive)
      context.write(Self.wrapOutboundOut(out), promise: nil)
      sendPieces(context)
    case .receive, .later: preconditionFailure("a body is taken in, and its time waited for, before anything is sent")
    case .takeover(let takeover):
      guard !isHead else { return write(head(nil, keepsAlive: keepsAlive), keepsAlive: keepsAlive, context) }
      hand(over: takeover, behind: head(nil, keepsAlive: false), context)
    }
  }

  private func write(_ bytes: ByteBuffer, keepsAlive: Bool, _ context: ChannelHandlerContext) {
    if keepsAlive {
      state = .waiting
      setDeadline(limits.idleSeconds, context)
      context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil)
    } else {
      end(bytes, context)
    }
  }

  /// Sends as many pieces as the peer takes, but at most 16 in a row, so that the other connections
  /// of the thread do not wait.
  private func sendPieces(_ context: ChannelHandlerContext) {
    guard case .sending(var source, let keepsAlive) = state else { return }
    setDeadline(limits.stallSeconds, context)
    for _ in 0..<16 {
      guard let piece = source.next(allocator: context.channel.allocator) else {
        write(ByteBuffer(), keepsAlive: keepsAlive, context)
        return goOn(context)
      }
      state = .sending(source, keepsAlive: keepsAlive)
      context.writeAndFlush(Self.wrapOutboundOut(piece), promise: nil)
      // A write may end the connection, or call `channelWritabilityChanged`, before it returns.
      guard case .sending = state, context.channel.isWritable else { return }
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.execute {
      let (connection, context) = bound.value
      if context.channel.isWritable { connection.sendPieces(context) }
    }
  }

  /// Writes the last bytes, closes our side when they are sent, and gives the peer time to read
  /// them. Closing the connection at once could reset it, because bytes of the peer are unread, and
  /// the answer would be lost (RFC 9112 §9.6).
  private func end(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    state = .closing
    queue = []
    watch.swallow()
    setDeadline(limits.stallSeconds, context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(Self.wrapOutboundOut(bytes)).whenComplete { result in
      let (connection, context) = bound.value
      guard case .success = result, case .closing = connection.state else { return context.close(promise: nil) }
      connection.linger(context)
    }
  }

  private func linger(_ context: ChannelHandlerContext) {
    state = .lingering
    setDeadline(limits.lingerSeconds, context)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.close(mode: .output).whenFailure { _ in bound.value.close(promise: nil) }
    goOn(context)
  }

  /// Writes the head, removes all HTTP handlers from the pipeline, and hands over the bare channel.
  /// So ten thousand listeners use no memory for HTTP.
  private func hand(
    over takeover: @escaping @Sendable (any Channel) -> Void, behind head: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    state = .takenOver
    queue = []
    watch.swallow()
    setDeadline(limits.stallSeconds, context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    // All HTTP bytes have to be sent first, because the new owner may write past this channel's
    // queue.
    context.writeAndFlush(Self.wrapOutboundOut(head)).flatMap {
      let (connection, context) = bound.value
      connection.forget()
      return connection.leave(context)
    }.whenComplete { [channel = context.channel] result in
      guard case .success = result, channel.isActive else { return channel.close(promise: nil) }
      // Reading continues, so that the end of the connection is noticed.
      channel.read()
      takeover(channel)
    }
  }

  private func leave(_ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
    let pipeline = context.pipeline.syncOperations
    do {
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let gone = [pipeline.removeHandler(decoder), pipeline.removeHandler(watch), pipeline.removeHandler(self)]
      return EventLoopFuture.andAllSucceed(gone, on: context.eventLoop)
    } catch {
      return context.eventLoop.makeFailedFuture(error)
    }
  }

  // MARK: Deadlines

  /// Sets the deadline. There is one timer per connection: a later deadline does not move it, and
  /// when it fires it is scheduled again.
  func setDeadline(_ seconds: Double, _ context: ChannelHandlerContext) {
    setDeadline(at: context.eventLoop.now + .nanoseconds(Int64(seconds * 1_000_000_000)), context)
  }

  func setDeadline(at moment: NIODeadline, _ context: ChannelHandlerContext) {
    deadline = moment
    if deadline < tickTime { scheduleTick(context) }
  }

  private func scheduleTick(_ context: ChannelHandlerContext) {
    tick?.cancel()
    tickTime = deadline
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    tick = context.eventLoop.scheduleTask(deadline: deadline) {
      let (connection, context) = bound.value
      connection.tickFired(context)
    }
  }

  private func tickFired(_ context: ChannelHandlerContext) {
    tickTime = .distantFuture
    guard context.eventLoop.now >= deadline else { return scheduleTick(context) }
    switch state {
    case .waiting where watch.hasBegun && queue.isEmpty && context.channel.isWritable:
      counters.timeouts.wrappingAdd(1, ordering: .relaxed)
      send(HTTPRefusal.tooSlow, keepsAlive: false, context)
    case .receiving:
      counters.timeouts.wrappingAdd(1, ordering: .relaxed)
      send(HTTPRefusal.tooSlow, keepsAlive: false, context)
    case .working:
      counters.timeouts.wrappingAdd(1, ordering: .relaxed)
      send(HTTPRefusal.workedTooLong, keepsAlive: false, context)
    case .holding, .sending, .closing, .takenOver:
      counters.timeouts.wrappingAdd(1, ordering: .relaxed)
      context.close(promise: nil)
    case .waiting, .lingering: context.close(promise: nil)
    }
  }

  private func forget() {
    // The bytes of an unfinished body are freed now, not when the last reference to the connection
    // ends.
    if case .receiving = state { state = .closing }
    tick?.cancel()
    tick = nil
    if let countedFor { ledger.leave(countedFor) }
    countedFor = nil
  }

  /// Counts a trusted proxy's connection for the visitor of the current request, and returns
  /// whether that visitor is within the limits.
  private func isWelcome(_ visitor: WebVisitor?) -> Bool {
    guard let visitor, visitor.way == .named else { return true }
    let address = visitor.text
    guard address != countedFor else { return true }
    if let countedFor { ledger.leave(countedFor) }
    countedFor = address
    return ledger.enter(address, isConnected: true) == .welcome
  }
}

extension HTTPServerRequestPart {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}

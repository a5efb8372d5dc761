import NIOCore
import NIOHTTP1
import Synchronization

/// One HTTP connection: answers its requests one after the other and keeps the peer within its limits.
///
/// A peer that does not read stops being read: at most one answer and what one read brought wait for it.
/// Thread: the connection's event loop.
final class Connection: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum State {
    /// For a request's head.
    case waiting
    /// A request's answer waits for its time, and what comes of its body is kept.
    case holding([HTTPServerRequestPart])
    /// A request's body comes in piece by piece.
    case receiving(IncomingBody)
    /// The body is there, and the answer is being made of it.
    case working
    /// A body goes out piece by piece.
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
  /// Every request gets 503: there are too many connections.
  private let isOverloaded: Bool
  private let ledger: ConnectionLedger
  /// Whom a trusted proxy's connection counts for: the visitor of its last request.
  private var countedFor: String?
  var state = State.waiting
  /// What is written passes through TLS.
  var isSecure = false
  /// Requests that came before the one ahead of them was answered; one read's worth at most.
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

  // MARK: What comes in

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
    // Any other's request was refused by its head.
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

  /// Reads no more while answers wait to be taken.
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

  /// Does what could not be done before: the next piece, the next request, the next read.
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

  // MARK: What goes out

  /// - Parameter isQueued: it waited for another's answer: its body, if it had one, has gone by.
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
    // An upgrade stops the parser, and a body was refused unread: no other request can follow.
    let keepsAlive = head.isKeepAlive && !isOverloaded && !facts.hasBody && !facts.hasUpgrade
    send(response, keepsAlive: keepsAlive, version: head.version, isHead: head.method == .HEAD, context)
  }

  /// Waits, takes what came meanwhile, and answers. Nothing is read from the socket then, so what comes is one read's worth.
  private func hold(
    _ milliseconds: Double, _ head: HTTPRequestHead, _ facts: HeadFacts, isQueued: Bool,
    _ make: @escaping @Sendable () -> Response, _ context: ChannelHandlerContext
  ) {
    // What waited for another's answer has gone by, end and all.
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
      // The channel's addresses are kept; the context's would be asked of the kernel each time.
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

  /// As many pieces as the peer takes, but not so many that the thread's other connections wait.
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
      // A write may end the connection or wake `channelWritabilityChanged` before it returns.
      guard case .sending = state, context.channel.isWritable else { return }
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.execute {
      let (connection, context) = bound.value
      if context.channel.isWritable { connection.sendPieces(context) }
    }
  }

  /// Writes the last bytes, closes our side when they are out, and gives the peer time to read them: closing at once, with
  /// something of the peer's unread, would reset the connection and take the answer with it (RFC 9112 §9.6).
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

  /// Writes the head, leaves the pipeline with all that HTTP needs, and hands the bare channel on: ten thousand listeners keep
  /// nothing of it.
  private func hand(
    over takeover: @escaping @Sendable (any Channel) -> Void, behind head: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    state = .takenOver
    queue = []
    watch.swallow()
    setDeadline(limits.stallSeconds, context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    // Everything of HTTP is out before another writes, past this channel's queue perhaps.
    context.writeAndFlush(Self.wrapOutboundOut(head)).flatMap {
      let (connection, context) = bound.value
      connection.forget()
      return connection.leave(context)
    }.whenComplete { [channel = context.channel] result in
      guard case .success = result, channel.isActive else { return channel.close(promise: nil) }
      // Reading goes on, so that the end of the connection is noticed.
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

  /// One timer per connection: a later deadline leaves it alone, and it looks again when it fires.
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
    // What has come of a body goes now, not with the last who knows the connection.
    if case .receiving = state { state = .closing }
    tick?.cancel()
    tick = nil
    if let countedFor { ledger.leave(countedFor) }
    countedFor = nil
  }

  /// A trusted proxy's connection counts for the visitor whom it carries now.
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

public import NIOCore

/// TLS of a server's connection. Handlers behind it see plaintext.
///
/// What is written before the handshake's end waits for it, each flush makes full records of what was
/// written, and a write's promise is kept when its records are out. A peer's goodbye ends the connection.
/// Our own goodbye waits for no answer (RFC 8446 §6.1). No deadline is kept here: whoever is behind it
/// closes a connection that never says anything.
/// Thread: the channel's event loop.
public final class TLSHandler: ChannelDuplexHandler {
  public typealias InboundIn = ByteBuffer
  public typealias InboundOut = ByteBuffer
  public typealias OutboundIn = ByteBuffer
  public typealias OutboundOut = ByteBuffer

  private var session: TLSSession
  /// What was written, up to the mark flushed.
  private var kept = MarkedCircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>(initialCapacity: 4)
  /// The handlers behind have got something in this turn of reading.
  private var hasDelivered = false

  /// - Throws: `TLSProblem.notMade` without memory.
  public init(_ context: TLSContext) throws(TLSProblem) { session = try TLSSession(context) }

  public func handlerRemoved(context: ChannelHandlerContext) {
    while let (_, promise) = kept.popFirst() { promise?.fail(ChannelError.ioOnClosedChannel) }
  }

  // MARK: What comes in

  public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let step = session.receive(Self.unwrapInboundIn(data))
    send(step.ciphertext, for: [], context)
    sendKept(context)
    if step.plaintext.readableBytes > 0 {
      hasDelivered = true
      context.fireChannelRead(Self.wrapInboundOut(step.plaintext))
    }
    switch step.ending {
    case nil: break
    case .closed: close(context: context, mode: .all, promise: nil)
    case .failed(let problem):
      context.fireErrorCaught(problem)
      context.close(promise: nil)
    }
  }

  public func channelReadComplete(context: ChannelHandlerContext) {
    if hasDelivered {
      hasDelivered = false
      context.fireChannelReadComplete()
    } else if (try? context.channel.syncOptions?.getOption(.autoRead)) == false {
      // Whoever asked for a read has got nothing yet, and does not ask again.
      context.read()
    }
  }

  // MARK: What goes out

  public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    kept.append((Self.unwrapOutboundIn(data), promise))
  }

  public func flush(context: ChannelHandlerContext) {
    kept.mark()
    sendKept(context)
  }

  public func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode != .input { send(session.close(), for: [], context) }
    context.close(mode: mode, promise: promise)
  }

  private func sendKept(_ context: ChannelHandlerContext) {
    guard kept.hasMark, session.state != .handshaking else { return }
    var plaintext = ByteBuffer()
    var promises: [EventLoopPromise<Void>] = []
    while kept.hasMark, let (bytes, promise) = kept.popFirst() {
      if plaintext.readableBytes == 0 { plaintext = bytes } else { plaintext.writeImmutableBuffer(bytes) }
      if let promise { promises.append(promise) }
    }
    guard let ciphertext = session.seal(plaintext) else {
      for promise in promises { promise.fail(ChannelError.outputClosed) }
      if session.state == .over { context.close(promise: nil) }
      return
    }
    send(ciphertext, for: promises, context)
  }

  private func send(_ bytes: ByteBuffer, for promises: [EventLoopPromise<Void>], _ context: ChannelHandlerContext) {
    guard bytes.readableBytes > 0 || !promises.isEmpty else { return }
    // In order: there is a first one.
    for other in promises.dropFirst() { promises[0].futureResult.cascade(to: other) }
    context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: promises.first)
  }
}

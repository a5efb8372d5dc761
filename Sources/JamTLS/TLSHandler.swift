public import NIOCore

/// TLS for a server's connection. The handlers behind it see plaintext.
///
/// Writes wait until the handshake has ended. Each flush turns the waiting writes into full
/// records, and a write's promise is completed when its records were sent. A peer's goodbye ends
/// the connection. The server's own goodbye waits for no answer (RFC 8446 §6.1). This handler has
/// no deadline: the handler behind it closes a connection that never sends anything.
/// Thread: the channel's event loop.
public final class TLSHandler: ChannelDuplexHandler {
  public typealias InboundIn = ByteBuffer
  public typealias InboundOut = ByteBuffer
  public typealias OutboundIn = ByteBuffer
  public typealias OutboundOut = ByteBuffer

  private var session: TLSSession
  /// The waiting writes. The buffer's mark shows how far they are flushed.
  private var kept = MarkedCircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>(initialCapacity: 4)
  /// Whether the handlers behind have received bytes in this turn of reading.
  private var hasDelivered = false

  /// - Throws: `TLSProblem.notMade` without memory.
  public init(_ context: TLSContext) throws(TLSProblem) { session = try TLSSession(context) }

  public func handlerRemoved(context: ChannelHandlerContext) {
    while let (_, promise) = kept.popFirst() { promise?.fail(ChannelError.ioOnClosedChannel) }
  }

  // MARK: Incoming bytes

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
      // The handler that asked for a read has received nothing yet, and does not ask again.
      context.read()
    }
  }

  // MARK: Outgoing bytes

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
    // There is a first promise, because the list is not empty in this loop.
    for other in promises.dropFirst() { promises[0].futureResult.cascade(to: other) }
    context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: promises.first)
  }
}

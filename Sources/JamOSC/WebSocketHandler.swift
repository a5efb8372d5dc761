internal import JamRoom
internal import JamWire
internal import NIOCore

/// The bytes of one WebSocket after its handshake.
///
/// Thread: the connection's event loop.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var decoder: WebSocketDecoder
  private let ingress: StreamIngress
  private let caller: OSCCaller
  /// Takes the text of a client of OSCQuery; nil where text is a fault.
  private let desk: QueryDesk?
  /// Whether the server's close frame was sent. No frame may follow it.
  private var isClosing = false
  /// The pong of the current read. A flood of pings gets one answer in each read; RFC 6455 §5.5.3
  /// allows answering only the last one.
  private var pong: [UInt8]?

  /// How long a peer may take to answer the server's close frame.
  static let closeSeconds: Int64 = 2

  /// - Parameter desk: answers clients of OSCQuery.
  init(thread: RoomThread, edge: OSCEdge, caller: OSCCaller, desk: QueryDesk? = nil) {
    ingress = StreamIngress(thread: thread, edge: edge)
    self.caller = caller
    self.desk = caller.query == nil ? nil : desk
    decoder = WebSocketDecoder(takesText: self.desk != nil)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    ingress.open(context.channel, peer: caller.peer, framing: .webSocket, of: caller)
    if let connection = ingress.connection { desk?.opened(connection) }
  }

  /// Refuses a connection beyond the limit. The handler is not used then.
  func refuse(_ channel: any Channel) {
    channel.writeAndFlush(
      ByteBuffer(bytes: WebSocketFrame.close(.tryAgainLater, reason: "too many control connections")), promise: nil)
    channel.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var end: (close: WebSocketClose, reason: String, isAnswer: Bool)?
    do throws(WebSocketFault) {
      try unwrapInboundIn(data).withUnsafeReadableBytes { bytes throws(WebSocketFault) in
        try decoder.receive(bytes) { item in
          switch item {
          case .message(let packet): if !isClosing { ingress.found(packet) }
          case .text(let text): if !isClosing { received(text) }
          case .ping(let payload): pong = WebSocketFrame.pong(payload)
          case .pong: break
          case .close(let reason): end = (reason ?? .normal, "", true)
          }
        }
      }
    } catch {
      end = (error.close, error.description, false)
    }
    ingress.hand(halfPacketBytes: decoder.waitingBytes)
    if let pong = pong.take(), !isClosing {
      // A peer that does not read its answers gets none, so that answers do not pile up.
      if context.channel.isWritable { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: pong)), promise: nil) }
    }
    if let end { close(end.close, reason: end.reason, isAnswer: end.isAnswer, context) }
  }

  /// A text counts as a packet, so that a flood of texts ends here, too.
  private func received(_ text: UnsafeRawBufferPointer) {
    guard ingress.mayTake(), let connection = ingress.connection else { return }
    // One byte more than a command may have says that it is too long.
    desk?.received(Array(text.prefix(QueryCommand.mostBytes + 1)), from: connection)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let connection = ingress.connection { desk?.closed(connection) }
    ingress.closed()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isClosing else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    context.write(data, promise: promise)
  }

  /// Closes the connection because the edge or the server ends it. The reason is sent as far as the
  /// socket accepts it at once; nothing waits for it.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if !isClosing, context.channel.isActive {
      isClosing = true
      let reason = ingress.connection?.closeReason ?? .goingAway
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: WebSocketFrame.close(reason))), promise: nil)
    }
    context.close(mode: mode, promise: promise)
  }

  /// The closing handshake: the server's frame, then the peer's, unless the server's frame already
  /// answers the peer's (RFC 6455 §7.1).
  private func close(
    _ close: WebSocketClose, reason: String, isAnswer: Bool, _ context: ChannelHandlerContext
  ) {
    if !isClosing {
      isClosing = true
      context.writeAndFlush(
        wrapOutboundOut(ByteBuffer(bytes: WebSocketFrame.close(close, reason: reason))), promise: nil)
    }
    if isAnswer { return context.close(promise: nil) }
    // The peer's further bytes are read and discarded, so that the peer has time to read the
    // reason.
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .seconds(WebSocketHandler.closeSeconds)) { bound.value.close(promise: nil) }
    context.close(mode: .output, promise: nil)
  }
}

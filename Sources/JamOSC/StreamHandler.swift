internal import JamNet
internal import JamRoom
internal import JamWire
internal import NIOCore

/// The bytes of one TCP connection. The first byte tells what the peer speaks: OSC with a length in
/// front begins with 0, SLIP with C0, `/` or `#`, and HTTP with the capital letter of a method.
///
/// Thread: the connection's event loop.
final class StreamHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var decoder = FrameDecoder()
  private let ingress: StreamIngress
  private let isWelcome: () -> Bool
  private let handOver: (any Channel) throws -> Void
  private var isLost = false
  /// Whether the connection speaks HTTP. All that comes goes on to the next handler.
  private var isGivenAway = false

  /// - Parameters:
  ///   - isWelcome: whether a peer that speaks HTTP is taken over.
  ///   - handOver: adds the handlers of HTTP behind this one. If it throws, the connection ends.
  init(
    _ ingress: StreamIngress, isWelcome: @escaping () -> Bool = { false },
    handOver: @escaping (any Channel) throws -> Void = { _ in }
  ) {
    self.ingress = ingress
    self.isWelcome = isWelcome
    self.handOver = handOver
  }

  /// The handler of a port that serves no HTTP.
  convenience init(thread: RoomThread, edge: OSCEdge) {
    self.init(StreamIngress(thread: thread, edge: edge))
  }

  func channelActive(context: ChannelHandlerContext) {
    let address = context.remoteAddress
    let peer =
      address?.ipAddress.flatMap { JamNet.SocketAddress(host: $0) }?.with(
        port: UInt16(clamping: address?.port ?? 0))
      ?? .none
    ingress.open(context.channel, peer: peer)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isGivenAway { return context.fireChannelRead(data) }
    let bytes = unwrapInboundIn(data)
    if decoder.framing == nil, StreamHandler.isHTTP(bytes), isWelcome() {
      return giveAway(bytes, context)
    }
    do throws(FramingError) {
      try bytes.withUnsafeReadableBytes { bytes throws(FramingError) in
        try decoder.receive(bytes) { ingress.found($0) }
      }
    } catch {
      // The edge closes the connection after the reason was sent.
      if !isLost { ingress.lost(error) }
      isLost = true
    }
    if let framing = decoder.framing { ingress.connection?.use(framing) }
    ingress.hand(halfPacketBytes: isLost ? 0 : decoder.waitingBytes)
  }

  /// Whether a connection that begins so speaks HTTP. As a length of OSC, a letter would be that of
  /// a packet of more than a GiB. Every method is taken, so that a `POST` or the `OPTIONS` of a
  /// browser gets an answer of HTTP.
  private static func isHTTP(_ bytes: ByteBuffer) -> Bool {
    guard let first = bytes.readableBytesView.first else { return false }
    return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
  }

  /// The new handlers missed the connection's beginning, so they are told of it now, and get the
  /// bytes that have come.
  private func giveAway(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    isGivenAway = true
    ingress.giveAway()
    do { try handOver(context.channel) } catch { return context.close(promise: nil) }
    context.fireChannelActive()
    context.fireChannelRead(wrapInboundOut(bytes))
    context.fireChannelReadComplete()
    // A refused peer's channel may have ended already, and has no handlers then.
    if context.channel.isActive {
      context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if isGivenAway { return context.fireChannelInactive() }
    ingress.closed()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isGivenAway { return context.fireErrorCaught(error) }
    context.close(promise: nil)
  }
}

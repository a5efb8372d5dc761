import NIOCore

/// Looks at the bytes before they are parsed. It tells the connection whether a head that grew too large did so in its first
/// line (414, anything later is 431), and it swallows what a peer still sends after it was refused.
///
/// Thread: the connection's event loop.
final class RequestLineWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// True while no line feed came since the last request ended.
  private(set) var isInRequestLine = true
  /// True once anything came since the last request ended.
  private(set) var hasBegun = false
  private var isSwallowing = false
  private var swallowedBytes = 0

  static let mostSwallowedBytes = 1 << 20

  func requestEnded() {
    isInRequestLine = true
    hasBegun = false
  }

  /// From now on nothing is parsed.
  func swallow() { isSwallowing = true }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    if isSwallowing {
      swallowedBytes += bytes.readableBytes
      if swallowedBytes > Self.mostSwallowedBytes { context.close(promise: nil) }
      return
    }
    hasBegun = true
    if isInRequestLine && bytes.readableBytesView.contains(UInt8(ascii: "\n")) { isInRequestLine = false }
    context.fireChannelRead(data)
  }
}

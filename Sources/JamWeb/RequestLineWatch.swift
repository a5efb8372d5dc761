import NIOCore

/// Watches the bytes before they are parsed, for two reasons. It tells the connection whether a
/// head that grew too large did so in its first line (414) or later (431). And it swallows the
/// bytes that a peer still sends after a refusal.
///
/// Thread: the connection's event loop.
final class RequestLineWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// No line feed has come since the last request ended.
  private(set) var isInRequestLine = true
  /// At least one byte has come since the last request ended.
  private(set) var hasBegun = false
  private var isSwallowing = false
  private var swallowedBytes = 0

  static let mostSwallowedBytes = 1 << 20

  func requestEnded() {
    isInRequestLine = true
    hasBegun = false
  }

  /// From now on, bytes are thrown away and not parsed.
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

import JamCore
import JamRealtime
import JamTLS
import NIOCore

/// Looks at a connection's first byte. A TLS handshake gets a TLS handler; other connections are
/// plain HTTP.
///
/// So one port serves both, and a firewall needs only one open port.
/// Thread: the connection's event loop.
/// - Source: RFC 8446 §5.1.
final class TLSDoor: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private static let handshake: UInt8 = 22
  private let keys: TLSKeys
  private let opened: () -> Void

  /// - Parameter opened: called when the connection begins with a TLS handshake.
  init(_ keys: TLSKeys, opened: @escaping () -> Void) {
    self.keys = keys
    self.opened = opened
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let pipeline = context.pipeline.syncOperations
    if Self.unwrapInboundIn(data).readableBytesView.first == TLSDoor.handshake {
      do {
        try pipeline.addHandler(TLSHandler(keys.context(at: .now)), position: .after(self))
      } catch {
        return context.close(promise: nil)
      }
      opened()
    }
    context.fireChannelRead(data)
    pipeline.removeHandler(context: context, promise: nil)
  }
}

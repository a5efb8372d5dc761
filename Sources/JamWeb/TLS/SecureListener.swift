import Glibc
import JamStream
import NIOCore
import NIOPosix

/// An Ogg listener over TLS. The thread that writes to all listeners only knows plain sockets. So
/// it gets one end of a socket pair, and the bytes from the other end go through the TLS
/// connection.
enum SecureListener {
  /// Takes over a connection for `listener`, when the HTTP head is sent. Thread: the connection's
  /// event loop.
  static func attach(_ listener: OggListener, to connection: any Channel) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return connection.close(promise: nil)
    }
    listener.attach(descriptor: ends[0])
    // The same small send buffer as for other listeners, so that a listener who takes nothing is
    // noticed as soon.
    _ = connection.setOption(.socketOption(.so_sndbuf), value: 64 << 10)
    ClientBootstrap(group: connection.eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pump = Pump(to: connection)
          try channel.pipeline.syncOperations.addHandler(pump)
          try connection.pipeline.syncOperations.addHandler(pump.brake)
        }
      }
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16_384))
      .withConnectedSocket(ends[1])
      .whenComplete { result in
        switch result {
        case .failure: connection.close(promise: nil)
        case .success(let pair):
          connection.closeFuture.whenComplete { _ in pair.close(promise: nil) }
          pair.closeFuture.whenComplete { _ in connection.close(promise: nil) }
        }
      }
  }

  /// Copies the bytes from the socket pair to the connection. It does not read while the connection
  /// takes nothing.
  /// Thread: the event loop of both.
  private final class Pump: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    let brake = Brake()
    private let connection: any Channel
    private var isWaiting = false

    init(to connection: any Channel) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) {
      brake.release = { [weak self] in
        guard let self, isWaiting else { return }
        isWaiting = false
        context.read()
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { brake.release = {} }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      connection.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
    }

    func read(context: ChannelHandlerContext) {
      guard connection.isWritable else { return isWaiting = true }
      context.read()
    }
  }

  /// A handler in the connection, which reports when the connection takes more bytes.
  private final class Brake: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var release: () -> Void = {}

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if context.channel.isWritable { release() }
      context.fireChannelWritabilityChanged()
    }

    // Bytes that a listener sends after its request are ignored.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
  }
}

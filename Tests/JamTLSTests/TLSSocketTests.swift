import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import JamTLS

/// The handler behind a socket: what is read and written only as far as the other end takes part.
@Suite struct TLSSocketTests {
  /// Answers each byte with 64 KiB, and reads nothing more while the client takes none of it.
  private final class Generous: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer = ByteBuffer(repeating: 7, count: 65_536)
    private var owed = 0

    func channelActive(context: ChannelHandlerContext) { context.read() }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { owed += Self.unwrapInboundIn(data).readableBytes }
    func channelReadComplete(context: ChannelHandlerContext) { pay(context) }
    func channelWritabilityChanged(context: ChannelHandlerContext) { pay(context) }

    private func pay(_ context: ChannelHandlerContext) {
      while owed > 0, context.channel.isWritable {
        owed -= 1
        context.writeAndFlush(Self.wrapOutboundOut(answer), promise: nil)
      }
      if owed == 0 { context.read() }
    }
  }

  @Test("without reads of its own accord a channel still does its handshake, and a slow client gets it all")
  func slow() async throws {
    let context = try TLSContext.made()
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([TLSHandler(context), Generous()] as [any ChannelHandler])
        }
      }
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 64 << 10))
      .childChannelOption(.socketOption(.so_sndbuf), value: 16_384)
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(server.localAddress?.port)
    #expect(try Self.talk(TLSClient(), to: UInt16(port)) == 16 * 65_536)
    try await server.close()
  }

  /// Sends 16 bytes, and takes what comes of it, a little at a time.
  private static func talk(_ client: TLSClient, to port: UInt16) throws -> Int {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var small: Int32 = 4_096
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    client.step()
    var (isAsked, bytes) = (false, [UInt8](repeating: 0, count: 1_000))
    while client.heard.readableBytes < 16 * 65_536 {
      if client.isReady, !isAsked {
        client.say("0123456789abcdef")
        isAsked = true
      }
      let out = Array(client.output().readableBytesView)
      if !out.isEmpty { try #require(send(socket, out, out.count, 0) == out.count) }
      let count = recv(socket, &bytes, bytes.count, 0)
      try #require(count > 0, "\(client.heard.readableBytes) bytes, then \(count)")
      client.receive(ByteBuffer(bytes: bytes.prefix(count)))
    }
    return client.heard.readableBytes
  }
}

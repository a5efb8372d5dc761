internal import Glibc
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The TCP side: accepts connections, finds the packets in their bytes, and hands the packets to
/// the room thread.
///
/// Thread: its event loop; `stop` may be called on any thread.
final class StreamListener: Sendable {
  private let channels: [any Channel]
  private let accepted: Accepted

  /// The open connections, so that `stop` can close them as well.
  fileprivate final class Accepted: Sendable {
    let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    func add(_ channel: any Channel) -> Bool {
      channels.withLock { channels in
        guard channels.count < StreamListener.mostConnections else { return false }
        channels[ObjectIdentifier(channel)] = channel
        return true
      }
    }
    func remove(_ channel: any Channel) { channels.withLock { $0[ObjectIdentifier(channel)] = nil } }
  }

  /// A few more than the edge keeps. The edge ends an idle connection when a new one comes, and the
  /// new one already has its channel then.
  static let mostConnections = OSCEdge.mostConnections + 64
  private let thread: RoomThread
  private let edge: OSCEdge

  /// - Parameter addresses: all are bound. Their ports are those of the datagram sockets, and not
  ///   0.
  /// - Throws: `NetError` about the first address that cannot be bound.
  init(
    _ addresses: [JamNet.SocketAddress], group: any EventLoopGroup, thread: RoomThread, edge: OSCEdge
  ) async throws {
    let accepted = Accepted()
    self.accepted = accepted
    self.thread = thread
    self.edge = edge
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(ChannelOptions.backlog, value: 256)
      .serverChannelInitializer { [log = edge.log] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptPause {
              log.write(.descriptorsExhausted, ["for": "osc", "reason": .text(String(cString: strerror($0)))])
            })
        }
      }
      .childChannelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
      // The kernel detects peers that vanish without closing the connection.
      .childChannelOption(ChannelOptions.socketOption(.so_keepalive), value: 1)
      .childChannelOption(ChannelOptions.maxMessagesPerRead, value: 4)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard accepted.add(channel) else {
            edge.counters.refusedConnections.wrappingAdd(1, ordering: .relaxed)
            throw ChannelError.outputClosed
          }
          channel.closeFuture.whenComplete { _ in accepted.remove(channel) }
          try channel.pipeline.syncOperations.addHandler(StreamHandler(thread: thread, edge: edge))
        }
      }
    var channels: [any Channel] = []
    do {
      for address in addresses {
        let host = address.isIPv6 && address.isAny ? "::" : address.hostText
        var bootstrap = bootstrap
        if address.isIPv6 {
          let option = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
          bootstrap = bootstrap.serverChannelOption(option, value: 1)
        }
        do {
          // A look-up of an address of IPv6 fails where the machine has none but loopback's.
          // Only an address with a scope needs it.
          let port = Int(address.port)
          let known = try? NIOCore.SocketAddress(ipAddress: host, port: port)
          let bound = known.map { bootstrap.bind(to: $0) } ?? bootstrap.bind(host: host, port: port)
          channels.append(try await bound.get())
        } catch let error as IOError {
          throw NetError.binding(address, code: error.errnoCode)
        }
      }
    } catch {
      for channel in channels { channel.close(promise: nil) }
      throw error
    }
    self.channels = channels
  }

  /// Takes over a connection whose WebSocket handshake is complete. Thread: the channel's event
  /// loop.
  func accept(webSocket channel: any Channel, of caller: OSCCaller) {
    let handler = WebSocketHandler(thread: thread, edge: edge, caller: caller)
    guard accepted.add(channel) else {
      edge.counters.refusedConnections.wrappingAdd(1, ordering: .relaxed)
      return handler.refuse(channel)
    }
    channel.closeFuture.whenComplete { [accepted] _ in accepted.remove(channel) }
    _ = channel.setOption(ChannelOptions.socketOption(.so_keepalive), value: 1)
    do { try channel.pipeline.syncOperations.addHandler(handler) } catch { channel.close(promise: nil) }
  }

  func stop() {
    for channel in channels { channel.close(promise: nil) }
    for channel in accepted.channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
  }
}

/// The bytes of one TCP connection.
final class StreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var decoder = FrameDecoder()
  private let ingress: StreamIngress
  private var isLost = false

  init(thread: RoomThread, edge: OSCEdge) { ingress = StreamIngress(thread: thread, edge: edge) }

  func channelActive(context: ChannelHandlerContext) {
    let address = context.remoteAddress
    let peer =
      address?.ipAddress.flatMap { JamNet.SocketAddress(host: $0) }?.with(port: UInt16(clamping: address?.port ?? 0))
      ?? .none
    ingress.open(context.channel, peer: peer)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    do throws(FramingError) {
      try unwrapInboundIn(data).withUnsafeReadableBytes { bytes throws(FramingError) in
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

  func channelInactive(context: ChannelHandlerContext) { ingress.closed() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

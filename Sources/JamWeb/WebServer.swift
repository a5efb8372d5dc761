import Glibc
import JamCore
public import JamNet
public import JamRoom
public import NIOCore
import NIOHTTP1
import NIOPosix

/// The HTTP server: the page, the streams, `/health` and `/metrics`.
///
/// The server starts no thread of its own. Its connections use the event loops that it gets.
public final class WebServer: Sendable {
  /// The addresses on which the server listens, with their real ports.
  public let addresses: [WebAddress]
  private let listeners: [any Channel]

  /// The port of the first address.
  public var port: Int { addresses[0].port }

  let counters: WebCounters

  private init(listeners: [any Channel], addresses: [WebAddress], counters: WebCounters) {
    self.listeners = listeners
    self.counters = counters
    self.addresses = addresses
  }

  /// Binds and serves; when it returns, every address accepts requests.
  /// - Parameter addresses: the addresses to listen on, at least one; a later one with port 0 takes
  ///   the port of the first one.
  /// - Parameter group: event loops that outlive the server.
  /// - Parameter proxies: the proxies that may name the client of a request.
  /// - Parameter names: the names by which the server may be asked, beside those of `keys`.
  /// - Parameter keys: the certificate for connections that begin with a TLS handshake; nil accepts
  ///   no TLS.
  /// - Parameter guesses: the limit on wrong words; all edges of the server share it.
  /// - Thread: any.
  /// - Throws: `WebError`; nothing is left bound then.
  public static func start(
    on addresses: [WebAddress], backend: any WebBackend, group: any EventLoopGroup, limits: WebLimits = .standard,
    proxies: TrustedProxies = .none, names: HostNames = HostNames(), keys: TLSKeys? = nil,
    guesses: GuessLimit<GuessSource> = GuessLimit()
  ) async throws(WebError) -> WebServer {
    precondition(!addresses.isEmpty, "a web server listens somewhere")
    let counters = WebCounters()
    var known = names
    known.keys = keys
    let router = Router.standard(
      backend: backend, counters: counters, limits: limits, proxies: proxies, names: known,
      guesses: guesses)
    let pipeline = ConnectionPipeline(
      router: router, limits: limits, counters: counters, ledger: ConnectionLedger(limits: limits),
      keys: keys)
    var listeners: [any Channel] = []
    var bound: [WebAddress] = []
    for var address in addresses {
      if address.port == 0, let first = bound.first { address.port = first.port }
      do {
        let channel = try await bind(address, pipeline: pipeline, group: group)
        listeners.append(channel)
        bound.append(WebAddress(host: address.host, port: channel.localAddress?.port ?? address.port))
      } catch {
        for listener in listeners { try? await listener.close() }
        throw error
      }
    }
    return WebServer(listeners: listeners, addresses: bound, counters: counters)
  }

  /// Stops accepting connections. Open connections end with their event loops. Thread: any.
  public func stop() async {
    for listener in listeners { try? await listener.close() }
  }

  private static func bind(
    _ address: WebAddress, pipeline: ConnectionPipeline, group: any EventLoopGroup
  ) async throws(WebError) -> any Channel {
    ConnectionPipeline.prepare()
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelInitializer { [log = pipeline.router.backend.log] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptPause {
              log.write(.descriptorsExhausted, ["for": "http", "reason": .text(String(cString: strerror($0)))])
            })
        }
      }
      // After a restart, all listeners come back at once, and have to find room.
      .serverChannelOption(.backlog, value: 4_096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.maxMessagesPerRead, value: 64)
      .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try pipeline.install(on: channel) }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096))
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 64 << 10))
    if let host = address.host { return try await bind(bootstrap, host, address) }
    // `::` takes both families. Where the kernel has no IPv6, only IPv4 remains.
    do { return try await bind(bootstrap, "::", address) } catch .noSuchAddress {
      return try await bind(bootstrap, "0.0.0.0", address)
    }
  }

  private static func bind(
    _ bootstrap: ServerBootstrap, _ host: String, _ address: WebAddress
  ) async throws(WebError) -> any Channel {
    do {
      // A look-up of `::` fails where the machine has no address of IPv6 but loopback's.
      if let known = try? NIOCore.SocketAddress(ipAddress: host, port: address.port) {
        return try await bootstrap.bind(to: known).get()
      }
      return try await bootstrap.bind(host: host, port: address.port).get()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw .portInUse(address)
    } catch let error as IOError where error.errnoCode == EACCES {
      throw .notPermitted(address)
    } catch let error as IOError {
      throw .noSuchAddress(address, reason: String(cString: strerror(error.errnoCode)))
    } catch {
      throw .noSuchAddress(address, reason: "no such name")
    }
  }
}

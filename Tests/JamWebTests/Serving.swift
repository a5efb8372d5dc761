import NIOPosix

@testable import JamWeb

/// Runs `body` against a server on a free port of this machine, and stops it afterwards.
func serving(
  _ backend: TestBackend? = nil, limits: WebLimits = .standard, behind proxies: TrustedProxies = .none,
  names: HostNames = HostNames(), on host: String = "127.0.0.1", _ body: (Int) throws -> Void
) async throws {
  let server = try await WebServer.start(
    on: [WebAddress(host: host, port: 0)], backend: try backend ?? TestBackend(),
    group: MultiThreadedEventLoopGroup.singleton,
    limits: limits, proxies: proxies, names: names)
  do { try body(server.port) } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

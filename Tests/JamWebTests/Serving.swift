import NIOPosix

@testable import JamWeb

/// Runs `body` against a server on a free port of this machine, and stops it afterwards.
func serving(
  _ house: TestHouse = TestHouse(), limits: WebLimits = .standard, _ body: (Int) throws -> Void
) async throws {
  let server = try await WebServer.start(
    on: [WebAddress(host: "127.0.0.1", port: 0)], house: house, group: MultiThreadedEventLoopGroup.singleton,
    limits: limits)
  do { try body(server.port) } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

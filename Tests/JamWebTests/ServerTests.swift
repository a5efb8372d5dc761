import NIOCore
import NIOPosix
import Testing

@testable import JamWeb

@Suite struct ServerTests {
  private func start(_ addresses: WebAddress...) async throws(WebError) -> WebServer {
    do {
      return try await WebServer.start(
        on: addresses, backend: try TestBackend(), group: MultiThreadedEventLoopGroup.singleton)
    } catch let error as WebError {
      throw error
    } catch {
      preconditionFailure("\(error)")
    }
  }

  @Test("a port in use is an error of its own that says what to do")
  func portInUse() async throws {
    let first = try await start(WebAddress(host: "127.0.0.1", port: 0))
    let address = WebAddress(host: "127.0.0.1", port: first.port)
    await #expect(throws: WebError.portInUse(address)) { try await start(address) }
    #expect(WebError.portInUse(address).description.contains("--http"))
    await first.stop()
    await (try start(address)).stop()
  }

  @Test("an address that is not this machine's is an error of its own")
  func foreignAddress() async throws {
    for host in ["192.0.2.1", "no.such.name.invalid"] {
      await #expect(throws: WebError.self) { try await start(WebAddress(host: host, port: 0)) }
    }
  }

  @Test("several addresses share the port that the first one took; nothing stays bound after an error")
  func severalAddresses() async throws {
    let server = try await start(WebAddress(host: "127.0.0.1", port: 0), WebAddress(host: "127.0.0.2", port: 0))
    #expect(server.addresses.map(\.port) == [server.port, server.port])
    let taken = WebAddress(host: "127.0.0.1", port: server.port)
    let free = WebAddress(host: "127.0.0.3", port: server.port)
    await #expect(throws: WebError.portInUse(taken)) { try await start(free, taken) }
    await (try start(free)).stop()
    await server.stop()
  }

  @Test("without a host it listens on every address, of both families")
  func everyAddress() async throws {
    let server = try await start(WebAddress(port: 0))
    #expect(try RawClient(port: server.port).ask("GET", "/health").status == 200)
    await server.stop()
  }

  @Test("an address is written as it is typed")
  func texts() {
    #expect("\(WebAddress(host: "::1", port: 80))" == "[::1]:80")
    #expect("\(WebAddress(host: "10.0.0.1", port: 80))" == "10.0.0.1:80")
    #expect("\(WebAddress(port: 80))" == "*:80")
  }
}

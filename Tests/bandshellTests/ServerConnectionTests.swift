import Glibc
import JamNet
import JamWire
import Synchronization
import TestSupport
import Testing

@testable import bandshell

@Suite("Connection of a command to a server")
struct ServerConnectionTests {
  /// A server that accepts one connection.
  private final class Server {
    let port: UInt16
    private let listener: Int32

    init() throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      self.listener = listener
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let port = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> UInt16? in
          guard bind(listener, raw, length) == 0, listen(listener, 1) == 0,
            getsockname(listener, raw, &length) == 0
          else { return nil }
          return raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt16(bigEndian: $0.pointee.sin_port)
          }
        }
      }
      self.port = try #require(port)
    }

    deinit { close(listener) }

    func accept() -> Int32 { Glibc.accept(listener, nil, nil) }
  }

  @Test("what it says last reaches a server that is slow to read, though much of the server's is unread")
  func leaves() async throws {
    let server = try Server()
    let held = Mutex<ServerConnection?>(
      try ServerConnection(to: Listening(host: "127.0.0.1", port: server.port)))
    let peer = server.accept()
    // Nobody reads this.
    let told = [UInt8](repeating: 0, count: 100_000)
    #expect(send(peer, told, told.count, 0) == told.count)
    // It is closed as soon as it has left.
    let leaving = Task.detached { held.withLock { $0.take() }?.leave(with: [OSCMessage("/bye")]) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    var count = recv(peer, &bytes, bytes.count, 0)
    #expect(bytes.prefix(max(0, count)) == Framing.lengthPrefix.frame(OSCMessage("/bye").encoded())[...])
    // The end, and no reset of the connection, which comes with an error.
    count = recv(peer, &bytes, bytes.count, 0)
    #expect(count == 0)
    close(peer)
    _ = await leaving.value
  }

  @Test("it waits no longer than the server has its end open")
  func ends() throws {
    let server = try Server()
    let connection = try ServerConnection(to: Listening(host: "127.0.0.1", port: server.port))
    close(server.accept())
    #expect(connection.receive { _ in true })
    connection.leave(with: [OSCMessage("/bye")])
  }

  @Test("whoever stops it ends what it waits for, and may say its last words")
  func stops() async throws {
    let server = try Server()
    let connection = try ServerConnection(to: Listening(host: "127.0.0.1", port: server.port))
    let peer = server.accept()
    let waiting = Task.detached { connection.receive { _ in true } }
    connection.stop()
    #expect(await waiting.value == false)
    let leaving = Task.detached { connection.leave(with: []) }
    var byte: UInt8 = 0
    #expect(recv(peer, &byte, 1, 0) == 0)
    close(peer)
    await leaving.value
  }
}

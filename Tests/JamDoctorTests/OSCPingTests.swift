import Glibc
import JamNet
import JamWire
import Testing

@testable import JamDoctor

/// The doctor asks a taken OSC port whether a server of ours is there.
@Suite struct OSCPingTests {
  /// A bound UDP socket of this machine, and its port.
  private func bound() throws -> (socket: Int32, port: UInt16, address: SocketAddress) {
    let loopback = try #require(SocketAddress(host: "127.0.0.1"))
    let server = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let (any, length) = loopback.forSystem(port: 0)
    var own = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: any) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(server, $0, length) }
    }
    let named = withUnsafeMutablePointer(to: &own) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(server, $0, &size) }
    }
    #expect(result == 0 && named == 0)
    return (server, UInt16(bigEndian: own.sin_port), loopback)
  }

  @Test("a port that answers /pong to /ping is a server's, also behind other messages")
  func pong() throws {
    let server = try bound()
    defer { close(server.socket) }
    func isServers(_ answers: [OSCMessage]) throws -> Bool {
      let asker = try #require(OSCPing.ask(server.port, at: server.address))
      defer { close(asker) }
      var question = [UInt8](repeating: 0, count: 64)
      var from = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      withUnsafeMutablePointer(to: &from) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { from in
          let count = recvfrom(server.socket, &question, question.count, 0, from, &size)
          #expect(Array(question.prefix(max(0, count))) == OSCMessage("/ping").encoded())
          for answer in answers.map({ $0.encoded() }) {
            #expect(sendto(server.socket, answer, answer.count, 0, from, size) == answer.count)
          }
        }
      }
      return OSCPing.hasPong(asker)
    }
    let ours = try isServers([OSCMessage("/cookie"), OSCMessage("/pong")])
    let other = try isServers(Array(repeating: OSCMessage("/pongs"), count: 8))
    #expect(ours && !other)
  }

  @Test("a taken port of a server that runs is no fault, and that of another program is one")
  func finding() throws {
    let server = try bound()
    defer { close(server.socket) }
    func finding(_ purpose: String, isServers: Bool) -> Finding {
      let port = ServerPort(number: server.port, transport: "udp", purpose: purpose, host: "127.0.0.1")
      return PortProbe.finding(port) { _, _ in isServers }
    }
    let ours = finding(ServerPort.osc, isServers: true)
    #expect(ours.verdict == .advice && ours.text.hasSuffix("is that of a Bandshell server, which runs"))
    for other in [finding(ServerPort.osc, isServers: false), finding("RTP", isServers: true)] {
      #expect(other.verdict == .bad && other.text.hasSuffix("is taken by another program"))
    }
    #expect(ServerPorts().all.map { $0.purpose == ServerPort.osc } == [true, true, false, false])
  }
}

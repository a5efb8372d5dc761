import Glibc
import JamNet
import Testing

@testable import JamDoctor

@Suite struct ServerPortsTests {
  private func ports(_ osc: Listening, _ http: Listening, _ media: Listening) -> ServerPorts {
    ServerPorts(osc: osc, http: http, media: media)
  }

  private func at(_ host: String?, _ port: UInt16) -> Listening { Listening(host: host, port: port) }

  @Test("one number for three ports names the options that collide, and numbers that do not")
  func oneNumber() {
    let clash = ports(at(nil, 9_000), at(nil, 9_000), at(nil, 9_000)).clash
    #expect(
      clash
        == "--osc and --http both take TCP port 9000, and --osc and --media both take UDP port 9000: give each a port of its own, as --http *:9001 --media *:9002"
    )
    let media = ports(at("10.0.0.1", 9_000), at(nil, 9_001), at("0.0.0.0", 9_000)).clash
    #expect(
      media == "--osc and --media both take UDP port 9000: give each a port of its own, as --media 0.0.0.0:9002")
    #expect(ports(at(nil, 65_535), at(nil, 65_535), at(nil, 1)).clash?.hasSuffix("as --http *:8088") == true)
  }

  @Test("ports that go together are taken: TCP beside UDP, other addresses, other families, free ones")
  func apart() {
    #expect(ServerPorts().clash == nil)
    #expect(ports(at(nil, 8_000), at(nil, 9_000), at(nil, 9_000)).clash == nil)
    #expect(ports(at(nil, 0), at(nil, 0), at(nil, 0)).clash == nil)
    #expect(ports(at("10.0.0.1", 9_000), at("10.0.0.2", 9_000), at("::1", 9_000)).clash == nil)
    #expect(ports(at("::", 9_000), at("127.0.0.1", 9_000), at("a.name", 9_000)).clash == nil)
    #expect(ports(at("127.0.0.1", 9_000), at("localhost", 9_000), at(nil, 1)).clash != nil)
  }

  @Test("free ports are not looked at, and ports of this machine alone need no firewall") func known() {
    #expect(ports(at(nil, 0), at(nil, 9_000), at(nil, 0)).all.map(\.number) == [9_000])
    #expect(!Firewall(ports: ports(at("127.0.0.1", 1), at("::1", 2), at("localhost", 3))).isNeeded)
    #expect(Firewall(ports: ports(at("127.0.0.1", 1), at(nil, 2), at("localhost", 3))).isNeeded)
  }

  @Test("a port is looked at on the address that was given") func address() {
    let taken = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(taken) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(taken, $0, length) == 0 && listen(taken, 1) == 0)
        #expect(getsockname(taken, $0, &length) == 0)
      }
    }
    let number = UInt16(bigEndian: address.sin_port)
    func verdict(_ host: String?) -> Finding.Verdict {
      PortProbe.finding(ServerPort(number: number, transport: "tcp", purpose: "OSC", host: host)).verdict
    }
    #expect(verdict("127.0.0.1") == .bad)
    #expect(verdict(nil) == .bad)
    #expect(verdict("127.0.0.2") == .good)
    #expect(verdict("203.0.113.7") == .bad)
  }
}

import JamNet
import Testing

@Suite struct SocketAddressTests {
  @Test(
    "an address reads back as it was printed",
    arguments: ["0.0.0.0:8000", "192.168.1.5:9000", "127.0.0.1:0", "[::]:8000", "[::1]:8000", "[2001:db8::7]:65535"])
  func roundTrip(text: String) throws {
    #expect(try SocketAddress(parsing: text).description == text)
  }

  @Test(
    "what is no address is refused with its text",
    arguments: [
      "", ":", "8000", "192.168.1.5", "300.1.1.1:8000", "::1:8000", "[127.0.0.1]:80", "1.2.3.4:65536", "[::1]:", "a:b",
    ])
  func malformed(text: String) {
    #expect(throws: NetError.malformedAddress(text)) { try SocketAddress(parsing: text) }
  }

  @Test("localhost is 127.0.0.1") func localhost() throws {
    #expect(try SocketAddress(parsing: "localhost:8000") == .loopback(port: 8000))
  }

  @Test("loopback and link-local addresses are known as such") func kinds() throws {
    #expect(try SocketAddress(parsing: "127.9.0.1:1").isLoopback)
    #expect(try SocketAddress(parsing: "[::1]:1").isLoopback)
    #expect(try !SocketAddress(parsing: "[::2]:1").isLoopback)
    #expect(SocketAddress.ipv4(169, 254, 3, 4).isLinkLocal)
    #expect(try SocketAddress(parsing: "[fe80::1]:1").isLinkLocal)
    #expect(SocketAddress.anyIPv4(port: 1).isAny)
    #expect(SocketAddress.anyIPv6(port: 1).isAny)
    #expect(SocketAddress.none.isNone)
  }

  @Test("the host is the address without its port") func host() throws {
    let a = try SocketAddress(parsing: "10.0.0.1:5000")
    let b = try SocketAddress(parsing: "10.0.0.1:5001")
    #expect(a != b)
    #expect(a.host == b.host)
    #expect(a.host.with(port: 5001) == b)
  }

  @Test("a prefix is compared to the bit") func prefixes() throws {
    let a = SocketAddress.ipv4(192, 168, 1, 200)
    #expect(a.shares(prefix: 24, with: .ipv4(192, 168, 1, 3)))
    #expect(!a.shares(prefix: 25, with: .ipv4(192, 168, 1, 3)))
    #expect(!a.shares(prefix: 24, with: .ipv4(192, 168, 2, 200)))
    let v6 = try #require(SocketAddress(host: "2001:db8:0:1::1"))
    #expect(v6.shares(prefix: 64, with: try #require(SocketAddress(host: "2001:db8:0:1:ffff::9"))))
    #expect(!v6.shares(prefix: 65, with: try #require(SocketAddress(host: "2001:db8:0:1:ffff::9"))))
    #expect(!v6.shares(prefix: 0, with: a))
  }
}

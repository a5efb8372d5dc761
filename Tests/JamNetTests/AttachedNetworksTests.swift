import JamNet
import Testing

@Suite struct AttachedNetworksTests {
  let networks = AttachedNetworks(interfaces: [
    NetworkInterface(name: "lo", address: .ipv4(127, 0, 0, 1), prefixLength: 8, isLoopback: true),
    NetworkInterface(name: "docker0", address: .ipv4(172, 17, 0, 1), prefixLength: 16, isVirtual: true),
    NetworkInterface(name: "eth0", address: SocketAddress(host: "2001:db8::5")!, prefixLength: 64),
    NetworkInterface(name: "eth0", address: .ipv4(192, 168, 1, 5), prefixLength: 24),
    NetworkInterface(name: "tun0", address: .ipv4(10, 8, 0, 2), prefixLength: 0),
  ])

  @Test("a neighbour is on an attached network, a stranger is not") func neighbours() {
    #expect(networks.contains(.ipv4(192, 168, 1, 77, port: 9000)))
    #expect(!networks.contains(.ipv4(192, 168, 2, 77, port: 9000)))
    #expect(networks.contains(.ipv4(127, 0, 0, 9)))
    #expect(networks.contains(SocketAddress(host: "2001:db8::77")!))
    #expect(!networks.contains(SocketAddress(host: "2001:db9::77")!))
  }

  @Test("a tunnel that leads everywhere makes nobody a neighbour") func tunnels() {
    #expect(!networks.contains(.ipv4(8, 8, 8, 8)))
  }

  @Test("the machine's own addresses are known") func own() {
    #expect(networks.isThisMachine(.ipv4(192, 168, 1, 5, port: 5000)))
    #expect(!networks.isThisMachine(.ipv4(192, 168, 1, 6, port: 5000)))
  }

  @Test("addresses to type come real before virtual and IPv4 before IPv6") func order() {
    let hosts = networks.localNetworkInterfaces.map(\.address.hostText)
    #expect(hosts == ["192.168.1.5", "10.8.0.2", "2001:db8::5", "172.17.0.1"])
  }

  @Test("this machine has its loopback address") func current() throws {
    let here = try AttachedNetworks.current()
    let own = here.interfaces.first { $0.isLoopback && $0.address == .ipv4(127, 0, 0, 1) }
    #expect(own.map { $0.index > 0 && !$0.hasMulticast } == true)
  }
}

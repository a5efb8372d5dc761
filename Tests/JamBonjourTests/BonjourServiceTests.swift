import JamNet
import Testing

@testable import JamBonjour

@Suite("Where a service is announced") struct BonjourServiceTests {
  let lo = NetworkInterface(
    name: "lo", address: .loopback(port: 0), prefixLength: 8, isLoopback: true, index: 1)
  let eth = NetworkInterface(
    name: "eth0", address: .ipv4(192, 168, 1, 5), prefixLength: 24, index: 2, hasMulticast: true)
  let eth6 = NetworkInterface(
    name: "eth0", address: .ipv6([0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5], scope: 2),
    prefixLength: 64, index: 2, hasMulticast: true)
  let tunnel = NetworkInterface(name: "tun0", address: .ipv4(10, 8, 0, 2), prefixLength: 24, index: 3)

  func service(_ place: SocketAddress?) -> BonjourService {
    BonjourService("_osc._udp", port: 8_000, text: DNSText([:]), place: place)
  }

  @Test("networks with multicast are links, each family for itself; lo is one where it is alone") func links() {
    let all = MDNSLinkShape.all(of: AttachedNetworks(interfaces: [lo, eth, eth6, tunnel]))
    #expect(all.map(\.link) == [MDNSLink(interface: 2, isIPv6: false), MDNSLink(interface: 2, isIPv6: true)])
    #expect(all.allSatisfy { $0.interfaces.count == 2 })
    #expect(all.map(\.sender) == [eth.address, eth6.address])
    #expect(MDNSLinkShape.all(of: AttachedNetworks(interfaces: [lo])).map(\.link.interface) == [1])
    #expect(MDNSLinkShape.all(of: AttachedNetworks(interfaces: [lo, tunnel])).isEmpty)
  }

  @Test("neighbours are those of the link's own networks, in its own family") func neighbours() {
    let links = MDNSLinkShape.all(of: AttachedNetworks(interfaces: [eth, eth6]))
    #expect(links[0].isNeighbour(.ipv4(192, 168, 1, 77)))
    #expect(!links[0].isNeighbour(.ipv4(192, 168, 2, 77)))
    #expect(!links[0].isNeighbour(eth6.address))
    #expect(links[1].isNeighbour(.ipv6([0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1], scope: 2)))
    #expect(!links[1].isNeighbour(.ipv6([0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1], scope: 3)))
    #expect(!links[1].isNeighbour(.ipv6([0x20, 0x01], scope: 0)))
  }

  @Test("a service is reached by the addresses that it listens at") func places() {
    #expect(service(nil).isReached(by: eth.address) && service(nil).isReached(by: eth6.address))
    #expect(service(.anyIPv4(port: 1)).isReached(by: eth.address))
    #expect(!service(.anyIPv4(port: 1)).isReached(by: eth6.address))
    #expect(service(eth.address.with(port: 9)).isReached(by: eth.address))
    #expect(!service(.loopback(port: 9)).isReached(by: eth.address))
    let announcement = BonjourAnnouncement(name: "A", machine: "box.lan", services: [service(.loopback(port: 1))])
    #expect(!announcement.isHeard(in: AttachedNetworks(interfaces: [lo, eth])))
    #expect(announcement.isHeard(in: AttachedNetworks(interfaces: [lo])))
    #expect(announcement.machine == "box")
    #expect(BonjourAnnouncement(name: "A", machine: "localhost", services: []).machine == "bandshell")
    #expect(
      MDNSLinkShape.all(of: AttachedNetworks(interfaces: [lo, eth])).allSatisfy {
        announcement.services(on: $0).isEmpty
      })
    #expect(
      MDNSLinkShape.all(of: AttachedNetworks(interfaces: [lo])).allSatisfy {
        announcement.services(on: $0).count == 1
      })
  }

  @Test("Avahi announces on the interface of an address, on all of them for every address, or on none")
  func avahi() {
    let links = MDNSLinkShape.all(of: AttachedNetworks(interfaces: [lo, eth, eth6]))
    #expect(AvahiAnnouncer.interface(of: service(nil), on: links) == -1)
    #expect(AvahiAnnouncer.interface(of: service(.anyIPv4(port: 1)), on: links) == -1)
    #expect(AvahiAnnouncer.interface(of: service(eth.address.with(port: 1)), on: links) == 2)
    #expect(AvahiAnnouncer.interface(of: service(.loopback(port: 1)), on: links) == nil)
  }

  @Test("a long name keeps its number") func longName() {
    var names = MDNSNames(
      BonjourAnnouncement(
        name: String(repeating: "é", count: 60), machine: String(repeating: "m", count: 80), services: []))
    names.rename(names.host)
    #expect(names.host.labels == [String(repeating: "m", count: 61) + "-2", "local"])
    names.rename(.root)
    #expect(names.label == String(repeating: "é", count: 29) + " (2)")
  }
}

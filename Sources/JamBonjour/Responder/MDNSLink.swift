internal import JamCore
package import JamNet

/// One network of one interface, by IPv4 or IPv6, on which multicast DNS is spoken.
package struct MDNSLink: Hashable, Sendable {
  /// The interface's number in the system.
  package var interface: UInt32
  package var isIPv6: Bool

  package init(interface: UInt32, isIPv6: Bool) {
    self.interface = interface
    self.isIPv6 = isIPv6
  }
}

/// A link with the addresses of its interface.
package struct MDNSLinkShape: Hashable, Sendable {
  package var link: MDNSLink
  /// All addresses of the interface, of both families.
  package var interfaces: [NetworkInterface]

  /// The most addresses of an interface that count. IPv6 may give one to each of many programs.
  static let mostAddresses = 16

  package init(link: MDNSLink, interfaces: [NetworkInterface]) {
    self.link = link
    self.interfaces = Array(interfaces.prefix(MDNSLinkShape.mostAddresses))
  }

  /// Whether `peer` is on this link's own network. Nobody else gets an answer.
  package func isNeighbour(_ peer: SocketAddress) -> Bool {
    guard peer.isIPv6 == link.isIPv6 else { return false }
    if peer.isLinkLocal, peer.isIPv6 { return peer.scope == link.interface }
    return interfaces.contains {
      $0.prefixLength > 0 && $0.address.shares(prefix: $0.prefixLength, with: peer)
    }
  }

  /// The address that datagrams leave from: a link-local one where IPv6 has it.
  package var sender: SocketAddress {
    let own = interfaces.map(\.address).filter { $0.isIPv6 == link.isIPv6 }
    return own.first { $0.isIPv6 && $0.isLinkLocal } ?? own.first ?? .none
  }

  /// The links of a machine: those with multicast, and the machine's own (`lo`) where there is no
  /// other network at all, as in a namespace.
  package static func all(of networks: AttachedNetworks) -> [MDNSLinkShape] {
    let others = networks.interfaces.filter { !$0.isLoopback }
    let used = others.isEmpty ? networks.interfaces : others.filter(\.hasMulticast)
    var shapes: [MDNSLinkShape] = []
    for interface in used {
      let link = MDNSLink(interface: interface.index, isIPv6: interface.address.isIPv6)
      guard !shapes.contains(where: { $0.link == link }) else { continue }
      shapes.append(
        MDNSLinkShape(link: link, interfaces: used.filter { $0.index == interface.index }))
    }
    return shapes
  }
}

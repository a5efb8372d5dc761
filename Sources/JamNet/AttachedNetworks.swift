internal import CLinux

/// One address of one network interface of this machine.
public struct NetworkInterface: Hashable, Sendable {
  public var name: String
  /// Without a port.
  public var address: SocketAddress
  /// Bits of `address` that name the network.
  public var prefixLength: Int
  public var isLoopback: Bool
  /// No hardware behind it: a bridge, a tunnel, a container's pair.
  public var isVirtual: Bool

  public init(
    name: String, address: SocketAddress, prefixLength: Int, isLoopback: Bool = false, isVirtual: Bool = false
  ) {
    self.name = name
    self.address = address
    self.prefixLength = prefixLength
    self.isLoopback = isLoopback
    self.isVirtual = isVirtual
  }
}

/// The networks that this machine is plugged into: whose senders a router has not brought from elsewhere.
///
/// A snapshot; take a new one now and then, interfaces come and go. Thread: any.
public struct AttachedNetworks: Hashable, Sendable {
  /// The system's order.
  public let interfaces: [NetworkInterface]

  public init(interfaces: [NetworkInterface]) { self.interfaces = interfaces }

  /// Looks at the machine.
  /// - Throws: `NetError.cannotListInterfaces`.
  public static func current() throws(NetError) -> AttachedNetworks {
    let capacity = 512
    let found = [jam_interface](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = Int(jam_interfaces(buffer.baseAddress, Int32(capacity)))
      count = min(max(count, 0), capacity)
    }
    // A machine always has its loopback addresses.
    guard !found.isEmpty else { throw .cannotListInterfaces(code: 0) }
    return AttachedNetworks(
      interfaces: found.map { entry in
        NetworkInterface(
          name: withUnsafeBytes(of: entry.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
          address: SocketAddress(entry.address), prefixLength: Int(entry.prefix_length),
          isLoopback: entry.is_loopback != 0, isVirtual: entry.is_virtual != 0)
      })
  }

  /// True where `peer` is this machine or on a network that one of its interfaces is plugged into.
  public func contains(_ peer: SocketAddress) -> Bool {
    if peer.isLoopback { return true }
    return interfaces.contains { interface in
      // A prefix of 0 is a tunnel that leads everywhere: not a neighbourhood.
      interface.prefixLength > 0 && (interface.address.scope == 0 || interface.address.scope == peer.scope)
        && interface.address.shares(prefix: interface.prefixLength, with: peer)
    }
  }

  /// True where `peer` is one of this machine's own addresses.
  public func isThisMachine(_ peer: SocketAddress) -> Bool {
    peer.isLoopback || interfaces.contains { $0.address.host == peer.host }
  }

  /// What others on the local network can type: no loopback; IPv4 before IPv6, link-local after those, virtual interfaces last.
  public var localNetworkInterfaces: [NetworkInterface] {
    let others = interfaces.filter { !$0.isLoopback && !$0.address.isLoopback }
    let ranked = others.enumerated().sorted { a, b in
      (rank(a.element), a.offset) < (rank(b.element), b.offset)
    }
    return ranked.map(\.element)
  }

  private func rank(_ interface: NetworkInterface) -> Int {
    (interface.isVirtual ? 4 : 0) + (interface.address.isLinkLocal ? 2 : 0) + (interface.address.isIPv6 ? 1 : 0)
  }
}

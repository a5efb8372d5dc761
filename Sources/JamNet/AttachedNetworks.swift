internal import CLinux

/// One address of one network interface of this machine.
public struct NetworkInterface: Hashable, Sendable {
  public var name: String
  /// Without a port.
  public var address: SocketAddress
  /// The number of bits of `address` that identify the network.
  public var prefixLength: Int
  public var isLoopback: Bool
  /// Whether no hardware belongs to it: a bridge, a tunnel, a container's pair.
  public var isVirtual: Bool
  /// The interface's number in the system.
  public var index: UInt32
  /// Whether it is a network with neighbours that multicast reaches, and no tunnel to one peer.
  public var hasMulticast: Bool

  public init(
    name: String, address: SocketAddress, prefixLength: Int, isLoopback: Bool = false,
    isVirtual: Bool = false, index: UInt32 = 0, hasMulticast: Bool = false
  ) {
    self.name = name
    self.address = address
    self.prefixLength = prefixLength
    self.isLoopback = isLoopback
    self.isVirtual = isVirtual
    self.index = index
    self.hasMulticast = hasMulticast
  }
}

/// The networks to which this machine is attached. Packets from these networks did not pass a
/// router.
///
/// The value is a snapshot. Take a new one from time to time, because interfaces come and go.
/// Thread: any.
public struct AttachedNetworks: Hashable, Sendable {
  /// In the system's order.
  public let interfaces: [NetworkInterface]

  public init(interfaces: [NetworkInterface]) { self.interfaces = interfaces }

  /// Lists the machine's interfaces.
  /// - Throws: `NetError.cannotListInterfaces`.
  public static func current() throws(NetError) -> AttachedNetworks {
    let capacity = 512
    let found = [jam_interface](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = Int(jam_interfaces(buffer.baseAddress, Int32(capacity)))
      count = min(max(count, 0), capacity)
    }
    // A machine always has its loopback addresses, so an empty list is an error.
    guard !found.isEmpty else { throw .cannotListInterfaces(code: 0) }
    return AttachedNetworks(
      interfaces: found.map { entry in
        NetworkInterface(
          name: withUnsafeBytes(of: entry.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
          address: SocketAddress(entry.address), prefixLength: Int(entry.prefix_length),
          isLoopback: entry.is_loopback != 0, isVirtual: entry.is_virtual != 0,
          index: entry.index, hasMulticast: entry.has_multicast != 0)
      })
  }

  /// Whether `peer` is this machine, or on a network to which one of its interfaces is attached.
  public func contains(_ peer: SocketAddress) -> Bool {
    if peer.isLoopback { return true }
    return interfaces.contains { interface in
      // A prefix of 0 is a tunnel that leads everywhere, and so not an attached network.
      interface.prefixLength > 0 && (interface.address.scope == 0 || interface.address.scope == peer.scope)
        && interface.address.shares(prefix: interface.prefixLength, with: peer)
    }
  }

  /// Whether `peer` is one of this machine's own addresses.
  public func isThisMachine(_ peer: SocketAddress) -> Bool {
    peer.isLoopback || interfaces.contains { $0.address.host == peer.host }
  }

  /// The addresses that people on the local network can type, without loopback. IPv4 comes before
  /// IPv6, then link-local addresses, and virtual interfaces come last.
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

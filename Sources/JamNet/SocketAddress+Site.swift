extension SocketAddress {
  /// The part of the address space that belongs to one subscriber: an IPv4 address, or an IPv6
  /// network of 64 bits. A subscriber can use any number of addresses of such a network.
  public var site: SocketAddress {
    isIPv6 ? SocketAddress(first: first, last: 0, scope: scope, port: 0, family: family) : host
  }
}

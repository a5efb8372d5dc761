extension SocketAddress {
  /// What one subscriber of a network has to itself: an IPv4 address, or an IPv6 network of 64 bits, in which
  /// anybody can take any number of addresses.
  public var site: SocketAddress {
    isIPv6 ? SocketAddress(first: first, last: 0, scope: scope, port: 0, family: family) : host
  }
}

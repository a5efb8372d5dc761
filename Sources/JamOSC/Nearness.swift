/// How near an address is. Nearness decides how far a datagram's address is trusted.
enum Nearness: Sendable {
  /// A loopback address. The kernel drops packets that arrive from a network with such an address
  /// (IPv4: martian sources, unless `route_localnet` is set; IPv6: always). Only programs on this
  /// machine send from such an address, and only they receive packets for it.
  case here
  /// An address on a network to which this machine is attached. Everybody on that network can forge
  /// any other address of it.
  case attached
  case elsewhere
}

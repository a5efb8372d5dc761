/// How near an address is. It says how far the address of a datagram is believed.
enum Nearness: Sendable {
  /// A loopback address. The kernel drops a packet that comes in from a network under such an address (IPv4: martian sources, unless
  /// `route_localnet` is set; IPv6: always), so only a program of this machine sends from there, and only what it is sent reaches it.
  case here
  /// On a network that this machine is plugged into. Everybody there can write any other's address onto a packet.
  case attached
  case elsewhere
}

/// Where a password or another word came from, as far as a limit on wrong ones can tell senders apart.
///
/// Thread: any.
public struct GuessSource: Hashable, Sendable {
  /// The address without its port. Of IPv6 the first 64 bits: one customer has all the others.
  public let network: SocketAddress
  /// False for a datagram whose source may be forged: it must not use up what its owner may try.
  public let isProven: Bool

  public init(_ address: SocketAddress, isProven: Bool = true) {
    network = address.site
    self.isProven = isProven
  }
}

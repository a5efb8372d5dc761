/// The origin of a password or another word, as exactly as a limit on wrong words can distinguish
/// senders.
///
/// Thread: any.
public struct GuessSource: Hashable, Sendable {
  /// The address without its port. For IPv6 only the first 64 bits count, because one customer has
  /// all addresses of such a network.
  public let network: SocketAddress
  /// False for a datagram whose source address may be forged. Such a datagram must not use up the
  /// attempts of the address's owner.
  public let isProven: Bool

  public init(_ address: SocketAddress, isProven: Bool = true) {
    network = address.site
    self.isProven = isProven
  }
}

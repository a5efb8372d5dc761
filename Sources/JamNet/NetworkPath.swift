/// The two ends of a datagram's path: the peer, and the local address that the peer used. Answers
/// leave from that local address.
///
/// Thread: any. Real-time safe.
@frozen
public struct NetworkPath: Hashable, BitwiseCopyable, Sendable {
  // The layout equals that of `jam_path`.
  public var peer: SocketAddress
  /// The port of this address has no meaning. `none` lets the system choose the address.
  public var local: SocketAddress

  @inlinable public init(peer: SocketAddress, local: SocketAddress = .none) {
    self.peer = peer
    self.local = local
  }
}

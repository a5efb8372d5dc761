/// The two ends of a datagram's way: who is there, and the local address that was addressed and that answers leave from.
///
/// Thread: any. Real-time safe.
@frozen
public struct NetworkPath: Hashable, BitwiseCopyable, Sendable {
  // The layout of `jam_path`.
  public var peer: SocketAddress
  /// Its port means nothing; `none` lets the system choose.
  public var local: SocketAddress

  @inlinable public init(peer: SocketAddress, local: SocketAddress = .none) {
    self.peer = peer
    self.local = local
  }
}

internal import CLinux
internal import Glibc

/// A socket of one address family on the port of multicast DNS, 5353, which other programs of this
/// machine may hold as well.
///
/// Thread: one at a time. Poll `fileDescriptor` for readability. The descriptor is closed with the
/// last reference.
package final class MulticastSocket {
  package let isIPv6: Bool
  package let fileDescriptor: Int32
  private var buffer: [UInt8]
  private var family: Int32 { isIPv6 ? AF_INET6 : AF_INET }

  package static let port: UInt16 = 5353

  /// One received datagram. `bytes` are valid only during the call that passes it on.
  package struct Received {
    package let bytes: UnsafeRawBufferPointer
    package let peer: SocketAddress
    /// The number of the interface by which it came.
    package let interface: UInt32
    /// Whether it was sent to the group, and not to this machine alone.
    package let isMulticast: Bool
    /// Whether it was longer than `datagramBytes`.
    package let isTruncated: Bool
  }

  /// Binds the port. The socket hears no group yet.
  /// - Parameter hearsGroupOnly: whether datagrams that are sent to this machine alone go to other
  ///   programs; for IPv4 only.
  /// - Throws: `NetError`, where another program has the port alone or the family is switched off.
  package init(isIPv6: Bool, hearsGroupOnly: Bool = false, datagramBytes: Int) throws(NetError) {
    let result =
      hearsGroupOnly && !isIPv6
      ? jam_mdns_open_group() : jam_mdns_open(isIPv6 ? AF_INET6 : AF_INET)
    let port = MulticastSocket.port
    guard result >= 0 else {
      throw .binding(isIPv6 ? .anyIPv6(port: port) : .anyIPv4(port: port), code: -result)
    }
    self.isIPv6 = isIPv6
    fileDescriptor = result
    buffer = [UInt8](repeating: 0, count: datagramBytes)
  }

  deinit { close(fileDescriptor) }

  /// Hears the group on an interface.
  /// - Returns: false where the system refuses it. True where the socket heard it already.
  package func join(_ interface: UInt32) -> Bool {
    let result = jam_mdns_join(fileDescriptor, family, interface, 1)
    return result == 0 || result == -EADDRINUSE
  }

  package func leave(_ interface: UInt32) {
    _ = jam_mdns_join(fileDescriptor, family, interface, 0)
  }

  /// Takes the waiting datagrams, `most` of them at most, without blocking.
  package func receive(most: Int, _ body: (Received) -> Void) {
    for _ in 0..<most {
      var source = jam_mdns_source()
      let count = buffer.withUnsafeMutableBytes {
        jam_mdns_receive(fileDescriptor, $0.baseAddress, $0.count, &source)
      }
      guard count >= 0 else {
        if count == -EAGAIN { return }
        // The error is about a datagram that was sent earlier (ICMP): what waits comes next.
        continue
      }
      buffer.withUnsafeBytes { raw in
        body(
          Received(
            bytes: UnsafeRawBufferPointer(rebasing: raw.prefix(Int(count))),
            peer: SocketAddress(source.peer), interface: source.index,
            isMulticast: source.is_multicast != 0,
            isTruncated: source.is_truncated != 0))
      }
    }
  }

  /// Sends by an interface and from its address `local`; nil is the group. A datagram that the
  /// kernel refuses is lost.
  package func send(
    _ bytes: [UInt8], by interface: UInt32, from local: SocketAddress, to peer: SocketAddress?
  ) {
    var address = peer?.c ?? jam_address()
    var local = local.c
    _ = jam_mdns_send(fileDescriptor, family, interface, &local, &address, bytes, bytes.count)
  }
}

internal import CLinux
internal import Glibc

/// A bound UDP socket that never blocks.
///
/// Thread: any thread may send; a `DatagramReceiver` receives. Poll `fileDescriptor` for
/// readability. The descriptor is closed with the last reference.
public final class DatagramSocket: Sendable {
  /// The bound address. Where port 0 was requested, this holds the port that the system chose.
  public let localAddress: SocketAddress
  public let fileDescriptor: Int32

  /// Binds `address`, which may be an any-address and may have port 0. IPv6 sockets accept only
  /// IPv6, so bind one socket of each family.
  /// - Parameters:
  ///   - receiveBufferBytes: how many bytes the kernel may hold between two reads. The kernel
  ///     grants less to a process without the privilege.
  ///   - sendBufferBytes: how many bytes of sent datagrams the kernel may hold; granted likewise.
  /// - Throws: `NetError`. A port in use has a case of its own.
  public init(
    binding address: SocketAddress, receiveBufferBytes: Int = 4 << 20, sendBufferBytes: Int = 2 << 20
  ) throws(NetError) {
    var wanted = address.c
    var bound = jam_address()
    let result = jam_udp_bind(&wanted, Int32(receiveBufferBytes), Int32(sendBufferBytes), &bound)
    guard result >= 0 else { throw .binding(address, code: -result) }
    fileDescriptor = result
    localAddress = SocketAddress(bound)
  }

  deinit { close(fileDescriptor) }

  /// Sends one datagram. False where the kernel refused it; the datagram is lost.
  @discardableResult
  public func send(_ payload: UnsafeRawBufferPointer, along path: NetworkPath) -> Bool {
    withUnsafePointer(to: path) { send(payload, toMany: UnsafeBufferPointer(start: $0, count: 1)) == 1 }
  }

  /// Sends the same payload along each path, in as few system calls as possible.
  /// - Returns: how many datagrams the kernel accepted; the others are lost.
  @discardableResult
  public func send(_ payload: UnsafeRawBufferPointer, toMany paths: UnsafeBufferPointer<NetworkPath>) -> Int {
    guard let first = paths.baseAddress else { return 0 }
    return first.withMemoryRebound(to: jam_path.self, capacity: paths.count) { first in
      Int(jam_send_to_many(fileDescriptor, payload.baseAddress, payload.count, first, Int32(paths.count)))
    }
  }
}

internal import CLinux
internal import Glibc

/// A bound UDP socket that never blocks.
///
/// Thread: any may send; receiving is a `DatagramReceiver`'s matter. Poll `fileDescriptor` for readability.
/// The descriptor is closed when the last reference goes.
public final class DatagramSocket: Sendable {
  /// As bound: with the port that was taken where 0 was asked for.
  public let localAddress: SocketAddress
  public let fileDescriptor: Int32

  /// Binds `address`, which may be an any-address and have port 0. IPv6 sockets take IPv6 only: bind one of each.
  /// - Parameters:
  ///   - receiveBufferBytes: what the kernel may hold between two looks; it grants less to a process without the privilege.
  ///   - sendBufferBytes: the same for what was sent.
  /// - Throws: `NetError`, with the port in use as a case of its own.
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

  /// Sends one datagram. False where the kernel did not take it: it is lost.
  @discardableResult
  public func send(_ payload: UnsafeRawBufferPointer, along path: NetworkPath) -> Bool {
    withUnsafePointer(to: path) { send(payload, toMany: UnsafeBufferPointer(start: $0, count: 1)) == 1 }
  }

  /// Sends the same payload along every path, in as few system calls as can be.
  /// - Returns: how many the kernel took; the others are lost.
  @discardableResult
  public func send(_ payload: UnsafeRawBufferPointer, toMany paths: UnsafeBufferPointer<NetworkPath>) -> Int {
    guard let first = paths.baseAddress else { return 0 }
    return first.withMemoryRebound(to: jam_path.self, capacity: paths.count) { first in
      Int(jam_send_to_many(fileDescriptor, payload.baseAddress, payload.count, first, Int32(paths.count)))
    }
  }
}

internal import CLinux
public import JamCore

/// One received datagram.
public struct Datagram {
  /// Valid only during the call that passes the datagram on.
  public let bytes: UnsafeRawBufferPointer
  public let path: NetworkPath
  /// The kernel's time stamp, on CLOCK_MONOTONIC.
  public let arrival: HostTime
  /// Whether the datagram was longer than the receiver's `datagramBytes`. The rest is lost.
  public let isTruncated: Bool

  public init(bytes: UnsafeRawBufferPointer, path: NetworkPath, arrival: HostTime, isTruncated: Bool = false) {
    self.bytes = bytes
    self.path = path
    self.arrival = arrival
    self.isTruncated = isTruncated
  }
}

/// Memory for one batch of datagrams. All sockets of a thread can share it, one batch after
/// another.
///
/// Thread: one at a time.
public final class DatagramReceiver {
  private let memory: OpaquePointer
  /// The datagrams that one system call can receive.
  public let capacity: Int

  /// - Parameters:
  ///   - capacity: the datagrams that one system call can receive.
  ///   - datagramBytes: the longest datagram. A longer one is marked as truncated.
  public init(capacity: Int = 64, datagramBytes: Int = Limits.standard.datagramBytes) {
    guard let memory = jam_receiver_create(Int32(capacity), Int32(datagramBytes)) else {
      preconditionFailure("no memory for \(capacity) datagrams")
    }
    self.memory = memory
    self.capacity = capacity
  }

  deinit { jam_receiver_destroy(memory) }

  /// Receives one batch of waiting datagrams without blocking, the oldest first.
  /// - Returns: the number of datagrams. A number below the capacity means that the socket is empty
  ///   now.
  public func receive(from socket: DatagramSocket, _ body: (Datagram) -> Void) -> Int {
    var first: UnsafePointer<jam_datagram>?
    // An error here is about a datagram that was sent earlier (ICMP), or about memory. Neither is a
    // received datagram.
    let count = max(0, Int(jam_receive(memory, socket.fileDescriptor, &first)))
    guard count > 0, let first else { return 0 }
    for i in 0..<count {
      let datagram = first + i
      body(
        Datagram(
          bytes: UnsafeRawBufferPointer(start: datagram.pointee.bytes, count: Int(datagram.pointee.length)),
          path: NetworkPath(
            peer: SocketAddress(datagram.pointee.path.peer), local: SocketAddress(datagram.pointee.path.local)),
          arrival: HostTime(nanoseconds: datagram.pointee.arrival),
          isTruncated: datagram.pointee.is_truncated != 0))
    }
    return count
  }

  /// The datagrams that the kernel dropped, since the bind, because the last receive's socket had
  /// no room. The number wraps.
  public var kernelDrops: UInt32 { jam_receiver_kernel_drops(memory) }
}

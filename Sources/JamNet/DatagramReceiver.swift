internal import CLinux
public import JamCore

/// One datagram as it came.
public struct Datagram {
  /// Valid during the call that handed it over.
  public let bytes: UnsafeRawBufferPointer
  public let path: NetworkPath
  /// The kernel's stamp, on CLOCK_MONOTONIC.
  public let arrival: HostTime
  /// It was longer than the receiver's `datagramBytes`; the rest is lost.
  public let isTruncated: Bool

  public init(bytes: UnsafeRawBufferPointer, path: NetworkPath, arrival: HostTime, isTruncated: Bool = false) {
    self.bytes = bytes
    self.path = path
    self.arrival = arrival
    self.isTruncated = isTruncated
  }
}

/// Memory for one batch of datagrams, reused for every batch of every socket of a thread.
///
/// Thread: one at a time.
public final class DatagramReceiver {
  private let memory: OpaquePointer
  /// Datagrams taken with one system call.
  public let capacity: Int

  /// - Parameters:
  ///   - capacity: datagrams taken with one system call.
  ///   - datagramBytes: the longest datagram; one that is longer arrives marked as truncated.
  public init(capacity: Int = 64, datagramBytes: Int = Limits.standard.datagramBytes) {
    guard let memory = jam_receiver_create(Int32(capacity), Int32(datagramBytes)) else {
      preconditionFailure("no memory for \(capacity) datagrams")
    }
    self.memory = memory
    self.capacity = capacity
  }

  deinit { jam_receiver_destroy(memory) }

  /// Takes one batch of what has arrived, oldest first, without waiting.
  /// - Returns: how many there were; less than the capacity means that the socket is empty now.
  public func receive(from socket: DatagramSocket, _ body: (Datagram) -> Void) -> Int {
    var first: UnsafePointer<jam_datagram>?
    // An error here is about a datagram sent earlier (ICMP) or about memory: neither is a datagram.
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

  /// Datagrams that the kernel dropped on the socket received from last, since it was bound, for want of room. Wraps.
  public var kernelDrops: UInt32 { jam_receiver_kernel_drops(memory) }
}

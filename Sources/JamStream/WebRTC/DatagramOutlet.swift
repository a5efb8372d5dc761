internal import JamNet

/// The exit of datagrams: sockets, or a test's list.
protocol DatagramOutlet: AnyObject {
  /// Lets `write` fill up to `room` bytes, and sends as many as it returns, or nothing where it
  /// returns nil.
  func put(room: Int, along path: NetworkPath, _ write: (UnsafeMutableRawBufferPointer) -> Int?)
  /// Sends everything that was put.
  func flush()
}

extension DatagramOutlet {
  func put(_ bytes: [UInt8], along path: NetworkPath) {
    put(room: bytes.count, along: path) { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
  }
}

/// The media sockets, in batches of one system call each.
///
/// Thread: media alone.
final class SocketOutlet: DatagramOutlet {
  private let sockets: [DatagramSocket]
  private let loss: DatagramLoss?
  private var batches: [DatagramBatch]
  private(set) var sent: UInt64 = 0
  private(set) var refused: UInt64 = 0

  init(sockets: [DatagramSocket], loss: DatagramLoss? = nil) {
    self.sockets = sockets
    self.loss = loss
    batches = sockets.map { _ in DatagramBatch() }
  }

  func put(room: Int, along path: NetworkPath, _ write: (UnsafeMutableRawBufferPointer) -> Int?) {
    guard let i = sockets.firstIndex(where: { $0.localAddress.isIPv6 == path.peer.isIPv6 }) else { return }
    guard let loss else { return append(room, to: i, along: path, write) }
    append(room, to: i, along: path) { bytes in
      guard let count = write(bytes), !loss.takes(UnsafeRawBufferPointer(rebasing: bytes[..<count])) else { return nil }
      return count
    }
  }

  private func append(
    _ room: Int, to i: Int, along path: NetworkPath, _ write: (UnsafeMutableRawBufferPointer) -> Int?
  ) {
    if !batches[i].append(room: room, along: path, write) {
      flush(i)
      _ = batches[i].append(room: room, along: path, write)
    }
  }

  func flush() { for i in batches.indices where !batches[i].isEmpty { flush(i) } }

  private func flush(_ i: Int) {
    let count = batches[i].count
    let lost = batches[i].flush(through: sockets[i])
    sent += UInt64(count - lost)
    refused += UInt64(lost)
  }
}

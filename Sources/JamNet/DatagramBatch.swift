internal import CLinux

/// Datagrams that are sent together: the answers and feedback of one turn of a loop, sent with few
/// system calls.
///
/// The size is limited. The caller sends or drops a datagram that does not fit. The memory is kept
/// from turn to turn.
/// Thread: one at a time.
public struct DatagramBatch {
  private var buffer: [UInt8] = []
  private var outgoing: [jam_outgoing] = []
  private let capacity: Int
  private let byteCapacity: Int

  public init(capacity: Int = 256, byteCapacity: Int = 256 << 10) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
  }

  public var count: Int { outgoing.count }
  public var isEmpty: Bool { outgoing.isEmpty }

  /// False where the batch is full: flush the batch, then append again.
  public mutating func append(_ payload: some Collection<UInt8>, along path: NetworkPath) -> Bool {
    guard outgoing.count < capacity, buffer.count + payload.count <= byteCapacity else { return false }
    var entry = jam_outgoing()
    entry.offset = UInt32(buffer.count)
    entry.length = UInt32(payload.count)
    entry.path = jam_path(peer: path.peer.c, local: path.local.c)
    outgoing.append(entry)
    buffer.append(contentsOf: payload)
    return true
  }

  /// Lets `write` fill up to `room` bytes in place, and keeps as many bytes as it returns; nil
  /// keeps nothing.
  /// - Returns: false where the batch is full: flush the batch, then append again.
  public mutating func append(
    room: Int, along path: NetworkPath, _ write: (UnsafeMutableRawBufferPointer) -> Int?
  ) -> Bool {
    // Each datagram begins at a multiple of 16 bytes, because ciphers are faster there.
    let start = (buffer.count + 15) & ~15
    guard outgoing.count < capacity, start + room <= byteCapacity else { return false }
    buffer.append(contentsOf: repeatElement(0, count: start + room - buffer.count))
    let written = buffer.withUnsafeMutableBytes { write(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    buffer.removeLast(buffer.count - start - (written ?? 0))
    guard let written else { return true }
    var entry = jam_outgoing()
    entry.offset = UInt32(start)
    entry.length = UInt32(written)
    entry.path = jam_path(peer: path.peer.c, local: path.local.c)
    outgoing.append(entry)
    return true
  }

  /// Sends all datagrams and empties the batch.
  /// - Returns: how many datagrams the kernel refused; these are lost.
  @discardableResult
  public mutating func flush(through socket: DatagramSocket) -> Int {
    guard !outgoing.isEmpty else { return 0 }
    let sent = Int(jam_send_batch(socket.fileDescriptor, buffer, outgoing, Int32(outgoing.count)))
    let lost = outgoing.count - sent
    outgoing.removeAll(keepingCapacity: true)
    buffer.removeAll(keepingCapacity: true)
    return lost
  }
}

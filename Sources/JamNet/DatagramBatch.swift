internal import CLinux

/// Datagrams that leave together: answers and feedback gathered during one turn of a loop, sent with few system calls.
///
/// Bounded: what does not fit is sent at once by the caller or dropped. Its memory is kept from turn to turn.
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

  /// False where the batch is full: flush, then append again.
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

  /// Has `write` fill up to `room` bytes in place, and keeps as many as it returns; nothing where that is nil.
  /// - Returns: false where the batch is full: flush, then append again.
  public mutating func append(
    room: Int, along path: NetworkPath, _ write: (UnsafeMutableRawBufferPointer) -> Int?
  ) -> Bool {
    // Each on a border of 16 bytes, as ciphers like it.
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

  /// Sends everything and is empty afterwards.
  /// - Returns: how many the kernel did not take: they are lost.
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

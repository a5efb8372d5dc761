internal import JamCore
internal import Synchronization

/// The last packets of one stream, written by the encode thread and read by any number of threads
/// at their own pace.
///
/// Every kind of delivery uses it: RTP and Ogg read it as it grows, and a lost packet can be asked
/// for again while it is still on the tape. A reader that falls too far behind gets nil; it never
/// holds the writer up.
final class PacketTape: @unchecked Sendable {
  // Unchecked: one writer; readers copy and then check that they were not overtaken.

  /// The data of a packet other than its bytes.
  struct Header: BitwiseCopyable {
    /// The room's frame of the packet's first input frame.
    var firstFrame: Frames
    var byteCount: Int
  }

  static let capacity: UInt64 = 256

  let maximumPacketBytes: Int
  private let written = Atomic<UInt64>(0)
  private let headers: UnsafeMutablePointer<Header>
  private let bytes: UnsafeMutableRawPointer

  init(maximumPacketBytes: Int) {
    self.maximumPacketBytes = maximumPacketBytes
    headers = .allocate(capacity: Int(PacketTape.capacity))
    bytes = .allocate(byteCount: Int(PacketTape.capacity) * maximumPacketBytes, alignment: 16)
  }

  deinit {
    headers.deallocate()
    bytes.deallocate()
  }

  /// Packets written so far: the number of the first that is not on the tape yet. Thread: any.
  var end: UInt64 { written.load(ordering: .acquiring) }

  /// The memory for the next packet. Thread: encode.
  var nextSlot: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: slot(written.load(ordering: .relaxed)), count: maximumPacketBytes)
  }

  /// Makes the packet that was written to `nextSlot` readable. Thread: encode.
  func commit(byteCount: Int, firstFrame: Frames) {
    let index = written.load(ordering: .relaxed)
    headers[Int(index % PacketTape.capacity)] = Header(firstFrame: firstFrame, byteCount: byteCount)
    written.store(index &+ 1, ordering: .releasing)
  }

  /// Copies packet `index` to `output`, which has room for `maximumPacketBytes`.
  /// - Returns: nil where the packet is not written yet or was overwritten already; `output` is
  ///   then worthless.
  /// - Thread: any.
  func read(_ index: UInt64, into output: UnsafeMutableRawPointer) -> Header? {
    let end = self.end
    // One slot of margin, because the writer may be writing over the oldest one now.
    guard index < end, end - index < PacketTape.capacity else { return nil }
    let header = headers[Int(index % PacketTape.capacity)]
    output.copyMemory(from: slot(index), byteCount: min(max(header.byteCount, 0), maximumPacketBytes))
    atomicMemoryFence(ordering: .acquiring)
    guard self.end - index < PacketTape.capacity else { return nil }
    return header
  }

  private func slot(_ index: UInt64) -> UnsafeMutableRawPointer {
    bytes + Int(index % PacketTape.capacity) * maximumPacketBytes
  }
}

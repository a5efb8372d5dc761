public import Synchronization

/// What the OSC edge has seen since the start.
///
/// Thread: any.
public final class OSCCounters: Sendable {
  public let packets = Atomic<UInt64>(0)
  public let messages = Atomic<UInt64>(0)
  /// Packets and messages that could not be read.
  public let refused = Atomic<UInt64>(0)
  /// Dropped because their sender sends too much.
  public let flooded = Atomic<UInt64>(0)
  /// Values that a newer one of the same control replaced before their turn came.
  public let replaced = Atomic<UInt64>(0)
  /// Packets that wait for their turn.
  public let waiting = Atomic<Int>(0)
  /// What the packets cost that waited for their turn.
  public let work = WorkTally()
  /// Connections that were refused: their host, or everybody together, holds too many.
  public let refusedConnections = Atomic<UInt64>(0)
  /// Frames that were begun and never finished; each ended its connection.
  public let unfinished = Atomic<UInt64>(0)
  /// Dropped as the second of a double send, or by their number.
  public let repeated = Atomic<UInt64>(0)
  /// Numbers of packets that were waited for in vain.
  public let lost = Atomic<UInt64>(0)
  /// Messages of numbered packets that were dropped: they came after others that follow them were carried out.
  public let late = Atomic<UInt64>(0)
  /// Dropped by the kernel: the sockets' buffers were full.
  public var kernelDrops: UInt64 {
    UInt64(dropsOfFirst.load(ordering: .relaxed)) + UInt64(dropsOfSecond.load(ordering: .relaxed))
  }
  private let dropsOfFirst = Atomic<UInt32>(0)
  private let dropsOfSecond = Atomic<UInt32>(0)
  /// Feedback that was dropped: too much for its subscriber.
  public let unsent = Atomic<UInt64>(0)
  /// Answers withheld from addresses that have not proven themselves.
  public let unproven = Atomic<UInt64>(0)
  public let endpoints = Atomic<Int>(0)
  public let subscribers = Atomic<Int>(0)
  public let connections = Atomic<Int>(0)

  init() {}

  /// What the kernel has dropped of one socket so far. The edge has two at most.
  func count(kernelDrops drops: UInt32, of socket: Int) {
    if socket == 0 {
      dropsOfFirst.store(drops, ordering: .relaxed)
    } else {
      dropsOfSecond.store(drops, ordering: .relaxed)
    }
  }
}

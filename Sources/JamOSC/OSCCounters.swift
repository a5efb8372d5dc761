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
  /// Connections that were refused: their host, or everybody together, holds too many.
  public let refusedConnections = Atomic<UInt64>(0)
  /// Frames that were begun and never finished; each ended its connection.
  public let unfinished = Atomic<UInt64>(0)
  /// Dropped as the second of a double send, or by their number.
  public let repeated = Atomic<UInt64>(0)
  /// Dropped by the kernel: the sockets' buffers were full.
  public let kernelDrops = Atomic<UInt64>(0)
  /// Feedback that was dropped: too much for its subscriber.
  public let unsent = Atomic<UInt64>(0)
  /// Answers withheld from addresses that have not proven themselves.
  public let unproven = Atomic<UInt64>(0)
  public let endpoints = Atomic<Int>(0)
  public let subscribers = Atomic<Int>(0)
  public let connections = Atomic<Int>(0)

  init() {}
}

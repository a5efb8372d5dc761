public import JamCore
public import Synchronization

/// Counters of the OSC edge since its start.
///
/// Thread: any.
public final class OSCCounters: Sendable {
  public let packets = Atomic<UInt64>(0)
  public let messages = Atomic<UInt64>(0)
  /// Packets and messages that could not be read.
  public let refused = Atomic<UInt64>(0)
  /// Messages that were dropped because their sender sends too much.
  public let flooded = Atomic<UInt64>(0)
  /// Values that a newer value of the same control replaced before their turn.
  public let replaced = Atomic<UInt64>(0)
  /// Packets that wait for their turn.
  public let waiting = Atomic<Int>(0)
  /// The cost of the packets that waited for a turn.
  public let work = WorkTally()
  /// Connections that were refused because their host, or all hosts together, hold too many.
  public let refusedConnections = Atomic<UInt64>(0)
  /// Frames that were begun but never finished. Each of them ended its connection.
  public let unfinished = Atomic<UInt64>(0)
  /// Packets that were dropped as the second copy of a double send, or by their number.
  public let repeated = Atomic<UInt64>(0)
  /// Messages to unknown addresses that only tell that a control is touched: `/1/fader1/z`.
  public let touches = Atomic<UInt64>(0)
  /// Packets that came to the port of the page.
  public let wrongPort = Atomic<UInt64>(0)
  /// Numbers of packets that never came.
  public let lost = Atomic<UInt64>(0)
  /// Messages of numbered packets that were dropped, because later messages had already been
  /// carried out.
  public let late = Atomic<UInt64>(0)
  /// Datagrams that the kernel dropped because a socket's buffer was full.
  public var kernelDrops: UInt64 {
    UInt64(dropsOfFirst.load(ordering: .relaxed)) + UInt64(dropsOfSecond.load(ordering: .relaxed))
  }
  private let dropsOfFirst = Atomic<UInt32>(0)
  private let dropsOfSecond = Atomic<UInt32>(0)
  /// Feedback that was dropped because it was too much for its subscriber.
  public let unsent = Atomic<UInt64>(0)
  /// Answers that were not sent because the address is not proven.
  public let unproven = Atomic<UInt64>(0)
  /// The steps of the machine's wall clock.
  public let clock = Mutex(ClockReport())
  public let endpoints = Atomic<Int>(0)
  public let subscribers = Atomic<Int>(0)
  public let connections = Atomic<Int>(0)
  /// The views of OSCQuery that are kept, and the WebSockets of its clients.
  public let queryViews = Atomic<Int>(0)
  public let queryClients = Atomic<Int>(0)

  init() {}

  /// Stores how many datagrams of one socket the kernel has dropped so far. The edge has at most
  /// two sockets.
  func count(kernelDrops drops: UInt32, of socket: Int) {
    if socket == 0 {
      dropsOfFirst.store(drops, ordering: .relaxed)
    } else {
      dropsOfSecond.store(drops, ordering: .relaxed)
    }
  }
}

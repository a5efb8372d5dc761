internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire
internal import NIOCore
internal import Synchronization

/// Handles the packets that were found in a connection's bytes: takes their arrival time, ends
/// floods, and hands the packets to the room thread.
///
/// Thread: the connection's event loop.
final class StreamIngress {
  private let thread: RoomThread
  private let edge: OSCEdge
  private(set) var connection: StreamConnection?
  /// The packets that one connection may send. The limit ends a flood here, before the room thread.
  private var packetsAllowed: TokenBucket
  private var floodTold = HostTime(nanoseconds: 0)
  /// The packets of the current read.
  private var packets: [[UInt8]] = []
  private var count = 0
  /// Things of the current read that were taken and are no packets.
  private var others = 0

  init(thread: RoomThread, edge: OSCEdge) {
    self.thread = thread
    self.edge = edge
    packetsAllowed = TokenBucket(
      perSecond: Double(Endpoint.messagesPerSecond), burst: Endpoint.messagesAtOnce, at: edge.time())
  }

  /// - Parameter caller: the WebSocket's caller; nil for TCP.
  func open(
    _ channel: any Channel, peer: JamNet.SocketAddress, framing: Framing = .lengthPrefix, of caller: OSCCaller? = nil
  ) {
    let connection = StreamConnection(channel: channel, peer: peer, framing: framing, at: edge.time())
    self.connection = connection
    hand { edge in edge.opened(connection, of: caller) }
  }

  /// Adds a packet of the current read.
  func found(_ packet: UnsafeRawBufferPointer) {
    count += 1
    if packet.first == UInt8(ascii: "#") { connection?.sentBundle() }
    if packetsAllowed.take(at: edge.time()) { packets.append(Array(packet)) }
  }

  /// Whether the peer may send one thing more that is no packet.
  func mayTake() -> Bool {
    count += 1
    guard packetsAllowed.take(at: edge.time()) else { return false }
    others += 1
    return true
  }

  /// The connection speaks HTTP, and is nobody's here any more.
  func giveAway() {
    connection?.giveAway()
    closed()
    connection = nil
  }

  /// Ends the current read.
  func hand(halfPacketBytes: Int) {
    defer {
      packets = []
      count = 0
      others = 0
    }
    guard let connection else { return }
    let arrival = edge.time()
    connection.heard(packets: count, halfPacketBytes: halfPacketBytes, at: arrival)
    let dropped = count - packets.count - others
    if dropped > 0 { tellFlood(connection, dropped: dropped, at: arrival) }
    guard !packets.isEmpty else { return }
    let ready = packets
    // A full inbox means that the room cannot keep up. The inbox drops and counts the rest.
    hand { edge in for packet in ready { edge.received(packet, from: connection, at: arrival) } }
  }

  func lost(_ error: FramingError) {
    guard let connection else { return }
    hand { edge in edge.lostFraming(connection, error) }
  }

  func closed() {
    guard let connection else { return }
    hand { edge in edge.closed(connection) }
  }

  private func tellFlood(_ connection: StreamConnection, dropped: Int, at now: HostTime) {
    edge.counters.flooded.wrappingAdd(UInt64(dropped), ordering: .relaxed)
    guard now.milliseconds(since: floodTold) > 100 else { return }
    floodTold = now
    hand { edge in edge.flooded(connection) }
  }

  private func hand(_ call: @escaping @Sendable (OSCEdge) -> Void) {
    let edge = edge
    thread.submit { call(edge) }
  }
}

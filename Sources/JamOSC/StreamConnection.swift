internal import JamCore
internal import JamNet
internal import JamWire
internal import NIOCore
internal import Synchronization

/// One TCP connection or WebSocket, for those who send to it. Packets are framed in the same way as
/// the peer frames its own. The number of waiting bytes is limited.
///
/// Thread: any.
final class StreamConnection: Sendable {
  let peer: JamNet.SocketAddress
  private let channel: any Channel
  private let framing: Mutex<Framing>
  private let gathered = Mutex<[UInt8]>([])
  /// Bytes that were handed to the connection but are not written yet.
  private let waitingBytes = Atomic<Int>(0)
  private let refusedInARow = Atomic<Int>(0)
  /// The reason in a WebSocket's close frame.
  private let closeCode = Atomic<UInt16>(WebSocketClose.goingAway.code)

  /// The time of the last whole packet, of the beginning of an unfinished packet, or of the opening
  /// of the connection; CLOCK_MONOTONIC in nanoseconds.
  private let lastPacket: Atomic<Int64>
  /// The bytes of an unfinished packet that have come so far.
  private let halfPacketBytes = Atomic<Int>(0)
  private let hasSpoken = Atomic<Bool>(false)
  /// Whether the connection turned out to be HTTP, and belongs to somebody else now.
  private let isGivenAway = Atomic<Bool>(false)
  /// Whether the peer is known to read bundles: it has sent one, or speaks by WebSocket.
  private let sendsBundles: Atomic<Bool>

  /// How long an unfinished packet may wait for its rest, and how long a connection without any
  /// packet may stay open.
  static let halfPacketMilliseconds = 10_000.0
  static let silenceMilliseconds = 60_000.0

  /// The bytes that may wait for a slow reader. Further packets are dropped.
  static let mostWaitingBytes = 256 << 10
  /// A reader counts as gone when this many messages in a row were dropped.
  static let mostRefused = 4_096

  /// Whether so many bytes wait that the rest of the room is kept for messages that no later
  /// message replaces.
  var isCrowded: Bool { waitingBytes.load(ordering: .relaxed) > StreamConnection.mostWaitingBytes / 2 }

  init(
    channel: any Channel, peer: JamNet.SocketAddress, framing: Framing = .lengthPrefix, at now: HostTime
  ) {
    self.framing = Mutex(framing)
    sendsBundles = Atomic(framing == .webSocket)
    self.channel = channel
    self.peer = peer
    lastPacket = Atomic(now.nanoseconds)
  }

  var isWebSocket: Bool { framing.withLock { $0 == .webSocket } }

  func use(_ framing: Framing) { self.framing.withLock { $0 = framing } }

  /// Whether bundles may be sent. Some programs for TCP, such as python-osc's client, read messages
  /// alone. WebSockets have carried bundles from the first version on.
  var readsBundles: Bool { sendsBundles.load(ordering: .relaxed) }

  /// The peer has sent a bundle, so it reads bundles, too.
  func sentBundle() { sendsBundles.store(true, ordering: .relaxed) }

  /// The connection speaks HTTP. From now on nothing is sent to it or closed here: the room thread
  /// learns of it a moment later.
  func giveAway() { isGivenAway.store(true, ordering: .relaxed) }

  /// Stores the result of the last read. Thread: the connection's event loop.
  func heard(packets: Int, halfPacketBytes bytes: Int, at now: HostTime) {
    if packets > 0 { hasSpoken.store(true, ordering: .relaxed) }
    let hadHalf = halfPacketBytes.load(ordering: .relaxed) > 0
    if packets > 0 || (bytes > 0 && !hadHalf) { lastPacket.store(now.nanoseconds, ordering: .relaxed) }
    // Stored after the time of its beginning, so that a thread that sees the unfinished packet also
    // sees the time.
    halfPacketBytes.store(bytes, ordering: .releasing)
  }

  /// How a peer has been silent for too long.
  enum Stuck: Hashable {
    /// The peer stopped in the middle of a frame, after so many bytes.
    case inFrame(bytes: Int)
    /// The peer never sent a packet.
    case mute
    /// The connection was given away, and the room thread did not hear of it.
    case gone
  }

  /// - Returns: nil where the connection may stay open. Thread: any.
  func stuck(at now: HostTime) -> Stuck? {
    guard !isGivenAway.load(ordering: .relaxed) else { return .gone }
    let bytes = halfPacketBytes.load(ordering: .acquiring)
    let silence = now.milliseconds(since: HostTime(nanoseconds: lastPacket.load(ordering: .relaxed)))
    if bytes > 0 { return silence > StreamConnection.halfPacketMilliseconds ? .inFrame(bytes: bytes) : nil }
    return !hasSpoken.load(ordering: .relaxed) && silence > StreamConnection.silenceMilliseconds ? .mute : nil
  }

  /// Stores a packet for the next `flush`.
  /// - Parameter messages: the number of messages in it.
  /// - Returns: false where too many bytes wait already, and the packet is dropped.
  func put(_ packet: [UInt8], messages: Int = 1) -> Bool {
    put(framed: framing.withLock { $0 }.frame(packet), messages: messages)
  }

  /// Likewise for a text of a WebSocket, in UTF-8.
  func put(text: [UInt8]) -> Bool { put(framed: WebSocketFrame.text(text), messages: 1) }

  private func put(framed: [UInt8], messages: Int) -> Bool {
    guard !isGivenAway.load(ordering: .relaxed) else { return true }
    let fits = gathered.withLock { gathered in
      guard waitingBytes.load(ordering: .relaxed) + gathered.count + framed.count <= StreamConnection.mostWaitingBytes
      else { return false }
      gathered += framed
      return true
    }
    if fits {
      refusedInARow.store(0, ordering: .relaxed)
    } else if refusedInARow.wrappingAdd(messages, ordering: .relaxed).newValue > StreamConnection.mostRefused {
      close(.policy)
    }
    return fits
  }

  /// Hands the gathered bytes to the connection, in one write.
  func flush() {
    let bytes = gathered.withLock { gathered in
      let bytes = gathered
      gathered.removeAll()
      return bytes
    }
    guard !bytes.isEmpty else { return }
    waitingBytes.wrappingAdd(bytes.count, ordering: .relaxed)
    let written = channel.writeAndFlush(channel.allocator.buffer(bytes: bytes))
    written.whenComplete { [self] _ in waitingBytes.wrappingSubtract(bytes.count, ordering: .relaxed) }
  }

  /// - Parameter reason: sent to a WebSocket. A TCP connection has no way to carry a reason.
  func close(_ reason: WebSocketClose) {
    guard !isGivenAway.load(ordering: .relaxed) else { return }
    closeCode.store(reason.code, ordering: .relaxed)
    channel.close(promise: nil)
  }

  var closeReason: WebSocketClose { WebSocketClose(code: closeCode.load(ordering: .relaxed)) }
}

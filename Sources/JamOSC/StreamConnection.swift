internal import JamCore
internal import JamNet
internal import JamWire
internal import NIOCore
internal import Synchronization

/// One TCP connection or WebSocket as the room thread sees it: packets go out framed as the peer frames its own, within a bound.
///
/// Thread: any.
final class StreamConnection: Sendable {
  let peer: JamNet.SocketAddress
  private let channel: any Channel
  private let framing: Mutex<Framing>
  private let gathered = Mutex<[UInt8]>([])
  /// Whether anything was gathered that waits for `flush`.
  var isGathering: Bool { gathered.withLock { !$0.isEmpty } }
  /// Handed to the connection and not written yet.
  private let waitingBytes = Atomic<Int>(0)
  private let refusedInARow = Atomic<Int>(0)
  /// What a WebSocket's close frame gives as the reason.
  private let closeCode = Atomic<UInt16>(WebSocketClose.goingAway.code)

  /// When the last whole packet came, half a packet began, or the connection was opened; CLOCK_MONOTONIC in nanoseconds.
  private let lastPacket: Atomic<Int64>
  /// What came of a packet that is not whole yet.
  private let halfPacketBytes = Atomic<Int>(0)
  private let hasSpoken = Atomic<Bool>(false)

  /// Half a packet waits so long for its rest; a connection that says nothing at all lives so long.
  static let halfPacketMilliseconds = 10_000.0
  static let silenceMilliseconds = 60_000.0

  /// What may wait for a slow reader; more is dropped.
  static let mostWaitingBytes = 256 << 10
  /// A reader that takes nothing while this many packets are dropped is gone.
  static let mostRefused = 4_096

  init(
    channel: any Channel, peer: JamNet.SocketAddress, framing: Framing = .lengthPrefix, at now: HostTime
  ) {
    self.framing = Mutex(framing)
    self.channel = channel
    self.peer = peer
    lastPacket = Atomic(now.nanoseconds)
  }

  var isWebSocket: Bool { framing.withLock { $0 == .webSocket } }

  func use(_ framing: Framing) { self.framing.withLock { $0 = framing } }

  /// Notes what the last read brought. Thread: the connection's event loop.
  func heard(packets: Int, halfPacketBytes bytes: Int, at now: HostTime) {
    if packets > 0 { hasSpoken.store(true, ordering: .relaxed) }
    let hadHalf = halfPacketBytes.load(ordering: .relaxed) > 0
    if packets > 0 || (bytes > 0 && !hadHalf) { lastPacket.store(now.nanoseconds, ordering: .relaxed) }
    // After the time that it began: who sees the half sees when.
    halfPacketBytes.store(bytes, ordering: .releasing)
  }

  /// How a peer can have been silent for too long.
  enum Stuck: Hashable {
    /// It stopped in the middle of a frame, of which so many bytes came.
    case inFrame(bytes: Int)
    /// It never sent a packet.
    case mute
  }

  /// - Returns: nil where the peer may go on. Thread: any.
  func stuck(at now: HostTime) -> Stuck? {
    let bytes = halfPacketBytes.load(ordering: .acquiring)
    let silence = now.milliseconds(since: HostTime(nanoseconds: lastPacket.load(ordering: .relaxed)))
    if bytes > 0 { return silence > StreamConnection.halfPacketMilliseconds ? .inFrame(bytes: bytes) : nil }
    return !hasSpoken.load(ordering: .relaxed) && silence > StreamConnection.silenceMilliseconds ? .mute : nil
  }

  /// Keeps a packet for the next `flush`.
  /// - Returns: false where too much waits already: the packet is dropped.
  func put(_ packet: [UInt8]) -> Bool {
    let framed = framing.withLock { $0 }.frame(packet)
    let fits = gathered.withLock { gathered in
      guard waitingBytes.load(ordering: .relaxed) + gathered.count + framed.count <= StreamConnection.mostWaitingBytes
      else { return false }
      gathered += framed
      return true
    }
    if fits {
      refusedInARow.store(0, ordering: .relaxed)
    } else if refusedInARow.wrappingAdd(1, ordering: .relaxed).newValue > StreamConnection.mostRefused {
      close(.policy)
    }
    return fits
  }

  /// Hands what was gathered to the connection, in one write.
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

  /// - Parameter reason: told to a WebSocket; nothing else has a word for it.
  func close(_ reason: WebSocketClose) {
    closeCode.store(reason.code, ordering: .relaxed)
    channel.close(promise: nil)
  }

  var closeReason: WebSocketClose { WebSocketClose(code: closeCode.load(ordering: .relaxed)) }
}

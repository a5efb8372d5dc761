internal import JamCore
internal import JamNet
internal import JamRealtime
internal import Synchronization

/// The thread that speaks DTLS: a handshake takes a millisecond, for which no packet of the others shall wait.
///
/// Thread: `take` any; start and stop from one thread.
final class HandshakeThread: @unchecked Sendable {
  // Unchecked: `connections` belongs to the thread; the rest is locked or constant.
  private let context: DTLSContext
  private let sockets: [DatagramSocket]
  private let loop = PollLoop()
  private let thread = RealtimeThread(name: "bandshell-dtls")
  private let inbox = Mutex<[WebRTCAudience.HandshakeOrder]>([])
  private let tell: @Sendable (ListenerID, DTLSConnection.Event) -> Void
  private var connections: [ListenerID: (connection: DTLSConnection, path: NetworkPath)] = [:]
  private var nextTick: HostTime?

  /// Orders that may wait; more is dropped, and repeated by the peer.
  private static let mostWaiting = 4_096
  private static let tickMilliseconds = 50.0

  /// - Parameter tell: called on the thread.
  init(
    context: DTLSContext, sockets: [DatagramSocket],
    tell: @escaping @Sendable (ListenerID, DTLSConnection.Event) -> Void
  ) {
    self.context = context
    self.sockets = sockets
    self.tell = tell
  }

  func start() { thread.start { [self] in run() } }

  func stop() {
    loop.stop()
    thread.join()
  }

  /// - Returns: false where too many wait. An end is always taken: there is one for each listener at most.
  func take(_ order: WebRTCAudience.HandshakeOrder) -> Bool {
    let isTaken = inbox.withLock { inbox in
      if case .datagram = order, inbox.count >= HandshakeThread.mostWaiting { return false }
      inbox.append(order)
      return true
    }
    if isTaken { loop.wake() }
    return isTaken
  }

  private func run() {
    loop.run(deadline: { nextTick }) {
      let orders = inbox.withLock { inbox in
        defer { inbox.removeAll(keepingCapacity: true) }
        return inbox
      }
      for order in orders { carryOut(order) }
      tick(at: .now)
    }
    // Goodbyes that were ordered at the end.
    for order in inbox.withLock({ $0 }) { carryOut(order) }
    connections.removeAll()
  }

  private func carryOut(_ order: WebRTCAudience.HandshakeOrder) {
    switch order {
    case .end(let id):
      guard let (connection, path) = connections.removeValue(forKey: id) else { return }
      connection.close()
      send(connection, along: path)
    case .datagram(let id, let bytes, let path, let peers):
      guard let connection = connections[id]?.connection ?? made(peers) else { return tell(id, .ended(.failed)) }
      connections[id] = (connection, path)
      let event = bytes.withUnsafeBytes { connection.receive($0) }
      settle(event, id, connection, path)
      nextTick = nextTick ?? HostTime.now.advanced(byMilliseconds: HandshakeThread.tickMilliseconds)
    }
  }

  private func made(_ peers: [Fingerprint]) -> DTLSConnection? {
    try? DTLSConnection(context, role: .server, peers: peers)
  }

  private func settle(
    _ event: DTLSConnection.Event?, _ id: ListenerID, _ connection: DTLSConnection, _ path: NetworkPath
  ) {
    send(connection, along: path)
    guard let event else { return }
    if case .ended = event { connections[id] = nil }
    tell(id, event)
  }

  private func send(_ connection: DTLSConnection, along path: NetworkPath) {
    guard let socket = sockets.first(where: { $0.localAddress.isIPv6 == path.peer.isIPv6 }) else { return }
    for datagram in connection.takeOutput() { datagram.withUnsafeBytes { _ = socket.send($0, along: path) } }
  }

  /// Repeats what was lost of handshakes under way.
  private func tick(at now: HostTime) {
    guard let due = nextTick, due <= now else { return }
    var isWaiting = false
    for (id, entry) in connections where !entry.connection.isEstablished {
      settle(entry.connection.tick(), id, entry.connection, entry.path)
      isWaiting = true
    }
    nextTick = isWaiting ? now.advanced(byMilliseconds: HandshakeThread.tickMilliseconds) : nil
  }
}

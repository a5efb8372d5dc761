internal import JamCore
internal import JamNet
internal import JamRealtime
internal import Synchronization

/// The thread that speaks DTLS. A handshake takes a millisecond, and the packets of other listeners
/// must not wait for it.
///
/// Thread: `take` any; start and stop from one thread.
final class HandshakeThread: @unchecked Sendable {
  // Unchecked: `worker` and `nextTick` belong to the thread; the rest is locked or constant.
  private let worker: HandshakeWorker
  private let loop = PollLoop()
  private let thread = RealtimeThread(name: "bandshell-dtls")
  private let inbox = Mutex<[WebRTCAudience.HandshakeOrder]>([])
  private var nextTick: HostTime?

  /// The most orders that may wait. Further datagrams are dropped, and the peer repeats them.
  private static let mostWaiting = 4_096
  private static let tickMilliseconds = 50.0

  /// - Parameter tell: called on the thread.
  init(
    context: DTLSContext, sockets: [DatagramSocket], loss: DatagramLoss?,
    tell: @escaping @Sendable (ListenerID, DTLSConnection.Event) -> Void
  ) {
    worker = HandshakeWorker(
      context: context,
      send: { datagram, path in
        let socket = sockets.first { $0.localAddress.isIPv6 == path.peer.isIPv6 }
        datagram.withUnsafeBytes { bytes in
          if let loss, loss.takes(bytes) { return }
          _ = socket?.send(bytes, along: path)
        }
      }, tell: tell)
  }

  func start() { thread.start { [self] in run() } }

  func stop() {
    loop.stop()
    thread.join()
  }

  /// - Returns: false where too many wait. An order to end is always taken, because there is at
  ///   most one for each listener.
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
      carryOutOrders()
      let now = HostTime.now
      if let due = nextTick, due <= now {
        worker.tick()
        nextTick = nil
      }
      if nextTick == nil && worker.isWaiting {
        nextTick = now.advanced(byMilliseconds: HandshakeThread.tickMilliseconds)
      }
    }
    // Carries out the goodbyes that were ordered at the end.
    carryOutOrders()
  }

  private func carryOutOrders() {
    let orders = inbox.withLock { inbox in
      defer { inbox.removeAll(keepingCapacity: true) }
      return inbox
    }
    for order in orders { worker.carryOut(order) }
  }
}

/// The DTLS connections of all listeners.
///
/// A machine without I/O. Thread: one at a time.
final class HandshakeWorker {
  private let context: DTLSContext
  private let send: ([UInt8], NetworkPath) -> Void
  private let tell: (ListenerID, DTLSConnection.Event) -> Void
  private var connections: [ListenerID: (connection: DTLSConnection, path: NetworkPath)] = [:]
  /// Handshakes in progress.
  private var waiting: Set<ListenerID> = []

  init(
    context: DTLSContext, send: @escaping ([UInt8], NetworkPath) -> Void,
    tell: @escaping (ListenerID, DTLSConnection.Event) -> Void
  ) {
    self.context = context
    self.send = send
    self.tell = tell
  }

  /// Whether `tick` has anything to do.
  var isWaiting: Bool { !waiting.isEmpty }

  func carryOut(_ order: WebRTCAudience.HandshakeOrder) {
    switch order {
    case .end(let id):
      waiting.remove(id)
      guard let (connection, path) = connections.removeValue(forKey: id) else { return }
      connection.close()
      sendOutput(of: connection, along: path)
    case .datagram(let id, let bytes, let path, let peers):
      guard let connection = connections[id]?.connection ?? begin(id, peers) else { return tell(id, .ended(.failed)) }
      connections[id] = (connection, path)
      settle(bytes.withUnsafeBytes { connection.receive($0) }, id, connection, path)
    }
  }

  /// Repeats the lost datagrams of handshakes in progress: every 50 ms.
  func tick() {
    for id in waiting {
      guard let (connection, path) = connections[id] else { continue }
      settle(connection.tick(), id, connection, path)
    }
  }

  private func begin(_ id: ListenerID, _ peers: [Fingerprint]) -> DTLSConnection? {
    guard let connection = try? DTLSConnection(context, role: .server, peers: peers) else { return nil }
    waiting.insert(id)
    return connection
  }

  private func settle(
    _ event: DTLSConnection.Event?, _ id: ListenerID, _ connection: DTLSConnection, _ path: NetworkPath
  ) {
    sendOutput(of: connection, along: path)
    guard let event else { return }
    waiting.remove(id)
    if case .ended = event { connections[id] = nil }
    tell(id, event)
  }

  private func sendOutput(of connection: DTLSConnection, along path: NetworkPath) {
    for datagram in connection.takeOutput() { send(datagram, path) }
  }
}

public import JamCore
public import JamNet
internal import JamRealtime
public import JamRoom
public import JamWire
public import NIOCore
public import NIOPosix
internal import Synchronization

/// The OSC edge with its sockets: UDP polled by the room thread, TCP by NIO, and WebSockets that others accepted.
///
/// Thread: any, for what is public.
public final class OSCServer: Sendable {
  /// UDP and TCP alike.
  public let port: UInt16
  public let counters: OSCCounters
  private let thread: RoomThread
  private let edge: OSCEdge
  private let listener: StreamListener
  private let sockets: [DatagramSocket]

  /// Binds and begins to listen. Call it before the thread starts.
  /// - Parameters:
  ///   - addresses: one or two, of different families; port 0 in the first takes a port that is free for all of them.
  ///   - clock: what timetags are counted in.
  /// - Throws: `OSCServerError` where a port cannot be had.
  public init(
    _ addresses: [JamNet.SocketAddress], lobby: Lobby, thread: RoomThread, group: MultiThreadedEventLoopGroup,
    clock: ServerClock, limits: Limits = .standard
  ) async throws {
    let counters = OSCCounters()
    var attempt = 0
    while true {
      var transport = "UDP"
      do {
        let sockets = try OSCServer.bind(addresses)
        let post = Post(sockets: sockets, counters: counters)
        let edge = OSCEdge(lobby: lobby, post: post, counters: counters, clock: clock, limits: limits)
        transport = "TCP"
        listener = try await StreamListener(sockets.map(\.localAddress), group: group, thread: thread, edge: edge)
        self.counters = counters
        self.thread = thread
        self.edge = edge
        self.sockets = sockets
        port = sockets[0].localAddress.port
        break
      } catch {
        // A free UDP port may be taken for TCP: ask for another.
        attempt += 1
        guard addresses[0].port == 0 && attempt < 16 else { throw OSCServerError(transport, cause: "\(error)") }
      }
    }
    for room in lobby.all { listen(to: room) }
    let receiver = DatagramReceiver()
    for (index, socket) in sockets.enumerated() {
      thread.loop.add(socket.fileDescriptor) { [edge, counters] in
        // A bounded number of batches a turn, so that a flood does not keep the beat from being told.
        for _ in 0..<8 {
          let count = receiver.receive(from: socket) { edge.received($0, on: index) }
          if count < receiver.capacity { break }
        }
        counters.kernelDrops.store(UInt64(receiver.kernelDrops), ordering: .relaxed)
        edge.post.flush()
      }
    }
    thread.add(edge)
  }

  /// Tells the room's events to subscribers from now on. Before the thread starts, or on it.
  public func listen(to room: Room) {
    let edge = edge
    if thread.isCurrent {
      room.assumeIsolated { $0.add(edge) }
    } else {
      thread.submit { room.assumeIsolated { $0.add(edge) } }
    }
  }

  /// Takes over a connection whose WebSocket handshake is done: one OSC packet in each binary message.
  /// - Thread: the channel's event loop.
  public func accept(webSocket channel: any Channel, of caller: OSCCaller) {
    listener.accept(webSocket: channel, of: caller)
  }

  /// Takes no more connections and ends those that are there. The thread is stopped by its owner.
  public func stop() { listener.stop() }

  private static func bind(_ addresses: [JamNet.SocketAddress]) throws -> [DatagramSocket] {
    var sockets: [DatagramSocket] = []
    for address in addresses {
      let wanted = sockets.first.map { address.with(port: $0.localAddress.port) } ?? address
      sockets.append(try DatagramSocket(binding: wanted))
    }
    return sockets
  }
}

/// Who opened a WebSocket, as its handshake showed it.
public struct OSCCaller: Sendable {
  public var peer: JamNet.SocketAddress
  /// The room that its address named; nil is the house's main one.
  public var room: PlayerName?
  /// The word that came with the address.
  public var password: String?
  /// It comes from the server's own machine: its player is a host.
  public var isAtHome: Bool

  public init(peer: JamNet.SocketAddress, room: PlayerName? = nil, password: String? = nil, isAtHome: Bool = false) {
    self.peer = peer
    self.room = room
    self.password = password
    self.isAtHome = isAtHome
  }
}

/// Why OSC cannot be listened for.
public struct OSCServerError: Error, CustomStringConvertible {
  private let transport: String
  private let cause: String

  /// - Parameter cause: names the address.
  init(_ transport: String, cause: String) {
    self.transport = transport
    self.cause = cause
  }

  public var description: String {
    "cannot listen for OSC over \(transport): \(cause); choose another with --osc HOST:PORT"
  }
}

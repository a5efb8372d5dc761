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
  ///   - guesses: the limit on wrong words that all edges share.
  ///   - log: hears of people who come, guess words, or cannot be served.
  /// - Throws: `OSCServerError` where a port cannot be had.
  public init(
    _ addresses: [JamNet.SocketAddress], registry: RoomRegistry, thread: RoomThread, group: MultiThreadedEventLoopGroup,
    clock: ServerClock, limits: Limits = .standard, guesses: GuessLimit<GuessSource> = GuessLimit(),
    log: any ServerLog = NoLog()
  ) async throws {
    let counters = OSCCounters()
    var attempt = 0
    while true {
      var transport = "UDP"
      do {
        let sockets = try OSCServer.bind(addresses)
        let outbox = Outbox(sockets: sockets, counters: counters)
        let edge = OSCEdge(
          registry: registry, outbox: outbox, counters: counters, clock: clock, limits: limits, guesses: guesses,
          log: log)
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
    for room in registry.all { listen(to: room) }
    for (index, socket) in sockets.enumerated() {
      // One for each: it knows what the kernel dropped of its socket.
      let receiver = DatagramReceiver()
      thread.loop.add(socket.fileDescriptor) { [edge, counters] in
        // A bounded number of batches a turn, so that a flood does not keep the beat from being told.
        var batches = 0
        repeat {
          let count = receiver.receive(from: socket) { edge.received($0, on: index) }
          batches += 1
          if count < receiver.capacity { break }
        } while batches < OSCServer.batchesOfTurn
        if batches == OSCServer.batchesOfTurn { edge.isBehind = true }
        counters.count(kernelDrops: receiver.kernelDrops, of: index)
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

  /// Programs that keep nothing themselves, as of the last half second; nil until `resume` was
  /// done. Thread: any.
  public var senders: KeptSenders? { edge.keptSenders.withLock { $0 }?.inOrder }

  /// Goes on with those that an earlier server knew, once the thread runs.
  public func resume(_ senders: KeptSenders) {
    thread.submit { [edge] in edge.resume(senders, at: edge.time()) }
  }

  /// Looks which networks this machine is plugged into, where the last look is ten seconds ago.
  /// Call it about once a second. Thread: any that may wait, and never the room's: it asks the
  /// kernel and looks into files.
  public func lookAtNetworks() { edge.networks.look(at: .now) }

  /// Takes no more connections and ends those that are there. The thread is stopped by its owner.
  public func stop() { listener.stop() }

  private static let batchesOfTurn = 8

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
  /// The room that its address named; nil is the server's main one.
  public var room: PlayerName?
  /// The right password of that room, where it came with the address.
  public var password: String?

  public init(peer: JamNet.SocketAddress, room: PlayerName? = nil, password: String? = nil) {
    self.peer = peer
    self.room = room
    self.password = password
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

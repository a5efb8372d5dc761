public import JamCore
public import JamNet
internal import JamRealtime
public import JamRoom
public import JamWire
public import NIOCore
public import NIOPosix
internal import Synchronization

/// The OSC edge with its sockets. The room thread polls UDP, NIO reads TCP, and other parts hand
/// over accepted WebSockets. A thread of its own sends.
///
/// Thread: any, for the public members.
public final class OSCServer: Sendable {
  /// The port of UDP and TCP.
  public let port: UInt16
  public let counters: OSCCounters
  private let thread: RoomThread
  private let edge: OSCEdge
  private let listener: StreamListener
  private let sockets: [DatagramSocket]
  private let teller: TellThread
  private let desk: QueryDesk
  private let queries: MultiThreadedEventLoopGroup?

  /// Binds the sockets and begins to listen. Call it before the thread starts.
  /// - Parameters:
  ///   - addresses: one or two, of different families. Port 0 in the first takes a port that is
  ///     free for all of them.
  ///   - group: the loops of connections.
  ///   - queries: the loop on which trees are made for OSCQuery, some of which take milliseconds;
  ///     `end` shuts it down. Without one they are made on a loop of `group`, where players wait.
  ///   - clock: the clock of timetags.
  ///   - guesses: the limit on wrong words, which all edges share.
  ///   - log: receives events about people who join, guess words, or cannot be served.
  /// - Throws: `OSCServerError` where a port cannot be bound.
  public init(
    _ addresses: [JamNet.SocketAddress], registry: RoomRegistry, thread: RoomThread, group: MultiThreadedEventLoopGroup,
    queries: MultiThreadedEventLoopGroup? = nil, clock: ServerClock, limits: Limits = .standard,
    guesses: GuessLimit<GuessSource> = GuessLimit(), log: any ServerLog = NoLog()
  ) async throws {
    self.queries = queries
    let counters = OSCCounters()
    var attempt = 0
    while true {
      var transport = "UDP"
      do {
        let sockets = try OSCServer.bind(addresses)
        let teller = TellThread(sockets: sockets, counters: counters)
        let outbox = OutgoingPackets(sockets: sockets, counters: counters, thread: teller, log: log)
        let edge = OSCEdge(
          registry: registry, outbox: outbox, counters: counters, clock: clock, limits: limits, guesses: guesses,
          log: log, bothClocks: { ServerClock.now() })
        let desk = QueryDesk(on: (queries ?? group).next(), clock: clock, counters: counters)
        edge.controllers.sockets = sockets.map(\.localAddress)
        transport = "TCP"
        listener = try await StreamListener(
          sockets.map(\.localAddress), group: group, thread: thread, edge: edge, desk: desk)
        self.desk = desk
        self.counters = counters
        self.thread = thread
        self.edge = edge
        self.sockets = sockets
        self.teller = teller
        port = sockets[0].localAddress.port
        break
      } catch {
        // The free UDP port may be in use for TCP, so another port is tried.
        attempt += 1
        guard addresses[0].port == 0 && attempt < 16 else { throw OSCServerError(transport, cause: "\(error)") }
      }
    }
    for room in registry.all { listen(to: room) }
    for (index, socket) in sockets.enumerated() {
      // One receiver for each socket, because a receiver counts the datagrams that the kernel
      // dropped of its socket.
      let receiver = DatagramReceiver()
      thread.loop.add(socket.fileDescriptor) { [edge, counters] in
        // A turn reads a limited number of batches, so that a flood cannot delay the beat's
        // messages.
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
    let taps = QueryTaps(edge: edge) { [weak desk] in desk?.hear($0) ?? true }
    thread.add(taps)
    desk.use(TapOrders(thread: thread, taps: taps))
    teller.start()
  }

  /// Sends the room's events to subscribers from now on. Call it before the thread starts, or on
  /// the thread.
  public func listen(to room: Room) {
    let edge = edge
    if thread.isCurrent {
      room.assumeIsolated { $0.add(edge) }
    } else {
      thread.submit { room.assumeIsolated { $0.add(edge) } }
    }
  }

  /// Takes over a connection whose WebSocket handshake is complete. Each binary message holds one
  /// OSC packet.
  /// - Thread: the channel's event loop.
  public func accept(webSocket channel: any Channel, of caller: OSCCaller) {
    listener.accept(webSocket: channel, of: caller)
  }

  /// Hands TCP connections over that speak HTTP: their first byte is a capital letter, such as the
  /// `G` of `GET`. Without a call they end as bytes that are no OSC.
  /// - Parameter taker: adds its handlers to the channel's pipeline; throws where it does not take
  ///   it. It is called on the channel's event loop.
  public func handHTTP(to taker: @escaping @Sendable (any Channel) throws -> Void) {
    listener.handHTTP(to: taker)
  }

  /// Answers a question about the tree of addresses.
  /// - Parameters:
  ///   - room: nil is the main room.
  ///   - player: the player whose view is asked for. The caller has checked that the asker is this
  ///     player.
  ///   - peer: the asker's address, where no player's view is asked for. If its nameless senders
  ///     play over UDP, the view is that of their guest, and else that of somebody who only looks.
  ///   - path: any text, after percent decoding.
  ///   - wish: nil is an unknown attribute.
  ///   - answered: is called once, on an event loop: with nil where there is no such room or
  ///     player, or where too many questions wait.
  /// Thread: any.
  public func answer(
    _ room: PlayerName?, _ player: PlayerName?, of peer: JamNet.SocketAddress?, path: String,
    wish: QueryWish?, style: QueryStyle, _ answered: @escaping @Sendable (QueryAnswer?) -> Void
  ) {
    let asker = player.map { QueryQuestion.Asker.player($0) } ?? QueryQuestion.Asker.host(peer)
    desk.answer(room, asker, path: path, wish: wish, style: style, answered)
  }

  /// The programs that keep no state themselves. The value is up to half a second old, and nil
  /// until `resume` has run.
  /// Thread: any.
  public var senders: KeptSenders? { edge.keptSenders.withLock { $0 }?.inOrder }

  /// Restores the programs that an earlier server knew. Call it after the thread has started.
  public func resume(_ senders: KeptSenders) {
    thread.submit { [edge] in edge.resume(senders, at: edge.time()) }
  }

  /// Asks for the networks to which this machine is attached, if the last request was ten seconds
  /// ago. Call it about once a second.
  /// Thread: any thread that may wait, but never the room thread, because it asks the kernel and
  /// reads files.
  public func lookAtNetworks() { edge.proofs.networks.look(at: .now) }

  /// The controllers that announce themselves now, the server's own services left out.
  /// Thread: any.
  public func found(_ controllers: [FoundController]) {
    edge.controllers.found.replace(with: controllers)
  }

  /// Looks for OSC that comes by UDP to the page's port, where somebody took that port for the one
  /// of OSC. Nothing happens where the port is taken for UDP by something else.
  /// - Parameter addresses: those of the page, with its port.
  /// - Returns: a look, to be called about once a second, on a thread that may wait.
  public func watch(
    webPortAt addresses: [JamNet.SocketAddress], log: any ServerLog = NoLog()
  ) -> WrongPortWatch {
    WrongPortWatch(
      at: addresses, oscPort: port, counters: counters, log: log,
      isNear: { [networks = edge.proofs.networks] in $0.isLoopback || networks.contains($0) })
  }

  /// Sends what was told so far, accepts no more connections, and ends the present ones. The room
  /// thread is stopped by its owner.
  public func stop() {
    teller.stop()
    desk.stop()
    listener.stop()
  }

  /// Ends the loop of OSCQuery. Call it once the room thread and the connections' loops have ended.
  public func end() async { try? await queries?.shutdownGracefully() }

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

/// The sender that opened a WebSocket, as its handshake described it.
public struct OSCCaller: Sendable {
  public var peer: JamNet.SocketAddress
  /// The room in the WebSocket's address; nil is the server's main room.
  public var room: PlayerName?
  /// The right password of that room, where the address contained it.
  public var password: String?
  /// For a client of OSCQuery, which also sends text; nil is a client that sends OSC alone.
  public var query: Query?

  /// A client of OSCQuery.
  public struct Query: Sendable {
    /// The right token of a player in that room; nil where the client said nobody's.
    public var token: String?

    public init(token: String? = nil) { self.token = token }
  }

  public init(
    peer: JamNet.SocketAddress, room: PlayerName? = nil, password: String? = nil,
    query: Query? = nil
  ) {
    self.peer = peer
    self.room = room
    self.password = password
    self.query = query
  }
}

/// Why the server cannot listen for OSC.
public struct OSCServerError: Error, CustomStringConvertible {
  private let transport: String
  private let cause: String

  /// - Parameter cause: a text that names the address.
  init(_ transport: String, cause: String) {
    self.transport = transport
    self.cause = cause
  }

  public var description: String {
    "cannot listen for OSC over \(transport): \(cause); choose another with --osc HOST:PORT"
  }
}

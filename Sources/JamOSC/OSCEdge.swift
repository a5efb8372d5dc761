internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// The OSC edge: who is who among the senders, what their packets ask for, and what they are told.
///
/// Thread: the room thread, for everything but `counters`.
final class OSCEdge: RoomThreadClient, @unchecked Sendable {
  // Unchecked: confined to the room thread.
  let lobby: Lobby
  let post: Post
  let counters: OSCCounters
  let clock: ServerClock
  let limits: Limits
  /// CLOCK_MONOTONIC, or a test's own. Thread: any.
  let time: () -> HostTime
  /// Read again now and then.
  private var networks: AttachedNetworks

  // Unchecked exclusivity where every hit passes: all of it is confined to one thread, and none of it calls back into itself.
  @exclusivity(unchecked) var endpoints: [SocketAddress: Endpoint] = [:]
  var streams: [ObjectIdentifier: Endpoint] = [:]
  var origins: [Origin: Endpoint] = [:]
  @exclusivity(unchecked) var subscribers: [SubscriberKey: Subscriber] = [:]
  /// The port that a host asked for, so that its nameless senders are answered there.
  var portsOfHosts: [SocketAddress: UInt16] = [:]
  var guests: [GuestKey: Guest] = [:]
  /// How many more passwords and host words each host may try now.
  var guesses: [SocketAddress: TokenBucket] = [:]
  @exclusivity(unchecked) private var reader = CommandReader()
  @exclusivity(unchecked) private var packet = OSCPacket()
  private var lastOrigin: UInt64 = 0
  @exclusivity(unchecked) private var lastEndpoint: Endpoint?
  private var endpointsOfHosts: [SocketAddress: Int] = [:]
  private var nextForgetting = HostTime(nanoseconds: 0)
  private var nextHousekeeping: HostTime
  /// A test's word on which addresses are near.
  private let fixedIsAttached: ((SocketAddress) -> Bool)?
  private var nextLookAtNetworks: HostTime

  private static let networksEveryMilliseconds = 10_000.0
  static let mostEndpoints = 16_384
  static let mostEndpointsPerHost = 2_048
  static let mostSubscribersPerHost = 32
  static let mostGuessers = 4_096
  static let mostConnectionsPerHost = 64
  /// How long whoever's connection ended may come back to its place.
  static let placeKeptMilliseconds: Double = 60_000

  struct SubscriberKey: Hashable {
    var peer: SocketAddress
    var stream: ObjectIdentifier?
  }

  struct GuestKey: Hashable {
    var host: SocketAddress
    var room: PlayerName
  }

  struct Guest {
    var player: PlayerID
    var lastHeard: HostTime
  }

  init(
    lobby: Lobby, post: Post, counters: OSCCounters, clock: ServerClock, limits: Limits = .standard,
    isAttached: ((SocketAddress) -> Bool)? = nil, time: @escaping () -> HostTime = { .now }
  ) {
    self.lobby = lobby
    self.post = post
    self.counters = counters
    self.clock = clock
    self.limits = limits
    self.time = time
    fixedIsAttached = isAttached
    networks = (try? AttachedNetworks.current()) ?? AttachedNetworks(interfaces: [])
    nextHousekeeping = time()
    nextLookAtNetworks = nextHousekeeping.advanced(byMilliseconds: OSCEdge.networksEveryMilliseconds)
  }

  // MARK: What comes in

  func received(_ datagram: Datagram, on socket: Int) {
    let now = datagram.arrival
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = endpoint(at: datagram.path, socket: socket, now: now) else { return }
    endpoint.proof.received(bytes: datagram.bytes.count)
    if !portsOfHosts.isEmpty && endpoint.answerPort == nil { endpoint.portOfHost = portsOfHosts[endpoint.host] }
    guard !datagram.isTruncated else {
      let error = OSCError.tooLong(bytes: datagram.bytes.count + 1, limit: limits.datagramBytes)
      return post.refuse(endpoint, SessionAnswer(error), at: now)
    }
    received(datagram.bytes, from: endpoint, limit: limits.datagramBytes, at: now)
  }

  func received(_ bytes: [UInt8], from connection: StreamConnection, at now: HostTime) {
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = streams[ObjectIdentifier(connection)] else { return }
    bytes.withUnsafeBytes { received($0, from: endpoint, limit: limits.framedPacketBytes, at: now) }
    post.flush()
  }

  private func received(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, limit: Int, at now: HostTime) {
    endpoint.lastHeard = now
    guard endpoint.messages.take(at: now) else {
      counters.flooded.wrappingAdd(1, ordering: .relaxed)
      return post.refuse(endpoint, .error(address: "/", reason: OSCEdge.floodText), at: now)
    }
    if !endpoint.isNamed && !endpoint.isNumbered && endpoint.doubleSends.isRepetition(bytes, at: now) {
      counters.repeated.wrappingAdd(1, ordering: .relaxed)
      return
    }
    if let hit = PlainHit.command(bytes) {
      counters.messages.wrappingAdd(1, ordering: .relaxed)
      return carryOut(hit, from: endpoint, at: now)
    }
    do throws(OSCError) {
      try packet.decode(bytes, limit: limit)
    } catch {
      return post.refuse(endpoint, SessionAnswer(error), at: now)
    }
    for refusal in packet.refusals { post.refuse(endpoint, SessionAnswer(refusal), at: now) }
    // A bundle may hold thousands: each message counts, the first is paid for by its packet.
    guard packet.elements.count < 2 || endpoint.messages.take(Double(packet.elements.count - 1), at: now) else {
      counters.flooded.wrappingAdd(UInt64(packet.elements.count), ordering: .relaxed)
      return post.refuse(endpoint, .error(address: "#bundle", reason: OSCEdge.floodText), at: now)
    }
    guard let number = packet.sequence else {
      for element in packet.elements { act(on: element, from: endpoint, arrival: now) }
      return
    }
    endpoint.isNumbered = true
    let before = endpoint.sequence.repeats
    let ready = endpoint.sequence.receive(
      NumberedPacket(elements: packet.elements, arrival: now), number: number, at: now)
    counters.repeated.wrappingAdd(endpoint.sequence.repeats - before, ordering: .relaxed)
    if endpoint.sequence.deadline != nil { waitingForOrder.insert(endpoint.origin) }
    for packet in ready { act(on: packet, from: endpoint) }
  }

  /// Endpoints whose packets wait for earlier ones.
  private var waitingForOrder: Set<Origin> = []

  private func act(on packet: NumberedPacket, from endpoint: Endpoint) {
    for element in packet.elements { act(on: element, from: endpoint, arrival: packet.arrival) }
  }

  private func act(on element: OSCPacket.Element, from endpoint: Endpoint, arrival: HostTime) {
    counters.messages.wrappingAdd(1, ordering: .relaxed)
    do throws(WireError) {
      guard let envelope = try reader.read(element.message) else { return }
      let tag = element.timetag.isImmediate ? nil : clock.time(of: element.timetag)
      carryOut(envelope, element.message, from: endpoint, at: arrival, tag: tag, heard: element.heard)
    } catch {
      heard(from: endpoint, at: arrival)
      post.refuse(endpoint, SessionAnswer(error), at: arrival)
    }
  }

  static let floodText =
    "more than \(Endpoint.messagesPerSecond) messages a second came from you: some were dropped, send fewer"

  // MARK: Connections

  func opened(_ connection: StreamConnection, of caller: OSCCaller? = nil) {
    guard streams.values.count(where: { $0.host == connection.peer.host }) < OSCEdge.mostConnectionsPerHost else {
      counters.refusedConnections.wrappingAdd(1, ordering: .relaxed)
      return connection.close(.tryAgainLater)
    }
    let endpoint = Endpoint(
      origin: newOrigin(), transport: .stream(connection), proof: AddressProof(isAttached: true, cookie: ""),
      at: time())
    endpoint.home = caller?.room
    endpoint.isAtHome = caller?.isAtHome ?? false
    if let password = caller?.password { endpoint.passwords.insert(password) }
    streams[ObjectIdentifier(connection)] = endpoint
    origins[endpoint.origin] = endpoint
    counters.connections.wrappingAdd(1, ordering: .relaxed)
  }

  func closed(_ connection: StreamConnection) {
    guard let endpoint = streams.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    counters.connections.wrappingSubtract(1, ordering: .relaxed)
    unsubscribe(endpoint)
    origins[endpoint.origin] = nil
    guard endpoint.isNamed else { return }
    // The player may come back by its token; until its lease is over it keeps its place.
    let now = time()
    let seats = endpoint.seats.filter { !isElsewhere($0, than: endpoint, at: now) }
    guard !seats.isEmpty else { return }
    abandoned.append((seats, now.advanced(byMilliseconds: OSCEdge.placeKeptMilliseconds)))
    for seat in seats {
      seat.room.assumeIsolated { $0.setConnected(seat.player, false, at: $0.anchor.frame(at: now)) }
    }
  }

  /// The connection sent more than it may; what was too much is gone already.
  func flooded(_ connection: StreamConnection) {
    guard let endpoint = streams[ObjectIdentifier(connection)] else { return }
    post.refuse(endpoint, .error(address: "/", reason: OSCEdge.floodText), at: time())
  }

  func lostFraming(_ connection: StreamConnection, _ error: FramingError) {
    end(connection, reason: error.description)
  }

  /// Closes a connection after it was told why.
  private func end(_ connection: StreamConnection, reason: String) {
    guard let endpoint = streams[ObjectIdentifier(connection)] else { return }
    post.refuse(endpoint, .error(address: "/", reason: reason), at: time())
    post.flush()
    connection.close(.policy)
  }

  private func endStuckConnections(at now: HostTime) {
    for case .stream(let connection) in streams.values.map(\.transport) {
      switch connection.stuck(at: now) {
      case nil: break
      case .mute: connection.close(.policy)
      case .inFrame(let bytes):
        counters.unfinished.wrappingAdd(1, ordering: .relaxed)
        let seconds = Int(StreamConnection.halfPacketMilliseconds / 1_000)
        let came = bytes == 1 ? "1 byte" : "\(bytes) bytes"
        end(
          connection,
          reason: "the frame that began \(seconds) s ago was not finished within \(seconds) s: \(came) of it came")
      }
    }
  }

  /// Players whose connection ended, and when they leave if they do not come back.
  var abandoned: [(seats: [Seat], leave: HostTime)] = []

  private func endpoint(at path: NetworkPath, socket: Int, now: HostTime) -> Endpoint? {
    // Bursts come from one peer: the look-up is spared.
    if let lastEndpoint, lastEndpoint.isReachedOnly(along: path, socket: socket) { return lastEndpoint }
    if let known = endpoints[path.peer] {
      known.isReached(along: path, socket: socket)
      lastEndpoint = known
      return known
    }
    let host = path.peer.host
    guard hasRoom(for: host, at: now) else {
      counters.flooded.wrappingAdd(1, ordering: .relaxed)
      return nil
    }
    let isAttached = isAttached(path.peer)
    let endpoint = Endpoint(
      origin: newOrigin(), transport: .datagram(socket: socket, path: path),
      proof: AddressProof(isAttached: isAttached, cookie: isAttached ? "" : Secrets.text(length: 11)), at: now)
    endpoints[path.peer] = endpoint
    endpointsOfHosts[host, default: 0] += 1
    origins[endpoint.origin] = endpoint
    counters.endpoints.store(endpoints.count, ordering: .relaxed)
    return endpoint
  }

  /// Whether the peer is on a network that this machine is plugged into.
  func isAttached(_ peer: SocketAddress) -> Bool { fixedIsAttached?(peer) ?? networks.contains(peer) }

  private func newOrigin() -> Origin {
    lastOrigin += 1
    return Origin(number: lastOrigin)
  }

  /// Whether one more sender of `host` can be kept. A host that changes its port with every packet crowds out only itself, and the
  /// search for those that fell silent is not made for every packet of a flood.
  private func hasRoom(for host: SocketAddress, at now: HostTime) -> Bool {
    func isFull() -> Bool {
      endpoints.count >= OSCEdge.mostEndpoints || endpointsOfHosts[host, default: 0] >= OSCEdge.mostEndpointsPerHost
    }
    guard isFull() else { return true }
    guard now >= nextForgetting else { return false }
    nextForgetting = now.advanced(byMilliseconds: 250)
    forgetIdle(olderThan: 2_000, at: now)
    return !isFull()
  }

  /// Nameless senders that fell silent are forgotten: each `oscsend` is a new one.
  private func forgetIdle(olderThan milliseconds: Double, at now: HostTime) {
    for (peer, endpoint) in endpoints
    where !endpoint.isNamed && now.milliseconds(since: endpoint.lastHeard) > milliseconds {
      endpoints[peer] = nil
      origins[endpoint.origin] = nil
      let left = (endpointsOfHosts[peer.host] ?? 1) - 1
      endpointsOfHosts[peer.host] = left > 0 ? left : nil
    }
    lastEndpoint = nil
    counters.endpoints.store(endpoints.count, ordering: .relaxed)
  }

  // MARK: The clock

  var deadline: HostTime {
    // Feedback that a room has just told goes out in the same turn.
    if post.isWaiting { return HostTime(nanoseconds: 0) }
    var next = nextHousekeeping
    for subscriber in subscribers.values { if let deadline = subscriber.deadline { next = min(next, deadline) } }
    for origin in waitingForOrder {
      if let deadline = origins[origin]?.sequence.deadline { next = min(next, deadline) }
    }
    return next
  }

  func turn(at now: HostTime) {
    for origin in waitingForOrder {
      guard let endpoint = origins[origin] else {
        waitingForOrder.remove(origin)
        continue
      }
      for packet in endpoint.sequence.expire(at: now) { act(on: packet, from: endpoint) }
      if endpoint.sequence.deadline == nil { waitingForOrder.remove(origin) }
    }
    flushValues(at: now)
    if now >= nextHousekeeping {
      nextHousekeeping = now.advanced(byMilliseconds: 500)
      keepHouse(at: now)
    }
    post.flush()
  }

  private func keepHouse(at now: HostTime) {
    forgetIdle(olderThan: 60_000, at: now)
    endStuckConnections(at: now)
    expireLeases(at: now)
    guard now >= nextLookAtNetworks else { return }
    nextLookAtNetworks = now.advanced(byMilliseconds: OSCEdge.networksEveryMilliseconds)
    if let fresh = try? AttachedNetworks.current() { networks = fresh }
  }
}

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
  let registry: RoomRegistry
  let outbox: Outbox
  let counters: OSCCounters
  let clock: ServerClock
  let limits: Limits
  let log: any ServerLog
  /// CLOCK_MONOTONIC, or a test's own. Thread: any.
  let time: () -> HostTime
  /// Looked at again on another thread. Thread: any.
  let networks: PluggedNetworks

  // Unchecked exclusivity where every hit passes: all of it is confined to one thread, and none of it calls back into itself.
  @exclusivity(unchecked) var endpoints: [SocketAddress: Endpoint] = [:]
  var streams: [ObjectIdentifier: Endpoint] = [:]
  var origins: [Origin: Endpoint] = [:]
  @exclusivity(unchecked) var subscribers: [SubscriberKey: Subscriber] = [:] { didSet { audiences = nil } }
  /// The subscribers of each room; nil until somebody is told something again.
  @exclusivity(unchecked) private var audiences: [ObjectIdentifier: [Subscriber]]?
  let membershipIndex = MembershipIndex()
  /// The port that a host asked for, so that its nameless senders are answered there.
  var portsOfHosts: [SocketAddress: UInt16] = [:]
  /// Hosts whose programs were told that nothing is told to them; see `tellUnsubscribed`.
  var toldToSubscribe: Set<SocketAddress> = []
  var guests: [GuestKey: Guest] = [:]
  /// As of the last half second, and nil until `resume`. Thread: any.
  let keptSenders = Mutex<KeptSenders?>(nil)
  /// Who opened how many rooms.
  var openings = RoomOpenings()
  /// How many words may be tried, by whatever way; shared with the other edges.
  let guesses: GuessLimit<GuessSource>
  var heldWords: [HeldWord] = []
  @exclusivity(unchecked) var reader = CommandReader()
  @exclusivity(unchecked) private var packet = OSCPacket()
  let backlog: Backlog
  var sites: [SocketAddress: Site] = [:]
  var controls = ControlKinds()
  /// CPU time of the room's thread in nanoseconds, or a test's own.
  let work: () -> Int64
  /// When the backlog wants to be looked at next; nil while nothing waits.
  @exclusivity(unchecked) var nextWork: HostTime?
  /// When the first of the values that wait for their subscribers are to be told.
  @exclusivity(unchecked) var nextFlush: HostTime?
  /// More may wait in the sockets than was taken from them.
  var isBehind = false
  private(set) var nearNames = NearNames()
  private var lastOrigin: UInt64 = 0
  @exclusivity(unchecked) private var lastEndpoint: Endpoint?
  private var endpointsOfHosts: [SocketAddress: Int] = [:]
  private var arrivals = Arrivals()
  private var replacements: TokenBucket
  private var nextCleanUp: HostTime
  /// A test's word on how near addresses are.
  private let fixedNearness: ((SocketAddress) -> Nearness)?
  /// By host: what unproven addresses on attached networks may be sent.
  var sendCredits: [SocketAddress: SendCredit] = [:]

  static let mostEndpoints = 16_384
  static let mostEndpointsPerSite = 2_048
  /// How many newcomers a second get another's place: each costs some microseconds.
  private static let replacementsPerSecond = 10_000.0
  static let mostSubscribersPerHost = 32
  static let mostForgotten = 1_024
  static let mostConnectionsPerHost = 64
  static let mostConnections = 1_024
  /// In all, those of addresses that have not proven themselves.
  static let mostUnprovenSubscribers = 512
  /// How long an address that may be forged keeps a place where it was heard once.
  static let heardOnceMilliseconds: Double = 45_000
  /// How long whoever's connection ended may come back to its place.
  static let placeKeptMilliseconds: Double = 60_000

  struct SubscriberKey: Hashable {
    var peer: SocketAddress
    var stream: ObjectIdentifier?
  }

  /// Nameless senders of one address share a guest over UDP alone, where each message may come from
  /// another port. A connection has a guest of its own: behind a proxy, connections of one address
  /// are several people's, and one of them may be a host.
  struct GuestKey: Hashable {
    var host: SocketAddress
    var room: PlayerName
    /// The connection whose guest it is; nil over UDP.
    var connection: Origin?

    init(_ endpoint: Endpoint, in room: Room) {
      host = endpoint.host
      self.room = room.name
      connection = endpoint.transport.isStream ? endpoint.origin : nil
    }
  }

  struct Guest {
    var player: PlayerID
    var lastHeard: HostTime
  }

  init(
    registry: RoomRegistry, outbox: Outbox, counters: OSCCounters, clock: ServerClock, limits: Limits = .standard,
    guesses: GuessLimit<GuessSource> = GuessLimit(), log: any ServerLog = NoLog(),
    isAttached: ((SocketAddress) -> Bool)? = nil, nearness: ((SocketAddress) -> Nearness)? = nil,
    networks: PluggedNetworks = PluggedNetworks(), time: @escaping () -> HostTime = { .now },
    work: @escaping () -> Int64 = { ThreadTime.nanoseconds }
  ) {
    self.work = work
    backlog = Backlog(at: time())
    replacements = TokenBucket(
      perSecond: OSCEdge.replacementsPerSecond, burst: OSCEdge.replacementsPerSecond / 4, at: time())
    self.registry = registry
    self.outbox = outbox
    self.counters = counters
    self.clock = clock
    self.limits = limits
    self.log = log
    self.guesses = guesses
    self.time = time
    fixedNearness =
      nearness
      ?? isAttached.map { isAttached in
        { !isAttached($0) ? .elsewhere : $0.isLoopback ? .here : .attached }
      }
    self.networks = networks
    nextCleanUp = time()
  }

  deinit {
    for site in sites.values { site.end() }
  }

  // MARK: What comes in

  func received(_ datagram: Datagram, on socket: Int) {
    let now = datagram.arrival
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = endpoint(at: datagram.path, datagram.bytes, socket: socket, now: now) else { return }
    if !endpoint.proof.isProven { unproven(endpoint, sent: datagram.bytes.count, at: now) }
    if !portsOfHosts.isEmpty && endpoint.answerPort == nil { endpoint.portOfHost = portsOfHosts[endpoint.host] }
    guard !datagram.isTruncated else {
      let error = OSCError.tooLong(bytes: datagram.bytes.count + 1, limit: limits.datagramBytes)
      outbox.refuse(endpoint, SessionReply(error), at: now)
      return
    }
    received(datagram.bytes, from: endpoint, at: now)
  }

  func received(_ bytes: [UInt8], from connection: StreamConnection, at now: HostTime) {
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = streams[ObjectIdentifier(connection)] else { return }
    bytes.withUnsafeBytes { received($0, from: endpoint, at: now) }
  }

  /// Hits are carried out at once, everything else in its turn.
  private func received(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) {
    endpoint.lastHeard = now
    endpoint.site.lastHeard = now
    guard endpoint.messages.take(at: now) else {
      return drop(1, "/", .messages, of: endpoint, at: now)
    }
    if !endpoint.isNamed && !endpoint.isNumbered && endpoint.doubleSends.isRepetition(bytes, at: now) {
      counters.repeated.wrappingAdd(1, ordering: .relaxed)
      return
    }
    if endpoint.queue.isEmpty, endpoint.underWay.isEmpty, mayHit(endpoint, at: now) {
      if let hit = PlainHit.command(bytes) {
        charge(hits: 1, to: endpoint)
        counters.messages.wrappingAdd(1, ordering: .relaxed)
        return carryOut(hit, from: endpoint, at: now)
      }
      let hits = HitScan.hits(bytes)
      if hits > 0 {
        charge(hits: 3 * hits, to: endpoint)
        // Where the packet brings earlier ones with it, these may be anything: they take their turn.
        guard open(bytes, from: endpoint, at: now) < 2 else { return wakeUp(endpoint) }
        while carryOutPiece(of: endpoint) {}
        return
      }
    }
    if endpoint.unknown.contain(bytes, at: now) {
      counters.refused.wrappingAdd(1, ordering: .relaxed)
      return heard(from: endpoint, at: now)
    }
    wait(bytes, from: endpoint, at: now)
  }

  /// Reads a packet; what it says is carried out piece by piece.
  /// - Returns: how many packets came of it: none while it waits for earlier ones, several with those that waited for it.
  @discardableResult
  func open(_ bytes: UnsafeRawBufferPointer, from endpoint: Endpoint, at now: HostTime) -> Int {
    let limit = endpoint.transport.isStream ? limits.framedPacketBytes : limits.datagramBytes
    do throws(OSCError) {
      try packet.decode(bytes, limit: limit)
    } catch {
      outbox.refuse(endpoint, SessionReply(error), at: now)
      return 0
    }
    for refusal in packet.refusals { outbox.refuse(endpoint, SessionReply(refusal), at: now) }
    // A bundle may hold thousands: each message counts, the first is paid for by its packet.
    guard packet.elements.count < 2 || endpoint.messages.take(Double(packet.elements.count - 1), at: now) else {
      drop(packet.elements.count, "#bundle", .messages, of: endpoint, at: now)
      return 0
    }
    guard let number = packet.sequence else {
      // Whoever says it has begun anew, and so has its count.
      if endpoint.isNumbered, packet.elements.contains(where: { $0.message.address == "/hello" }) {
        endCount(of: endpoint)
      }
      endpoint.underWay.add(NumberedPacket(elements: packet.elements, arrival: now))
      return 1
    }
    endpoint.isNumbered = true
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    let ready = order(
      NumberedPacket(elements: packet.elements, arrival: now, number: number), number, hasher.finalize(),
      from: endpoint,
      at: now)
    if endpoint.sequence.deadline != nil { waitingForOrder.insert(endpoint.origin) }
    for packet in ready { endpoint.underWay.add(packet) }
    return ready.count
  }

  /// Endpoints whose packets wait for earlier ones.
  var waitingForOrder: Set<Origin> = []

  /// Carries out the next piece of what was read: a message, or one command of many that a pattern came to.
  /// - Returns: whether there was one.
  func carryOutPiece(of endpoint: Endpoint) -> Bool {
    if let command = endpoint.underWay.expansion?.commands.popFirst(), let expansion = endpoint.underWay.expansion {
      if expansion.commands.isEmpty { endpoint.underWay.expansion = nil }
      carryOut(
        command, expansion.addressed, expansion.piece.element.message.address, from: endpoint,
        at: expansion.piece.arrival, tag: expansion.tag, heard: expansion.piece.element.heard)
      return true
    }
    guard let piece = endpoint.underWay.popFirst() else { return false }
    act(on: piece, from: endpoint)
    return true
  }

  private func act(on piece: UnderWay.Piece, from endpoint: Endpoint) {
    let (element, arrival) = (piece.element, piece.arrival)
    counters.messages.wrappingAdd(1, ordering: .relaxed)
    if let reach = reader.reach(of: element.message.address), reach.count > 1,
      !mayExpand(element.message.address, to: reach.count, in: reach.room, from: endpoint, at: arrival)
    {
      return
    }
    do throws(WireError) {
      guard let addressed = try reader.read(element.message) else { return }
      let tag = element.timetag.isImmediate ? nil : clock.time(of: element.timetag)
      switch addressed.request {
      case .session(let request): settle(request, element.message, from: endpoint, at: arrival)
      case .command(let command):
        carryOut(
          command, addressed, element.message.address, from: endpoint, at: arrival, tag: tag, heard: element.heard)
      case .commands(let commands):
        endpoint.underWay.expansion = UnderWay.Expansion(
          piece: piece, addressed: addressed, tag: tag, commands: commands[...])
      }
    } catch {
      heard(from: endpoint, at: arrival)
      if case .unknownAddress(let address) = error { endpoint.unknown.note(address, at: arrival) }
      outbox.refuse(endpoint, nearNames.answer(error, at: arrival), at: arrival)
    }
  }

  /// Whether a command may be made of each match of a pattern: not of more than its sender may send, and of
  /// none where it may not come in.
  private func mayExpand(
    _ address: String, to count: Int, in room: PlayerName?, from endpoint: Endpoint, at arrival: HostTime
  ) -> Bool {
    guard endpoint.matches.take(Double(count), at: time()) else {
      drop(count, address, .matches, of: endpoint, at: arrival)
      return false
    }
    do throws(Refusal) {
      _ = try membership(of: endpoint, in: room, at: arrival)
      return true
    } catch {
      outbox.refuse(endpoint, SessionReply(error, address: address), at: arrival)
      return false
    }
  }

  /// Who subscribed what `room` tells.
  func subscribers(in room: Room) -> [Subscriber] {
    let all = audiences ?? Dictionary(grouping: subscribers.values) { ObjectIdentifier($0.room) }
    audiences = all
    return all[ObjectIdentifier(room)] ?? []
  }

  // MARK: Connections

  func opened(_ connection: StreamConnection, of caller: OSCCaller? = nil) {
    guard streams.values.count(where: { $0.host == connection.peer.host }) < OSCEdge.mostConnectionsPerHost,
      streams.count < OSCEdge.mostConnections || endIdlest(at: time())
    else {
      counters.refusedConnections.wrappingAdd(1, ordering: .relaxed)
      return connection.close(.tryAgainLater)
    }
    let now = time()
    let endpoint = Endpoint(
      origin: newOrigin(), transport: .stream(connection), proof: .ofStream,
      site: site(of: connection.peer, at: now), membershipIndex: membershipIndex, at: now)
    endpoint.home = caller?.room
    if let password = caller?.password { endpoint.passwords.insert(password) }
    streams[ObjectIdentifier(connection)] = endpoint
    origins[endpoint.origin] = endpoint
    counters.connections.wrappingAdd(1, ordering: .relaxed)
  }

  func closed(_ connection: StreamConnection) {
    guard let endpoint = streams[ObjectIdentifier(connection)] else { return }
    // What it sent before its end is carried out.
    endCount(of: endpoint)
    guard endpoint.queue.isEmpty, endpoint.underWay.isEmpty else {
      endpoint.isClosed = true
      return wakeUp(endpoint)
    }
    streams[ObjectIdentifier(connection)] = nil
    counters.connections.wrappingSubtract(1, ordering: .relaxed)
    unsubscribe(endpoint)
    origins[endpoint.origin] = nil
    let now = time()
    // No token resumes the connection's guest, so it leaves with the connection.
    for membership in endpoint.memberships
    where guests[GuestKey(endpoint, in: membership.room)]?.player == membership.player {
      leave(membership, at: now)
    }
    let held = endpoint.memberships
    let memberships = endpoint.memberships.filter { !isElsewhere($0, than: endpoint, at: now) }
    leaves(endpoint)
    for membership in held { notePresence(in: membership) }
    guard endpoint.isNamed else { return }
    // The player may come back by its token; until its lease is over it keeps its place.
    guard !memberships.isEmpty else { return }
    abandoned.append((memberships, now.advanced(byMilliseconds: OSCEdge.placeKeptMilliseconds)))
    for membership in memberships {
      membership.room.assumeIsolated { $0.setConnected(membership.player, false, at: $0.anchor.frame(at: now)) }
    }
  }

  /// The connection sent more than it may; what was too much is gone already.
  func flooded(_ connection: StreamConnection) {
    guard let endpoint = streams[ObjectIdentifier(connection)] else { return }
    drop(0, "/", .messages, of: endpoint, at: time())
  }

  func lostFraming(_ connection: StreamConnection, _ error: FramingError) {
    end(connection, SessionReply(error))
  }

  /// Closes a connection after it was told why.
  func end(_ connection: StreamConnection, _ reason: SessionReply) {
    guard let endpoint = streams[ObjectIdentifier(connection)] else { return }
    endpoint.isEnding = true
    outbox.refuse(endpoint, reason, at: time())
    outbox.flush()
    connection.close(.policy)
  }

  private func endStuckConnections(at now: HostTime) {
    // Its end comes from another thread: until then it is told, and counted, once.
    for case .stream(let connection) in streams.values.filter({ !$0.isEnding }).map(\.transport) {
      switch connection.stuck(at: now) {
      case nil: break
      case .mute: connection.close(.policy)
      case .inFrame(let bytes):
        counters.unfinished.wrappingAdd(1, ordering: .relaxed)
        let seconds = Int(StreamConnection.halfPacketMilliseconds / 1_000)
        end(connection, SessionReply(.frameUnfinished(seconds: seconds, bytes: bytes), address: "/"))
      }
    }
  }

  /// Players whose connection ended, and when they leave if they do not come back.
  var abandoned: [(memberships: [Membership], leave: HostTime)] = []

  private func endpoint(
    at path: NetworkPath, _ bytes: UnsafeRawBufferPointer, socket: Int, now: HostTime
  ) -> Endpoint? {
    // Bursts come from one peer: the look-up is spared.
    if let lastEndpoint, lastEndpoint.isReachedOnly(along: path, socket: socket) { return lastEndpoint }
    if let known = endpoints[path.peer] {
      known.isReached(along: path, socket: socket)
      if known.isResumed { isHeardAgain(known, at: now) }
      lastEndpoint = known
      return known
    }
    guard makesRoom(for: path.peer, bytes, at: now) else {
      counters.flooded.wrappingAdd(1, ordering: .relaxed)
      return nil
    }
    return newEndpoint(along: path, socket: socket, at: now)
  }

  func newEndpoint(along path: NetworkPath, socket: Int, at now: HostTime) -> Endpoint {
    let endpoint = Endpoint(
      origin: newOrigin(), transport: .datagram(socket: socket, path: path), proof: proof(of: path.peer, at: now),
      site: site(of: path.peer, at: now), membershipIndex: membershipIndex, at: now)
    endpoints[path.peer] = endpoint
    endpointsOfHosts[path.peer.host, default: 0] += 1
    arrivals.add(endpoint, known: endpoints.count)
    endpoint.site.arrivals.add(endpoint, known: endpoint.site.senders)
    origins[endpoint.origin] = endpoint
    counters.endpoints.store(endpoints.count, ordering: .relaxed)
    return endpoint
  }

  /// How near the peer is.
  func nearness(_ peer: SocketAddress) -> Nearness {
    if let fixedNearness { return fixedNearness(peer) }
    if peer.isLoopback { return .here }
    return networks.contains(peer) ? .attached : .elsewhere
  }

  /// Whether the peer is on a network that this machine is plugged into.
  func isAttached(_ peer: SocketAddress) -> Bool { nearness(peer) != .elsewhere }

  private func newOrigin() -> Origin {
    lastOrigin += 1
    return Origin(number: lastOrigin)
  }

  /// Whether one more sender can be kept; where all places are taken, the one that came first and has no name
  /// goes. A site that changes its port with every packet crowds out only itself.
  private func makesRoom(for peer: SocketAddress, _ bytes: UnsafeRawBufferPointer, at now: HostTime) -> Bool {
    let site = sites[peer.site]
    let isSiteFull = (site?.senders ?? 0) >= OSCEdge.mostEndpointsPerSite
    guard isSiteFull || endpoints.count >= OSCEdge.mostEndpoints else { return true }
    // Garbage takes nobody's place.
    guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "#"),
      replacements.take(at: now),
      let gone = isSiteFull ? site?.arrivals.popOldest() : arrivals.popOldest()
    else { return false }
    forget(gone)
    lastEndpoint = nil
    return true
  }

  private func forget(_ endpoint: Endpoint) {
    let peer = endpoint.transport.peer
    endpoints[peer] = nil
    endpoint.isForgotten = true
    leaves(endpoint)
    origins[endpoint.origin] = nil
    let left = (endpointsOfHosts[peer.host] ?? 1) - 1
    endpointsOfHosts[peer.host] = left > 0 ? left : nil
    // Of forged senders each is a site of its own.
    let site = endpoint.site
    if site.senders == 0, sites.count > 2 * OSCEdge.mostEndpoints { forget(site) }
  }

  /// Nameless senders that fell silent are forgotten: each `oscsend` is a new one.
  private func forgetIdle(olderThan milliseconds: Double, at now: HostTime) {
    let idle = endpoints.lazy.filter { _, endpoint in
      !endpoint.isNamed && !endpoint.isWaiting && now.milliseconds(since: endpoint.lastHeard) > milliseconds
    }
    // A bounded number at once: everybody's hits wait meanwhile.
    for (_, endpoint) in Array(idle.prefix(OSCEdge.mostForgotten)) { forget(endpoint) }
    lastEndpoint = nil
    counters.endpoints.store(endpoints.count, ordering: .relaxed)
  }

  /// Hosts that nobody is heard from, and that nothing is told to, have no credit any more.
  func forgetSendCredits() {
    guard !sendCredits.isEmpty else { return }
    let told = Set(subscribers.keys.map(\.peer.host))
    sendCredits = sendCredits.filter { endpointsOfHosts[$0.key] != nil || told.contains($0.key) }
  }

  // MARK: The clock

  var deadline: HostTime {
    // Feedback that a room has just told goes out in the same turn.
    if outbox.isWaiting { return HostTime(nanoseconds: 0) }
    var next = nextCleanUp
    if let nextWork { next = min(next, nextWork) }
    if let nextFlush { next = min(next, nextFlush) }
    for held in heldWords { next = min(next, held.due) }
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
      let losses = endpoint.sequence.losses
      for packet in inOrder(endpoint.sequence.expire(at: now), of: endpoint, at: now) { endpoint.underWay.add(packet) }
      counters.lost.wrappingAdd(endpoint.sequence.losses - losses, ordering: .relaxed)
      if !endpoint.underWay.isEmpty { wakeUp(endpoint) }
      if endpoint.sequence.deadline == nil { waitingForOrder.remove(origin) }
    }
    lookAtHeldWords(at: now)
    workOff(at: now)
    flushValues(at: now)
    if now >= nextCleanUp {
      nextCleanUp = now.advanced(byMilliseconds: 500)
      cleanUp(at: now)
    }
    outbox.flush()
  }

  private func cleanUp(at now: HostTime) {
    forgetIdle(olderThan: 60_000, at: now)
    endStuckConnections(at: now)
    forgetSites(at: now)
    expireLeases(at: now)
    forgetSendCredits()
    noteSenders(at: now)
  }
}

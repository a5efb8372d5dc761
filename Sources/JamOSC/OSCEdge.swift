internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// The OSC edge: identifies senders, reads their packets, and sends their answers and feedback.
///
/// Thread: the room thread, except for `counters`.
final class OSCEdge: RoomThreadClient, @unchecked Sendable {
  // Unchecked: confined to the room thread.
  let registry: RoomRegistry
  let outbox: Outbox
  let feedback: Feedback
  let proofs: AddressProofs
  let counters: OSCCounters
  let clock: ServerClock
  let limits: Limits
  let log: any ServerLog
  /// CLOCK_MONOTONIC, or a test's own clock. Thread: any.
  let time: () -> HostTime

  // Unchecked exclusivity on the path of every hit: one thread uses these properties, and none of
  // their users calls back into itself.
  let origins = OriginIndex()
  let membershipIndex = MembershipIndex()
  let table: SenderTable
  var guests: [GuestKey: Guest] = [:]
  /// Up to half a second old, and nil until `resume`. Thread: any.
  let keptSenders = Mutex<KeptSenders?>(nil)
  /// The number of rooms that each address opened.
  var openings = RoomOpenings()
  /// The limit on tried words. All edges share it.
  let guesses: GuessLimit<GuessSource>
  var heldWords: [HeldWord] = []
  @exclusivity(unchecked) var reader = CommandReader()
  @exclusivity(unchecked) private var packet = OSCPacket()
  let backlog: Backlog
  var controls = ControlKinds()
  /// CPU time of the room thread in nanoseconds, or a test's own.
  let work: () -> Int64
  /// When the backlog needs its next turn; nil while no packet waits.
  @exclusivity(unchecked) var nextWork: HostTime?
  /// When it is tried again to hand over messages that the sending thread was too busy for.
  private var nextHandover = HostTime(nanoseconds: 0)
  /// Whether the sockets may hold more packets than were read.
  var isBehind = false
  private(set) var nearNames = NearNames()
  private var nextCleanUp: HostTime

  static let mostConnectionsPerHost = 64
  static let mostConnections = 1_024
  /// How long an unproven address keeps a place when it was heard only once.
  static let heardOnceMilliseconds: Double = 45_000
  /// How long a player whose connection ended may come back to its place.
  static let placeKeptMilliseconds: Double = 60_000

  /// Nameless senders of one address share a guest only over UDP, where each message may come from
  /// another port. Each connection has a guest of its own: behind a proxy, several people's
  /// connections have one address, and one of these people may be a host.
  struct GuestKey: Hashable {
    var host: SocketAddress
    var room: PlayerName
    /// The connection to which the guest belongs; nil over UDP.
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
    self.registry = registry
    self.outbox = outbox
    feedback = Feedback(outbox: outbox, counters: counters, clock: clock, origins: origins)
    self.counters = counters
    self.clock = clock
    self.limits = limits
    self.log = log
    self.guesses = guesses
    self.time = time
    proofs = AddressProofs(
      networks: networks,
      nearness: nearness
        ?? isAttached.map { isAttached in
          { !isAttached($0) ? .elsewhere : $0.isLoopback ? .here : .attached }
        })
    table = SenderTable(
      origins: origins, membershipIndex: membershipIndex, proofs: proofs, backlog: backlog, counters: counters,
      at: time())
    nextCleanUp = time()
  }

  // MARK: Incoming packets

  func received(_ datagram: Datagram, on socket: Int) {
    let now = datagram.arrival
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = table.endpoint(at: datagram.path, datagram.bytes, socket: socket, now: now) else { return }
    if endpoint.isResumed { isHeardAgain(endpoint, at: now) }
    if !endpoint.proof.isProven { unproven(endpoint, sent: datagram.bytes.count, at: now) }
    if !feedback.portsOfHosts.isEmpty && endpoint.answerPort == nil {
      endpoint.portOfHost = feedback.portsOfHosts[endpoint.host]
    }
    guard !datagram.isTruncated else {
      let error = OSCError.tooLong(bytes: datagram.bytes.count + 1, limit: limits.datagramBytes)
      outbox.refuse(endpoint, SessionReply(error), at: now)
      return
    }
    received(datagram.bytes, from: endpoint, at: now)
  }

  func received(_ bytes: [UInt8], from connection: StreamConnection, at now: HostTime) {
    counters.packets.wrappingAdd(1, ordering: .relaxed)
    guard let endpoint = table.endpoint(of: connection) else { return }
    bytes.withUnsafeBytes { received($0, from: endpoint, at: now) }
  }

  /// Hits are carried out at once, all other packets in their turn.
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
        // The packet may release earlier packets that are not hits. Those take their turn.
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

  /// Reads a packet. Its messages are carried out piece by piece.
  /// - Returns: the number of packets that are ready: none while the packet waits for earlier ones,
  ///   and several if others waited for it.
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
    // A bundle may hold thousands of messages. Each message counts; the packet has already paid for
    // the first one.
    guard packet.elements.count < 2 || endpoint.messages.take(Double(packet.elements.count - 1), at: now) else {
      drop(packet.elements.count, "#bundle", .messages, of: endpoint, at: now)
      return 0
    }
    guard let number = packet.sequence else {
      // A sender that says `/hello` has restarted, and so has its count.
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

  /// Endpoints with packets that wait for earlier ones.
  var waitingForOrder: Set<Origin> = []

  /// Carries out the next piece of the packets that were read: a message, or one of a pattern's
  /// commands.
  /// - Returns: whether there was a piece.
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

  /// Whether a pattern may become a command for each match. It may not have more matches than its
  /// sender may send, and its sender must be admitted to the room.
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

  // MARK: Connections

  func opened(_ connection: StreamConnection, of caller: OSCCaller? = nil) {
    guard table.streams.values.count(where: { $0.host == connection.peer.host }) < OSCEdge.mostConnectionsPerHost,
      table.streams.count < OSCEdge.mostConnections || endIdlest(at: time())
    else {
      counters.refusedConnections.wrappingAdd(1, ordering: .relaxed)
      return connection.close(.tryAgainLater)
    }
    let endpoint = table.add(connection, at: time())
    endpoint.home = caller?.room
    if let password = caller?.password { endpoint.passwords.insert(password) }
  }

  func closed(_ connection: StreamConnection) {
    guard let endpoint = table.endpoint(of: connection) else { return }
    // The packets that the peer sent before the end are still carried out.
    endCount(of: endpoint)
    guard endpoint.queue.isEmpty, endpoint.underWay.isEmpty else {
      endpoint.isClosed = true
      return wakeUp(endpoint)
    }
    feedback.unsubscribe(endpoint)
    let now = time()
    // No token can resume the connection's guest, so the guest leaves with the connection.
    for membership in endpoint.memberships
    where guests[GuestKey(endpoint, in: membership.room)]?.player == membership.player {
      leave(membership, at: now)
    }
    let held = endpoint.memberships
    let memberships = endpoint.memberships.filter { !isElsewhere($0, than: endpoint, at: now) }
    table.remove(connection)
    for membership in held { notePresence(in: membership) }
    guard endpoint.isNamed else { return }
    // The player may return with its token. It keeps its place for a while.
    guard !memberships.isEmpty else { return }
    abandoned.append((memberships, now.advanced(byMilliseconds: OSCEdge.placeKeptMilliseconds)))
    for membership in memberships {
      membership.room.assumeIsolated { $0.setConnected(membership.player, false, at: $0.anchor.frame(at: now)) }
    }
  }

  /// Handles a connection that sent more than it may. Its surplus packets are already dropped.
  func flooded(_ connection: StreamConnection) {
    guard let endpoint = table.endpoint(of: connection) else { return }
    drop(0, "/", .messages, of: endpoint, at: time())
  }

  func lostFraming(_ connection: StreamConnection, _ error: FramingError) {
    end(connection, SessionReply(error))
  }

  /// Tells a connection the reason, then closes it.
  func end(_ connection: StreamConnection, _ reason: SessionReply) {
    guard let endpoint = table.endpoint(of: connection) else { return }
    endpoint.isEnding = true
    outbox.refuse(endpoint, reason, at: time())
    outbox.close(connection, .policy)
  }

  private func endStuckConnections(at now: HostTime) {
    // The end of a connection arrives from another thread. Until then the connection is told and
    // counted only once.
    for case .stream(let connection) in table.streams.values.filter({ !$0.isEnding }).map(\.transport) {
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

  /// Players whose connection ended, and the time at which they leave if they do not return.
  var abandoned: [(memberships: [Membership], leave: HostTime)] = []

  // MARK: The clock

  var deadline: HostTime {
    // Feedback that a room has just produced is sent in the same turn.
    if outbox.isWaiting, !outbox.isHeldUp { return HostTime(nanoseconds: 0) }
    var next = nextCleanUp
    if outbox.isHeldUp { next = min(next, nextHandover) }
    if let nextWork { next = min(next, nextWork) }
    if let deadline = feedback.deadline { next = min(next, deadline) }
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
    feedback.flush(at: now)
    if now >= nextCleanUp {
      nextCleanUp = now.advanced(byMilliseconds: 500)
      cleanUp(at: now)
    }
    outbox.flush()
    nextHandover = now.advanced(byMilliseconds: 1)
  }

  private func cleanUp(at now: HostTime) {
    table.forgetIdle(olderThan: 60_000, at: now)
    endStuckConnections(at: now)
    table.forgetSites(at: now)
    expireLeases(at: now)
    let told = Set(feedback.subscribers.keys.map(\.peer.host))
    proofs.forgetSendCredits { !table.knows(host: $0) && !told.contains($0) }
    noteSenders(at: now)
  }
}

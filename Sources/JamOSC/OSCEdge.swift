internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire
internal import Synchronization

/// The OSC edge: identifies senders, reads their packets, and sends their answers and feedback.
///
/// It joins the parts: `SenderTable` and `AddressProofs` know the senders, `Backlog` chooses the
/// next turn, `Guests` and `AwayPlayers` keep places, `Subscriptions` tells. The extensions carry packets
/// from one to the next.
/// Thread: the room thread, except for `counters`.
final class OSCEdge: RoomThreadClient, @unchecked Sendable {
  // Unchecked: confined to the room thread.
  let registry: RoomRegistry
  let counters: OSCCounters
  let clock: ServerClock
  /// The wall clock, for timetags of senders that never ping.
  @exclusivity(unchecked) var wallWatch: WallClockWatch
  /// Reads CLOCK_MONOTONIC and the wall clock; nil where nobody sets a clock.
  private let bothClocks: (() -> (time: HostTime, wallNanoseconds: Int64))?
  let limits: Limits
  let log: any ServerLog
  /// CLOCK_MONOTONIC, or a test's own clock. Thread: any.
  let time: () -> HostTime

  // Senders, and the proof of their addresses.
  let origins = OriginIndex()
  let membershipIndex = MembershipIndex()
  let proofs: AddressProofs
  let table: SenderTable

  // Packets, and the work that they ask for. Unchecked exclusivity on the path of every hit: one
  // thread uses these properties, and none of their users calls back into itself.
  @exclusivity(unchecked) var reader = CommandReader()
  @exclusivity(unchecked) var packet = OSCPacket()
  let backlog: Backlog
  var controls = ControlKinds()
  var nearNames = NearNames()
  /// Endpoints with packets that wait for earlier ones.
  var waitingForOrder: Set<Origin> = []
  /// CPU time of the room thread in nanoseconds, or a test's own.
  let work: () -> Int64
  /// When the backlog needs its next turn; nil while no packet waits.
  @exclusivity(unchecked) var nextWork: HostTime?
  /// Whether the sockets may hold more packets than were read.
  var isBehind = false

  // Players and rooms.
  var guests = Guests()
  var away = AwayPlayers()
  /// The number of rooms that each address opened.
  var openings = RoomOpenings()
  /// The limit on tried words. All edges share it.
  let guesses: GuessLimit<GuessSource>
  var heldWords: [HeldWord] = []
  /// Up to half a second old, and nil until `resume`. Thread: any.
  let keptSenders = Mutex<KeptSenders?>(nil)

  /// Controllers that announce themselves.
  let controllers: ControllerLinks

  // Answers and feedback.
  let outbox: OutgoingPackets
  let feedback: Subscriptions
  /// When it is tried again to hand over messages that the sending thread was too busy for.
  private var nextHandover = HostTime(nanoseconds: 0)

  private var nextCleanUp: HostTime

  static let mostConnectionsPerHost = 64
  static let mostConnections = 1_024
  /// How long an unproven address keeps a place when it was heard only once.
  static let heardOnceMilliseconds: Double = 45_000

  init(
    registry: RoomRegistry, outbox: OutgoingPackets, counters: OSCCounters, clock: ServerClock,
    limits: Limits = .standard,
    guesses: GuessLimit<GuessSource> = GuessLimit(), log: any ServerLog = NoLog(),
    isAttached: ((SocketAddress) -> Bool)? = nil, nearness: ((SocketAddress) -> Nearness)? = nil,
    networks: PluggedNetworks = PluggedNetworks(), time: @escaping () -> HostTime = { .now },
    work: @escaping () -> Int64 = { ThreadTime.nanoseconds },
    bothClocks: (() -> (time: HostTime, wallNanoseconds: Int64))? = nil
  ) {
    self.bothClocks = bothClocks
    wallWatch = WallClockWatch(clock)
    self.work = work
    backlog = Backlog(at: time())
    self.registry = registry
    self.outbox = outbox
    feedback = Subscriptions(outbox: outbox, counters: counters, clock: clock, origins: origins)
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
    controllers = ControllerLinks(proofs: proofs)
    table = SenderTable(
      origins: origins, membershipIndex: membershipIndex, proofs: proofs, backlog: backlog, counters: counters,
      at: time())
    nextCleanUp = time()
    outbox.monitor.main = registry.main
  }

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
    moveSilentLights(at: now)
    lookAtControllers(at: now)
    let told = Set(feedback.subscribers.keys.map(\.peer.host))
    proofs.forgetSendCredits { !table.knows(host: $0) && !told.contains($0) }
    noteSenders(at: now)
    outbox.lookAtRefusals(at: now)
    if feedback.isWatched { outbox.lookAtMonitors() }
    lookAtWallClock()
  }

  private func lookAtWallClock() {
    guard let (now, wall) = bothClocks?(), let step = wallWatch.look(at: now, wallNanoseconds: wall) else { return }
    let report = wallWatch.report
    counters.clock.withLock { $0 = report }
    log.write(.clockStepped, ["seconds": .number(step.seconds), "ahead": .number(report.aheadSeconds)])
  }

  /// The clock for the timetags of an endpoint.
  func tagClock(of endpoint: Endpoint) -> TimetagClock { wallWatch.clock(hasPinged: endpoint.hasPinged) }
}

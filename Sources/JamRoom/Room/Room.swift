public import JamCore
public import JamEngine
internal import JamKit
public import JamRealtime

/// One room: the only writer of its state, between the edges and its engine.
///
/// Its executor is a `RoomThread`; edges on that thread call it without a hop, by `assumeIsolated`.
public actor Room: RoomThreadClient {
  public nonisolated let name: PlayerName
  public nonisolated let thread: RoomThread
  public nonisolated let anchor: ClockAnchor
  public nonisolated let engine: EngineOwner
  public nonisolated let tape: MixTape
  /// Nil lets anybody in.
  public nonisolated let password: String?
  public nonisolated let snapshots: RoomSnapshots
  /// The access to players' cues.
  public nonisolated let cueAccess = CueAccess()

  private let carrier: EffectCarrier
  /// The frames of beats, now and since long before.
  var clock: TempoMap { carrier.state.clock.map }
  let kitStore: KitStore
  private let journal: (any RoomJournal)?
  /// Nil where nothing is kept.
  let takes: (any TakeStore)?
  /// Finds what there is; nil where nothing is found.
  let library: (any LibraryStore)?
  /// Nil where nothing is kept.
  let projects: (any ProjectStore)?
  /// The time of the project's last keeping, and whether the room has changed since.
  private var projectKept = Frames.zero
  private var hasUnkeptMusic = false
  @exclusivity(unchecked) private var outlets: [any RoomOutlet] = []
  private var nextMeters = Frames.zero
  /// The time since when nobody is here, and that time as of the last rest.
  var emptySince: Frames?
  var restedSince: Frames?
  /// The kept room, until it begins.
  private var kept: KeptRoom?
  private var keeper: RoomKeeper?
  /// Grabs whose last frames are not on the tape yet.
  var waitingGrabs: [GrabOrder] = []

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - parts: the engine with its rings and tape; not pulled yet.
  ///   - kitStore: where kits come from.
  ///   - kept: the room to restore.
  ///   - keep: gets the changed room; it must not wait.
  public init(
    state: RoomState, parts: EngineParts, thread: RoomThread, anchor: ClockAnchor, kitStore: KitStore,
    password: String? = nil, journal: (any RoomJournal)? = nil, recorder: (any SoundRecorder)? = nil,
    kept: KeptRoom? = nil, projects: (any ProjectStore)? = nil, takes: (any TakeStore)? = nil,
    library: (any LibraryStore)? = nil,
    keep: (@Sendable (RoomImage) -> Void)? = nil
  ) {
    self.projects = projects
    self.takes = takes
    self.library = library
    self.kept = kept
    keeper = keep.map { RoomKeeper($0) }
    name = state.name
    self.recorder = recorder
    self.thread = thread
    self.anchor = anchor
    self.password = password
    self.kitStore = kitStore
    self.journal = journal
    engine = parts.engine
    tape = parts.tape.tape
    self.parts = parts
    history = EngineHistory(limits: state.limits)
    carrier = EffectCarrier(state, to: parts, history: history)
    snapshots = RoomSnapshots(name: state.name.text)
  }

  let history: EngineHistory
  /// Nil where the server has no input.
  let recorder: (any SoundRecorder)?

  // Keeps the rings' and the tape's memory.
  private let parts: EngineParts

  /// Whether `password` lets anybody in. It takes as long for a wrong one as for the right one.
  public nonisolated func admits(password given: String?) -> Bool {
    guard let password else { return true }
    guard let given else { return false }
    return Secrets.equal(given, password)
  }

  /// Carries events to one more edge from now on.
  public func add(_ outlet: any RoomOutlet) { outlets.append(outlet) }

  /// Carries events to the edge no more.
  public func remove(_ outlet: any RoomOutlet) { outlets.removeAll { $0 === outlet } }

  /// Tells nobody any more: a room and its outlets hold each other until then.
  public func dismissOutlets() { outlets.removeAll() }

  /// The room's use by players and watchers. Listeners are known elsewhere.
  public enum Use: Sendable {
    case inUse
    /// Nobody is here, but a loop that somebody left plays on.
    case loops
    case empty
  }

  public var use: Use {
    guard carrier.state.roster.isDeserted, !outlets.contains(where: { $0.isWatching(self) }) else { return .inUse }
    return carrier.state.roster.occupied.isEmpty ? .empty : .loops
  }

  /// The room ends: nobody is told anything any more, and unfinished work for it is dropped. Its
  /// engine must not be pulled from then on.
  public func close() {
    keeper?.close(carrier.state, at: now)
    keepProject()
    projects?.plays(OpenProject(), in: name)
    library?.closed(name)
    kitStore.unwatch(for: self)
    for outlet in outlets { outlet.closed(self) }
    outlets.removeAll()
  }

  /// Whether the room is kept: everybody in it is told.
  public func journalIs(_ report: JournalReport) { change { state, _ in state.journalIs(report) } }

  /// The room is handed on as it is now, whether anything has changed or not.
  public func keepNow() { keeper?.keep(carrier.state, at: now) }

  /// The process ends: the room is kept as it is now, and what its end does to it is not.
  public func endKeeping() {
    keeper?.keep(carrier.state, at: now)
    keepProject()
    keeper = nil
  }

  /// The engine gets its first clock. Call it once, before the engine is pulled.
  public func begin() {
    // Its news come after this function, so nothing is missed. By identity: a weak reference makes
    // each use dearer, and every hit uses the room.
    kitStore.watch(for: self) { [thread, identity = ObjectIdentifier(self)] news in
      thread.submit {
        guard let room = thread.client(identity) as? Room else { return }
        room.assumeIsolated { $0.heard(news) }
      }
    }
    carrier.state.library.keptSounds = kitStore.kept(of: name)?.map { ListedSound($0) }
    for kit in kitStore.kits where !kitStore.isThere(kit.id) {
      carrier.state.library.kitMarks.delete(kit.id)
    }
    for kit in kitStore.takenKits { _ = carrier.state.library.list(kit: kit, asTaken: true) }
    carrier.state.begin()
    if keeper != nil { carrier.state.journalIs(JournalReport(.kept)) }
    if let kept { carrier.state.comeBack(kept) }
    cueAccess.note(carrier.state.roster.door)
    kept = nil
    projects?.plays(carrier.state.session.project, in: name)
    carryOut(cause: .none)
    keeper?.note(at: now)
    for kit in kitStore.kits { kitAdded(kit) }
    loadBlocks()
  }

  private func heard(_ news: KitNews) {
    switch news {
    case .added(let kit): kitAdded(kit)
    case .gone(let kit): change { state, _ in state.kitGone(kit) }
    case .taken(let kit, let isTaken):
      change { state, _ in
        let event = state.library.list(kit: kit, asTaken: isTaken)
        if let event { state.outbox.append(.tell(event, .everybody)) }
      }
    }
  }

  private func kitAdded(_ kit: Kit) {
    carrier.state.kitAdded(kit)
    carryOut(cause: .none)
  }

  // MARK: Commands

  /// As `assumeIsolated`, which asks the runtime for the thread and takes a tenth of a microsecond
  /// for it: every turn passes here.
  ///
  /// Thread: the room's. From any other it ends the process.
  nonisolated func onThread<Answer>(_ body: (isolated Room) -> Answer) -> Answer {
    requireThread()
    // An isolated closure is called as any other: the library's own function does the same.
    return withoutActuallyEscaping(body) { unsafeBitCast($0, to: ((Room) -> Answer).self)(self) }
  }

  private nonisolated func requireThread() {
    precondition(thread.isCurrent, "this belongs to the room's thread")
  }

  /// As `receive`, for who is on the room's thread already. Every hit passes here: `onThread` would
  /// allocate a closure for each.
  ///
  /// Thread: the room's. From any other it ends the process.
  public nonisolated func receiveOnThread(
    _ command: Command, from player: PlayerID, at moment: Moment, origin: Origin, hasRights: Bool = true
  ) {
    requireThread()
    Room.received(self, command, player, moment, origin, hasRights)
  }

  /// See `onThread`: made once, so that a call makes nothing.
  private static let received = unsafeBitCast(
    { $0.receive($1, from: $2, at: $3, origin: $4, hasRights: $5) }
      as @Sendable (isolated Room, Command, PlayerID, Moment, Origin, Bool) -> Void,
    to: (@Sendable (Room, Command, PlayerID, Moment, Origin, Bool) -> Void).self)

  /// Carries out one command.
  /// - Parameters:
  ///   - moment: when it arrived and when it is meant, on the room's frame clock.
  ///   - origin: the connection that answers go to.
  ///   - hasRights: the command may be a host's: false from an address that may be forged.
  public func receive(
    _ command: Command, from player: PlayerID, at moment: Moment, origin: Origin, hasRights: Bool = true
  ) {
    // The stream that it is about may have been opened a moment ago.
    if command.asksForCue { lookAtStreams() }
    // Almost always: a hit asks nothing more.
    if hasRights {
      carrier.state.step(command, by: player, at: moment, origin: origin)
    } else {
      carrier.state.withRights(false, player) {
        $0.step(command, by: player, at: moment, origin: origin)
      }
    }
    carryOut(cause: Cause(origin, of: command))
  }

  /// Commands that waited for their timetag: each is told by its kind, to its sender.
  private func carryOutScheduled(at now: Frames) {
    // So many in a turn: the rest stays due, and the sockets are looked at in between.
    var work = 0
    while work < Room.mostScheduledOfTurn, let next = carrier.state.takeScheduled(at: now) {
      work += next.command.isHit ? 1 : Room.workOfScheduled
      carrier.state.carryOut(next)
      carryOut(cause: Cause(next.origin, of: next.command))
    }
  }

  /// In hits.
  private static let mostScheduledOfTurn = 32
  /// A list, or an undo, takes as long as some hits.
  private static let workOfScheduled = 8

  /// Lets a player in, where need be in the place of one who has been silent.
  public func join(
    _ name: PlayerName, token: String, isGuest: Bool, isHost: Bool, from visitor: Visitor = .server,
    at arrival: Frames, origin: Origin
  ) throws(Refusal) -> PlayerID {
    if !isHost { try carrier.state.roster.requireWelcome(name, visitor, at: arrival) }
    carrier.state.yieldExpected(
      name, isGuest: isGuest, from: visitor, at: Moment(arrival: arrival))
    carryOut(cause: .none)
    if let silent = carrier.state.roster.whoMakesRoom(for: visitor, at: arrival) {
      let moment = Moment(arrival: arrival)
      if !carrier.state.leaveExpected(silent, at: moment) {
        carrier.state.step(.leave, by: silent, at: moment)
      }
      carryOut(cause: .none)
    }
    let id = try carrier.state.join(
      name, token: token, isGuest: isGuest, isHost: isHost, from: visitor, at: Moment(arrival: arrival))
    carrier.state.welcomeBack(at: arrival + RoomState.liveDelay)
    snapshots.touch()
    nextMeters = min(nextMeters, max(.zero, arrival))
    // First the door: nobody who waits counts as in for a moment.
    cueAccess.note(carrier.state.roster.door)
    if let player = carrier.state.roster.here(id) { cueAccess.note(player) }
    carryOut(cause: Cause(origin))
    return id
  }

  /// - Parameter visitor: who asks for the name.
  /// - Throws: a refusal if the name is kept out, or is a listener's by a host's word.
  public func rename(
    _ player: PlayerID, to name: PlayerName, from visitor: Visitor, at arrival: Frames
  ) throws(Refusal) {
    try carrier.state.roster.requireWelcome(player, as: name, visitor, at: arrival)
    guard carrier.state.roster.isHere(player) else { return }
    carrier.state.rename(player, to: name, at: Moment(arrival: arrival))
    snapshots.touch()
    if let player = carrier.state.roster.here(player) { cueAccess.note(player) }
    carryOut(cause: .none)
  }

  /// Whether the visitor may come in under the name. A refusal says why not.
  public func requireWelcome(_ name: PlayerName, _ visitor: Visitor, at arrival: Frames) throws(Refusal) {
    try carrier.state.roster.requireWelcome(name, visitor, at: arrival)
  }

  /// The player's connection comes from there, too.
  public func came(_ visitor: Visitor, as player: PlayerID) { carrier.state.roster.came(visitor, as: player) }

  /// The player shows a token that nobody here has. If a player who was in left it, the door is
  /// open for this one.
  public func show(_ visitor: Visitor, as player: PlayerID, at arrival: Frames) {
    carrier.state.show(visitor, as: player, at: Moment(arrival: arrival))
    carryOut(cause: .none)
  }

  /// Sets the kind of connection that the player has now.
  public func setPresence(_ presence: Presence, of player: PlayerID) {
    carrier.state.roster.setPresence(presence, of: player)
  }

  /// A guest says that it goes: its kit and settings are not kept.
  public func forgetGuest(_ player: PlayerID) { carrier.state.roster.forgetGuest(player) }

  /// Something came from the player: its holds stay.
  public func heard(from player: PlayerID, at arrival: Frames) {
    carrier.state.roster.noteMessage(of: player, at: arrival)
  }

  /// Whether anybody is connected as the player.
  public func setConnected(_ player: PlayerID, _ isConnected: Bool, at arrival: Frames) {
    if isConnected {
      carrier.state.roster.greet(player)
      carrier.state.connected(player)
      carrier.state.welcomeBack(at: arrival + RoomState.liveDelay)
      if let known = carrier.state.roster.here(player) { cueAccess.note(known) }
    } else {
      carrier.state.connectionEnded(of: player, at: Moment(arrival: arrival))
    }
    carryOut(cause: .none)
  }

  /// The player is no host any more, until it says the word.
  public func endHostRole(of player: PlayerID) {
    guard carrier.state.roster.isHere(player), carrier.state.roster.isHost(player) else { return }
    change { state, _ in state.give(.player, to: player) }
  }

  /// Whether the player is a host; without a copy of it.
  public func isHost(_ id: PlayerID) -> Bool { carrier.state.roster.isHost(id) }
  /// Whether the player may play: it is no listener, and does not wait at the door.
  public func requirePlaying(_ id: PlayerID) throws(Refusal) {
    try carrier.state.roster.requirePlaying(id)
  }
  public func player(token: String) -> PlayerID? { carrier.state.roster.player(token: token) }
  public func player(named name: PlayerName) -> PlayerID? { carrier.state.roster.player(named: name) }
  /// The seat of the player of that name who is here.
  public func seat(of name: PlayerName) -> Int? {
    carrier.state.roster.player(named: name).flatMap { carrier.state.roster.seats.seat(of: $0) }
  }
  /// The player in the seat who is here.
  public func player(inSeat seat: Int) -> PlayerName? {
    carrier.state.roster.sitting(in: seat).flatMap { carrier.state.roster.here($0)?.name }
  }
  /// The name of the player who has the seat, or had it last.
  public func name(inSeat seat: Int) -> PlayerName? { carrier.state.roster.seats.name(in: seat) }

  /// The player asked for seats, so it is a mixer: it makes room for those who play.
  public func sitAside(_ player: PlayerID) {
    carrier.state.sitAside(player)
    carryOut(cause: .none)
  }

  public func player(_ id: PlayerID) -> Person? { carrier.state.roster.here(id) }

  /// The settings that the player reads, for edges that tell in pieces; `readableEvents` follow.
  /// - Parameter player: nil reads what is nobody's own.
  public func readable(by player: PlayerID?) -> [Setting] {
    guard let player else { return carrier.state.readableByAnybody }
    return carrier.state.roster.isHere(player) ? carrier.state.readable(by: player) : []
  }
  /// Whether there is such a value, kit or instrument.
  public func knows(_ setting: Setting, for player: PlayerID) -> Bool {
    carrier.state.knows(setting, for: player)
  }
  /// The settings of seats, for who asked for them.
  public var readableSeats: [Setting] { carrier.state.roster.readableSeats }
  /// The kits that anybody in the room may choose, by their ids.
  public var listedKits: [String] { carrier.state.library.listedKits }
  public func readableEvents(by player: PlayerID?) -> [Event] {
    player.map { carrier.state.readableEvents(by: $0) } ?? carrier.state.commonEvents
  }

  /// Where the room and the player's loop are now; empty while the transport stands.
  public func positions(of player: PlayerID) -> [Event] { carrier.state.positions(of: player) }

  /// The player's own light, also while it is off.
  public func light(of player: PlayerID) -> Event? { carrier.state.roster.here(player)?.lightEvent }

  /// Some of them, as they are now; without those that cannot be read any more.
  public func values(of settings: ArraySlice<Setting>, for player: PlayerID?) -> [Event] {
    guard let player else {
      return settings.compactMap { setting in
        (carrier.state.roomValue(of: setting) ?? carrier.state.roomLight(setting)).map {
          .value(setting, $0)
        }
      }
    }
    return carrier.state.roster.isHere(player)
      ? carrier.state.values(of: settings, for: player) : []
  }

  /// The player's lights that are not off.
  public func litValues(of player: PlayerID) -> [Event] {
    carrier.state.roster.isHere(player) ? carrier.state.litValues(for: player) : []
  }

  /// Whether `word` makes a host. It takes as long for a wrong one as for the right one.
  public func isHostWord(_ word: String) -> Bool { carrier.state.isHostWord(word) }

  /// Whether somebody who is here has each of its places.
  public var isFull: Bool { carrier.state.roster.isFull }

  /// The tempo and beats per bar that a newcomer is greeted with.
  public var greeting: (bpm: Float, beatsPerBar: Int) {
    let beat = carrier.state.clock.view.beat(at: anchor.frame(at: .now))
    return (
      carrier.state.clock.bpm(at: beat), Int(carrier.state.clock.view.signature(at: beat).signature.beatsPerBar)
    )
  }

  /// A control's value that is told after it was set, being read or made first; else nil.
  public func shown(_ command: Command) -> (setting: Setting, value: SettingValue)? {
    switch command {
    case .set(let setting, let value): carrier.state.toldLater(setting, value).map { (setting, $0) }
    case .chooseKit(.id(let id)): (.kit, .text(id))
    case .chooseKit(.index(let index)):
      carrier.state.library.kits.indices.contains(index) ? (.kit, .text(carrier.state.library.kits[index].id)) : nil
    default: nil
    }
  }

  // MARK: Streams

  /// Other streams of the room are open than before. Thread: any.
  public nonisolated func streamsChanged(_ open: OpenStreams) {
    cueAccess.show(open)
    // If too much waits already, the next tick sees it.
    submit { $0.lookAtStreams() }
  }

  private func lookAtStreams() {
    guard let open = cueAccess.streams(since: carrier.state.cues.told) else { return }
    carrier.state.streamsChanged(open)
    carrier.state.focusAgain(at: Moment(arrival: now))
    carryOut(cause: .none)
  }

  // MARK: The clock

  public nonisolated var deadline: HostTime {
    onThread { room in
      let own = min(room.carrier.state.findDeadline(), room.nextMeters)
      return room.anchor.time(of: min(own, room.keeper?.deadline ?? own))
    }
  }

  public nonisolated func turn(at now: HostTime) { onThread { $0.tick(at: $0.anchor.frame(at: now)) } }

  private func tick(at now: Frames) {
    carryOutScheduled(at: now)
    carrier.state.passTime(to: now)
    if now >= nextMeters {
      // Of a room that nobody is in or watches, meters are told to nobody.
      nextMeters = now + (use == .inUse ? RoomState.metersEvery : RoomState.housekeepingEvery)
      lookAtStreams()
      meters(at: now)
      carrier.state.look(at: now, into: snapshots)
      carrier.letGo()
      goOnGrabbing()
      rest(at: now)
      keepProject(at: now)
      history.forget(before: now)
    }
    carrier.hearEngine()
    carryOut(cause: .none)
    if let keeper, keeper.takeDue(at: now) { keeper.keep(carrier.state, at: now) }
  }

  private func meters(at now: Frames) {
    let status = engine.status
    carrier.state.tellMeters(
      master: status.takeMasterPeak(), loudness: status.loudness, limiterGain: status.takeLimiterGain(),
      levellerGain: status.levellerGain, at: now, peak: { status.takePeak(of: $0) })
  }

  // MARK: Effects

  private func carryOut(cause: Cause) { carrier.carryOut { answer($0, cause: cause) } }

  private func answer(_ effect: Effect, cause: Cause) {
    switch effect {
    // The carrier keeps these to itself.
    case .engine, .retireMap: break
    case .log(let entry):
      if !entry.action.goesBy { noteChange() }
      journal?.record(entry)
    case .correctLog(let sequence, let frame): journal?.correct(sequence: sequence, frame: frame)
    case .withdrawLog(let sequence): journal?.withdraw(sequence: sequence)
    case .tell(let event, let audience):
      if keeper != nil, audience != .asker, !event.goesBy { noteChange() }
      for outlet in outlets { outlet.room(self, tells: event, to: audience, cause: cause) }
    case .loadKit(let id): load(id)
    case .loadOwnSound(let hash): loadOwn(hash)
    case .loadSounds(let order): load(order)
    case .keepBlock(let block, let player):
      keep(block, for: player)
      library?.keep(block, of: name)
    case .removeBlock(let block):
      remove(block)
      library?.remove(block, of: name)
    case .record(let place): record(for: place)
    case .stopRecording: recorder?.stop()
    case .grab(let order): grab(order)
    case .saveKit(let order): save(order)
    case .deleteKit(let kit, let player): delete(kit, for: player)
    case .project(let order): carryOut(order)
    case .take(let order): carryOut(order)
    case .search(let order): carryOut(order, for: cause.origin)
    case .carryBlock(let order): carryOut(order)
    case .used(let use): library?.used(use)
    case .projectNotTaken: projects?.plays(carrier.state.session.project, in: name)
    case .forgetSound(let hash, let name):
      kitStore.forget(hash, name: name, in: self.name)
      library?.remove(.own(hash), named: name, of: self.name)
    case .setTaken(let items, let isTaken): setTaken(items, isTaken)
    case .stretch(let order): stretch(order)
    case .peopleChanged:
      snapshots.touch()
      cueAccess.note(carrier.state.roster.door)
    case .left(let player, let name, let host):
      snapshots.touch()
      cueAccess.remove(player)
      for outlet in outlets { outlet.room(self, lost: player, named: name, kickedBy: host, cause: cause) }
    case .madeHost(let name, let host):
      for outlet in outlets { outlet.room(self, hasHost: name, by: host, cause: cause) }
    }
  }

  private func noteChange() {
    keeper?.note(at: now)
    hasUnkeptMusic = true
  }

  /// Keeps the project now and then, for openings elsewhere: the room's own journal is ahead of it.
  private func keepProject(at now: Frames) {
    guard hasUnkeptMusic, now >= projectKept + Room.projectEvery else { return }
    keepProject()
  }

  private func keepProject() {
    (projectKept, hasUnkeptMusic) = (now, false)
    guard !carrier.state.session.project.name.isEmpty else { return }
    projects?.keep(ProjectImage(of: carrier.state), as: carrier.state.session.project, in: name)
  }

  private static let projectEvery = Frames.seconds(20)

  private func stretch(_ order: StretchOrder) {
    kitStore.stretch(order, for: "\(name)/\(order.player.index)") { result in
      self.submit {
        $0.change { state, frame in
          switch result {
          case .success(let sound): state.stretched(order, sound, at: frame)
          case .failure(let error):
            state.stretched(order, nil, reason: .notStretched(error.reason.text), at: frame)
          }
        }
      }
    }
  }

  /// The frame that is due now.
  var now: Frames { anchor.frame(at: .now) }

  /// Whether nobody is here, even if loops play on.
  var isDeserted: Bool { carrier.state.roster.isDeserted }

  /// Asks the state, and changes nothing.
  func look<Answer, Failure: Error>(_ body: (borrowing RoomState) throws(Failure) -> Answer) throws(Failure) -> Answer {
    try body(carrier.state)
  }

  /// Changes the state without a command, and carries out the effects.
  /// - Parameter origin: the connection that answers go to; none where it may be over by now.
  func change(for origin: Origin = .none, _ body: (inout RoomState, Frames) -> Void) {
    body(&carrier.state, anchor.frame(at: .now) + RoomState.liveDelay)
    carryOut(cause: Cause(origin))
  }

  private func load(_ id: String) {
    kitStore.load(id, for: name.text) { [kitStore] result in
      // Players are told the problem; the file's path is for the operator of the server.
      if case .failure(let error) = result { kitStore.report(error) }
      self.submit { $0.loaded(id, result.mapError { .kitUnreadable($0.told) }) }
    }
  }

  private func loaded(_ id: String, _ result: Result<PlayableKit, Refusal>) {
    let frame = anchor.frame(at: .now) + RoomState.liveDelay
    switch result {
    case .success(let kit): carrier.state.kitArrived(kit, at: frame)
    case .failure(let refusal): carrier.state.kitFailed(id, reason: refusal)
    }
    snapshots.touch()
    carryOut(cause: .none)
  }
}

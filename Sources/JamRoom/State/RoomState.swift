public import JamCore
internal import JamEngine
public import JamRealtime

/// Everything that a room knows, as a plain value. A step changes the value, puts its requests to
/// the world into `outbox`, and does nothing else.
///
/// Thread: any one at a time; it touches nothing outside itself.
public struct RoomState: Equatable, Sendable {
  let setup: RoomSetup
  var clock: Clock
  /// The people in the room.
  var roster: Roster
  // Tables of their parts, by place.
  var hands: PlayerTable<Hands>
  var channels: PlayerTable<Channel>
  var loopers: PlayerTable<Looper>
  var desks: PlayerTable<Desk>
  var library: Library
  /// The room's journal, take, project and recording, its edits, and its counts.
  var session = Session()
  var mix = Mix()
  var cues: CueStreams
  /// Hits that were accepted and do not sound yet.
  var queue = HitQueue()
  /// The next deeds of all loops and lanes, and the progress so far.
  var schedule: LoopSchedule
  var pulse = Pulse()
  /// The effects of all steps since it was last emptied.
  var outbox = Outbox()

  /// Frames from a live hit's arrival to its sound: the constant delay. 120 of them are one buffer
  /// that may have just begun, 64 the limiter's look-ahead, and 56 the ways between the threads.
  public static let liveDelay = Frames(240)

  public init(
    name: PlayerName, kits: [Kit], firstKit: PlayableKit, anchor: ClockAnchor, tempo: Tempo = .standard,
    hostWord: String, hasSpeakers: Bool = true, limits: Limits = .standard,
    reservedNames: Set<String> = [RoomState.mixName], instruments: Instruments = Instruments()
  ) {
    setup = RoomSetup(
      name: name, limits: limits, hostWord: hostWord, anchor: anchor, hasSpeakers: hasSpeakers,
      reservedNames: reservedNames, instruments: instruments)
    clock = Clock(tempo: tempo)
    roster = Roster(room: name, limits: limits)
    hands = PlayerTable(places: limits.playersPerRoom)
    channels = PlayerTable(places: limits.playersPerRoom)
    loopers = PlayerTable(places: limits.playersPerRoom)
    desks = PlayerTable(places: limits.playersPerRoom)
    library = Library(kits: kits, firstKit: firstKit, blocks: BlockLibrary(room: name, limits: limits))
    schedule = LoopSchedule(players: limits.playersPerRoom)
    cues = CueStreams(places: limits.cuesPerRoom)
  }

  public var name: PlayerName { setup.name }
  public var limits: Limits { setup.limits }
  public var map: TempoMap { clock.map }
  public var hits: UInt64 { session.tally.hits }
  public var lateHits: UInt64 { session.tally.lateHits }

  /// Takes out what steps have asked for, in the order in which it must be carried out.
  public mutating func takeEffects() -> [Effect] { outbox.take() }

  /// Carries something out for a player, with a host's rights where it has them, or without.
  mutating func withRights<R>(_ hasRights: Bool, _ id: PlayerID, _ body: (inout RoomState) -> R) -> R {
    let before = roster.setWithoutRights(hasRights ? nil : id)
    defer { _ = roster.setWithoutRights(before) }
    return body(&self)
  }

  /// The frame at which a command takes effect: never before what has been advanced.
  func effectFrame(_ moment: Moment) -> Frames { notBeforeAdvanced(playedFrame(moment)) }

  /// One constant delay after the arrival, and never before what has been advanced.
  func liveFrame(_ moment: Moment) -> Frames { notBeforeAdvanced(arrivalFrame(moment)) }

  /// The frame that a hand means, by hits and releases, which turn nothing on bar lines. The delay
  /// to the ear is constant to the frame, even with a late thread. The engine corrects late ones.
  func playedFrame(_ moment: Moment) -> Frames {
    if let tagged = moment.tagged, tagged > moment.arrival { return max(.zero, tagged) }
    return arrivalFrame(moment)
  }

  /// One constant delay after the arrival. Commands from before the room opened count as its first
  /// frame: no log holds a negative one.
  func arrivalFrame(_ moment: Moment) -> Frames { max(.zero, moment.arrival + RoomState.liveDelay) }

  /// A command from before a stall comes after loops went on: it takes effect at their place.
  func notBeforeAdvanced(_ frame: Frames) -> Frames { max(frame, schedule.advanced) }

  /// The frame, or the first one behind the hits of loops that were sent ahead. A change that moves
  /// beats to other frames takes effect there.
  func notBeforeSent(_ frame: Frames) -> Frames { max(frame, schedule.lead.sent) }

  /// Stamps and logs one command of a player with its engine part.
  /// - Parameter sound: what the engine reads for it.
  @inline(__always) mutating func commit(
    _ action: LogAction, by player: PlayerID, at frame: Frames, engine: EngineAction? = nil,
    reads sound: PlayableSound? = nil
  ) {
    commit(action, as: roster[player].name, at: frame, engine: engine, reads: sound)
  }

  /// The same under the name of a player who may be gone.
  mutating func commit(
    _ action: LogAction, as player: PlayerName, at frame: Frames, engine: EngineAction? = nil,
    reads sound: PlayableSound? = nil
  ) {
    let sequence = session.tally.next()
    if let engine {
      outbox.append(.engine(EngineCommand(sequence: sequence, frame: frame, action: engine), reads: sound))
    }
    outbox.append(.log(LogEntry(sequence: sequence, frame: frame, player: player, action: action)))
  }

}

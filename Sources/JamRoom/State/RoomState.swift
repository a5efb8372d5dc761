public import JamCore
internal import JamEngine
public import JamRealtime

/// Everything a room knows, as a plain value with a pure step: `(state, command, moment) → effects`.
///
/// Thread: any one at a time; it touches nothing outside itself.
public struct RoomState: Sendable {
  public let name: PlayerName
  public let limits: Limits
  /// The word that makes a player a host.
  let hostWord: String
  let anchor: ClockAnchor
  /// What there is to choose from, in the order of `/kits`.
  public internal(set) var kits: [Kit]

  /// By `PlayerID.index`.
  public private(set) var players: [Player?]
  /// The places that somebody has, the lowest first; also those of whom only a loop is left.
  private(set) var seated: [PlayerID] = []
  /// Kits in memory that a player uses, or that newcomers get.
  var loaded: [String: PlayableKit]
  let firstKit: PlayableKit

  /// Sounds that people brought along and that are in memory, the latest last.
  var ownSounds: [OwnSound] = []
  /// Kits that a host has deleted; their places stay.
  var goneKits: Set<String> = []
  var blockQuota: SavingQuota
  /// What they brought along and is kept in a folder, the latest last; nil where nothing is.
  var keptSounds: [ListedSound]?
  /// Who left a while ago: what they played can be grabbed still.
  var departed = Departed()
  /// What guests who fell silent played with.
  var guestbook = Guestbook()
  /// Where the sound goes that is being recorded; nil while none is.
  var recording: SoundPlace?

  public internal(set) var map: TempoMap
  var mapRevision: UInt64 = 0
  var door = Door()
  /// Whose command is being carried out without a host's rights: it came from an address that may be forged.
  private(set) var withoutRights: PlayerID?
  /// When the transport stopped.
  var stoppedAt = Frames.zero
  /// Counts runs of taps and of outside clocks: each is one edit.
  var runs: UInt64 = 0
  var election = Election()
  var outsideClock = OutsideClock()
  var roomHistory = RoomHistory()
  /// The counted beat that is told next.
  var nextBeat: Beats = .zero
  var nextPosition: Frames = .zero
  var nextHousekeeping: Frames = .zero

  var masterGain: Float = 0
  /// In semitones, and 0 open … 1 closed: the whole room's.
  var pitch: Float = 0
  var modulation: Float = 0
  /// How late the off-beats are, 0 … 0.75.
  var swing: Float = 0
  /// Hits that were accepted and do not sound yet.
  var queue = HitQueue()
  /// When the next hit of any roll is to be sent; nil while none is held.
  var nextRoll: Frames?
  /// What all loops and lanes do next, and how far they were carried out.
  var schedule: LoopSchedule
  /// The frame of the last tick.
  var ticked = Frames.zero
  /// Where a score is played: what was hit, by its number, for a loop's hits name those.
  var played: [UInt32: LoopHit] = [:]
  /// What no player is called, in small letters.
  let reservedNames: Set<String>
  /// What was said last, for those who come later.
  var chatLines: [ChatLine] = []
  /// What players saved; the ready-made ones are everybody's.
  var blocks: [Block] = []
  /// Tells orders for blocks' sounds apart.
  var soundOrders: UInt64 = 0
  var slotsPut: UInt64 = 0
  var buildUps = BuildUps()
  public internal(set) var lock: Lock = .none
  var speakersClick = false
  /// Whether the server plays the room on loudspeakers of its own.
  let hasSpeakers: Bool
  var lastSequence: UInt64 = 0
  /// The streams that are open; nil where nobody ever listens: in a score.
  var streams: OpenStreams?
  /// Players' cues that streams carry, by their places.
  var cues: [Cue?]
  public internal(set) var hits: UInt64 = 0
  public internal(set) var lateHits: UInt64 = 0

  /// Frames from a live hit's arrival to its sound: the constant delay. Two buffers: one that may have just begun, and one for
  /// the ways between the threads.
  public static let liveDelay = Frames(240)

  public init(
    name: PlayerName, kits: [Kit], firstKit: PlayableKit, anchor: ClockAnchor, tempo: Tempo = .standard,
    hostWord: String, hasSpeakers: Bool = true, limits: Limits = .standard,
    reservedNames: Set<String> = [RoomState.mixName]
  ) {
    self.hasSpeakers = hasSpeakers
    self.name = name
    self.limits = limits
    blockQuota = SavingQuota(atOnce: limits.blocksAtOnce, seconds: limits.secondsPerBlock)
    self.hostWord = hostWord
    self.reservedNames = reservedNames
    self.anchor = anchor
    self.kits = kits
    self.firstKit = firstKit
    loaded = [firstKit.kit.id: firstKit]
    players = Array(repeating: nil, count: limits.playersPerRoom)
    schedule = LoopSchedule(players: limits.playersPerRoom)
    cues = Array(repeating: nil, count: limits.cuesPerRoom)
    map = TempoMap(tempo: tempo)
  }

  public subscript(id: PlayerID) -> Player? { players[Int(id.index)].flatMap { $0.hasLeft ? nil : $0 } }

  /// Whether somebody has the place who is in the room; without a copy of the player.
  func isHere(_ id: PlayerID) -> Bool { players[Int(id.index)]?.hasLeft == false }

  /// A player that is known to be in the room; changed in place. Reading allocates nothing, so that a hit does not.
  subscript(known id: PlayerID) -> Player {
    // No `_read`: unoptimised, Swift 6.3.1 uses what it yields of a large struct after the coroutine's frame was freed.
    get { players[Int(id.index)]! }
    _modify { yield &players[Int(id.index)]! }
  }

  func isHost(_ id: PlayerID) -> Bool { isHere(id) && players[Int(id.index)]?.role == .host }

  /// Whether what is being carried out for the player is a host's.
  func actsAsHost(_ id: PlayerID) -> Bool { withoutRights != id && isHost(id) }

  /// Carries something out for a player, with a host's rights where it has them, or without.
  mutating func withRights<R>(_ hasRights: Bool, _ id: PlayerID, _ body: (inout RoomState) -> R) -> R {
    let before = withoutRights
    withoutRights = hasRights ? nil : id
    defer { withoutRights = before }
    return body(&self)
  }

  /// Gives the player its place, whoever had it.
  mutating func seat(_ player: Player) {
    vacate(player.id)
    players[Int(player.id.index)] = player
    seated.insert(player.id, at: seated.firstIndex { $0.index > player.id.index } ?? seated.count)
    // Of a room that nobody is in, positions are told to nobody.
    nextPosition = min(nextPosition, player.joined)
  }

  /// The place is free.
  mutating func vacate(_ id: PlayerID) {
    players[Int(id.index)] = nil
    seated.removeAll { $0 == id }
  }

  /// Whether somebody who is here has each place.
  var isFull: Bool { players.allSatisfy { $0?.hasLeft == false } }

  /// Who is here; not those of whom only a loop is left.
  public var people: [Player] { players.compactMap { $0.flatMap { $0.hasLeft ? nil : $0 } } }

  /// The frame at which a command takes effect: never before what has been advanced.
  func effectFrame(_ moment: Moment) -> Frames { notBeforeAdvanced(playedFrame(moment)) }

  /// One constant delay after the arrival, and never before what has been advanced.
  func liveFrame(_ moment: Moment) -> Frames { notBeforeAdvanced(arrivalFrame(moment)) }

  /// The frame that a hand means: of hits and releases, which turn nothing on a bar line. The delay from hand to ear stays constant
  /// to the frame, also where the room's thread looks a little later. The engine corrects what comes too late.
  func playedFrame(_ moment: Moment) -> Frames {
    if let tagged = moment.tagged, tagged > moment.arrival { return max(.zero, tagged) }
    return arrivalFrame(moment)
  }

  /// One constant delay after the arrival. What was sent before the room opened counts as its first frame: no log holds a
  /// negative one.
  func arrivalFrame(_ moment: Moment) -> Frames { max(.zero, moment.arrival + RoomState.liveDelay) }

  /// What was sent before a stall is looked at after the loops went on: it takes effect where they are.
  func notBeforeAdvanced(_ frame: Frames) -> Frames { max(frame, schedule.advanced) }

  /// The next command's number.
  mutating func count(from number: UInt64) { lastSequence = number - 1 }

  mutating func nextSequence() -> UInt64 {
    lastSequence += 1
    return lastSequence
  }

  /// Stamps and logs one command with its engine part.
  mutating func commit(
    _ action: LogAction, by player: PlayerName, at frame: Frames, engine: EngineAction? = nil, _ effects: inout [Effect]
  ) {
    let sequence = nextSequence()
    if let engine { effects.append(.engine(EngineCommand(sequence: sequence, frame: frame, action: engine))) }
    effects.append(.log(LogEntry(sequence: sequence, frame: frame, player: player, action: action)))
  }

  /// Puts a new revision of the clock in force at `frame`.
  mutating func put(
    _ map: TempoMap, at frame: Frames, _ action: LogAction, by player: PlayerName, _ effects: inout [Effect]
  ) {
    let old = self.map.memory
    self.map = map.forgetting(before: frame - Frames.seconds(60))
      .joining(before: frame, keeping: limits.tempoChangesKept)
    mapRevision += 1
    planRolls()
    planLoops()
    buildUps.plan(self.map.view, swing: swing)
    planVote(at: frame)
    commit(action, by: player, at: frame, engine: .tempoMap(self.map.view, revision: mapRevision), &effects)
    effects.append(.retireMap(old, revision: mapRevision))
    queue.plan(self.map.view)
    // What waits for a line that the change brought near is sent at once.
    sendWaiting(at: frame - RoomState.liveDelay, &effects)
  }
}

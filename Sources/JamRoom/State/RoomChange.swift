internal import JamCore

/// What of a room's state is other than it was: each value, and each player, that changed, as it became. Nil is as it was.
///
/// Applied to the state of before, it gives the state of after, whatever brought that about: nothing is decided again.
public struct RoomChange: Sendable {
  private var clock: Clock?
  private var library: Library?
  private var blocks: BlockLibrary?
  private var mix: Mix?
  private var chat: Chat?
  private var queue: HitQueue?
  private var schedule: LoopSchedule?
  private var moving: MovingNotes?
  private var buildUps: BuildUps?
  private var cues: CueStreams?
  private var roomHistory: RoomHistory?
  private var played: [UInt32: LoopHit]?
  private var tally: Tally?
  private var pulse: Pulse?
  /// All of the roster but its players.
  private var roster: Roster?
  /// By the places that changed; nil is a place that is free now.
  private var players: [Int: Player?] = [:]

  /// - Parameter old: a state of the same room.
  init(from old: RoomState, to new: RoomState) {
    clock = RoomChange.changed(old.clock, new.clock)
    library = RoomChange.changed(old.library, new.library)
    blocks = RoomChange.changed(old.blocks, new.blocks)
    mix = RoomChange.changed(old.mix, new.mix)
    chat = RoomChange.changed(old.chat, new.chat)
    queue = RoomChange.changed(old.queue, new.queue)
    schedule = RoomChange.changed(old.schedule, new.schedule)
    moving = RoomChange.changed(old.moving, new.moving)
    buildUps = RoomChange.changed(old.buildUps, new.buildUps)
    cues = RoomChange.changed(old.cues, new.cues)
    roomHistory = RoomChange.changed(old.roomHistory, new.roomHistory)
    played = RoomChange.changed(old.played, new.played)
    tally = RoomChange.changed(old.tally, new.tally)
    pulse = RoomChange.changed(old.pulse, new.pulse)
    roster = RoomChange.changed(old.roster.withoutPlayers, new.roster.withoutPlayers)
    for (place, (before, after)) in zip(old.roster.players, new.roster.players).enumerated() where before != after {
      players.updateValue(after, forKey: place)
    }
  }

  private static func changed<Value: Equatable>(_ old: Value, _ new: Value) -> Value? { old == new ? nil : new }

  /// Whether nothing is other than it was.
  public var isEmpty: Bool {
    players.isEmpty
      && [
        clock == nil, library == nil, blocks == nil, mix == nil, chat == nil, queue == nil, schedule == nil,
        moving == nil, buildUps == nil, cues == nil, roomHistory == nil, played == nil, tally == nil, pulse == nil,
        roster == nil,
      ].allSatisfy(\.self)
  }

  fileprivate func apply(to state: inout RoomState) {
    if let clock { state.clock = clock }
    if let library { state.library = library }
    if let blocks { state.blocks = blocks }
    if let mix { state.mix = mix }
    if let chat { state.chat = chat }
    if let queue { state.queue = queue }
    if let schedule { state.schedule = schedule }
    if let moving { state.moving = moving }
    if let buildUps { state.buildUps = buildUps }
    if let cues { state.cues = cues }
    if let roomHistory { state.roomHistory = roomHistory }
    if let played { state.played = played }
    if let tally { state.tally = tally }
    if let pulse { state.pulse = pulse }
    if let roster { state.roster = roster.with(state.roster.players) }
    state.roster.replace(players)
  }
}

extension RoomState {
  /// The state is as it became in what `change` was taken from. It must be as it was there.
  public mutating func apply(_ change: RoomChange) { change.apply(to: &self) }
}

internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Hits that waited while their pad changed: the log first tells everything that shapes one
/// (`define`), then that it sounds (`loopHit`).
extension RoomState {
  /// The hold of a hand's `loopHit`: a gate ends at its release, a loop with the next press.
  static let untilReleased: Int32 = -1

  /// Sends the hit to the engine, as its pad was; the level is the pad's of now. Of a hit that its
  /// client sounds itself, chance is the log's: a line of the log defines how it sounds.
  mutating func sound(
    _ fixed: FixedSound, _ velocity: Velocity, _ own: OwnHit, by id: PlayerID, at frame: Frames,
    recorded: RecordedPlace?, isLive: Bool
  ) {
    guard !roster.door.waits(id) else {
      return soundAtDoor(
        fixed.voicing.pad, velocity, own, as: fixed, by: id, at: frame, recorded: recorded,
        isLive: isLive)
    }
    var fixed = fixed
    fixed.voicing.settings.gain = hands.read(fixed.voicing.pad, of: id) { $0.settings.gain }
    let voicing = fixed.voicing
    guard let sound = fixed.sound else {
      // It was empty, and is no more: a log that held the hit would make it sound.
      let hit = PendingHit(
        frame: frame, sequence: 0, player: id, name: roster[id].name, pad: voicing.pad, velocity: velocity,
        duration: .zero, recorded: recorded.map { $0.beat + $0.delay })
      return tell(hit, isLive: isLive)
    }
    commit(
      .command(.define(voicing, velocity, turn: fixed.turn)), by: id, at: frame)
    let hit = VoicedHit(position: .zero, velocity: velocity, length: nil, voicing: voicing, turn: fixed.turn)
    self.sound(
      LoopHit(hit, sound, number: session.tally.sequence, by: id), as: fixed, own, by: id,
      at: frame, recorded: recorded, isLive: isLive)
  }

  /// A hit that was defined, by hand.
  /// - Parameter fixed: how its player may catch it; nil in a score.
  mutating func sound(
    _ hit: LoopHit, as fixed: FixedSound? = nil, _ own: OwnHit = .none, by id: PlayerID,
    at frame: Frames, recorded: RecordedPlace?, isLive: Bool
  ) {
    let pad = hit.voicing.pad
    var start = hit.start
    start.level = hands.read(pad, of: id) { $0.settings.level }
    var begun = start
    begun.isOwn = own.isOwn
    session.tally.hits += 1
    let action = Command.loopHit(layer: 0, hit: hit.sequence, hold: RoomState.untilReleased, gain: 0)
    begin(
      begun, hit.sound, of: hit.voicing.sample, hit.voicing.settings, hit.velocity,
      .command(action), by: id, at: frame)
    capture(
      hit.start, hit.sound, hit.velocity, turn: fixed?.turn ?? 0, as: hit, by: id, at: frame,
      recorded: recorded)
    if let fixed { loopers[id].played.fixLast(as: fixed) }
    let shown = PendingHit(
      frame: frame, sequence: session.tally.sequence, player: id, name: roster[id].name, pad: pad,
      velocity: hit.velocity,
      duration: RoomState.duration(of: start), recorded: recorded.map { $0.beat + $0.delay }, defined: hit.sequence)
    tell(shown, isLive: isLive)
  }
}

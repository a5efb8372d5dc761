internal import JamCore
internal import JamEngine

/// Which MIDI clock is followed, from its first tick to its last.
extension RoomState {
  static let clockSilence = Frames.seconds(0.5)

  /// A clock that was silent longer begins anew.
  private static let clockMemory = Frames.seconds(8)

  func whyNotFollow(_ id: PlayerID) -> Refusal? {
    do throws(Refusal) {
      try roster.requirePlaying(id)
      try roster.requireUnlocked(.tempo, id)
    } catch {
      return error
    }
    if isVoter(id) { return .clockWhileVoting }
    if clock.outside.strangers[id]?.isBarred == true { return .clockOverruled }
    guard let source = clock.outside.source, source != id, let name = roster.here(source)?.name else { return nil }
    return .anotherClock(of: name)
  }

  mutating func ignore(_ id: PlayerID, _ message: MIDIClock, _ reason: Refusal, at now: Frames) {
    if clock.outside.source == id { endFollowing() }
    let known = clock.outside.strangers[id]
    clock.outside.strangers[id] = .init(lastHeard: now, isTold: true, isBarred: known?.isBarred == true)
    guard known?.isTold != true else { return }
    outbox.append(.tell(.refused(.midiClock(message), reason), .asker))
  }

  /// There is no source: this one goes on after a silence, or begins.
  mutating func listen(to id: PlayerID, at now: Frames) {
    let silence = now - clock.outside.lastHeard
    guard clock.outside.heard == id, silence < RoomState.clockMemory else { return beginFollowing(id) }
    guard clock.outside.isOutOfRange else { return goOnFollowing(id) }
    if silence >= RoomState.clockSilence { beginFollowing(id) }
  }

  private mutating func beginFollowing(_ id: PlayerID) {
    let former = clock.outside
    clock.outside = OutsideClock()
    clock.outside.heard = id
    clock.outside.strangers = former.strangers
    // It may have said that long before it began to tick.
    if former.heard == id { clock.outside.position = former.position }
    goOnFollowing(id)
  }

  mutating func goOnFollowing(_ id: PlayerID) {
    clock.outside.source = id
    clock.outside.run = clock.beginRun()
    clock.outside.isOutOfRange = false
    clock.outside.untilLook = MIDIClock.ticksPerQuarter
    tell(.tempoSource, of: id)
  }

  mutating func endFollowing() {
    guard let source = clock.outside.source else { return }
    clock.outside.source = nil
    (clock.outside.untilStart, clock.outside.startAt) = (nil, nil)
    tell(.tempoSource, of: source)
  }

  mutating func leaveClock(of id: PlayerID, at frame: Frames) {
    if clock.outside.source == id { endFollowing() }
    if clock.outside.heard == id { clock.outside.heard = nil }
    clock.outside.strangers[id] = nil
  }

  /// Whoever sets the tempo by hand needs it free of a clock: hosts take it from one.
  func checkTakeFromClock(by id: PlayerID) throws(Refusal) {
    guard let source = clock.outside.source, !roster.actsAsHost(id) else { return }
    throw .tempoFollowsClock(of: roster[source].name)
  }

  /// The clock is not followed again until it was silent.
  mutating func takeFromClock(by id: PlayerID) {
    guard let source = clock.outside.source else { return }
    endFollowing()
    clock.outside.heard = nil
    clock.outside.strangers[source] = .init(lastHeard: clock.outside.lastHeard, isTold: false, isBarred: true)
  }
}

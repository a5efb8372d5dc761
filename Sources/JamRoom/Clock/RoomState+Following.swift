internal import JamCore
internal import JamEngine

/// Following one MIDI clock, from its first tick to its last.
extension RoomState {
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

  /// Setting the tempo by hand needs a tempo free of a clock: hosts take it from one.
  func checkTakeFromClock(by id: PlayerID) throws(Refusal) {
    guard let source = clock.outside.source, !roster.actsAsHost(id) else { return }
    throw .tempoFollowsClock(of: roster[source].name)
  }

  /// The clock is not followed again until it was silent.
  mutating func takeFromClock() {
    guard let source = clock.outside.source else { return }
    endFollowing()
    clock.outside.heard = nil
    clock.outside.strangers[source] = .init(lastHeard: clock.outside.lastHeard, isTold: false, isBarred: true)
  }
}

internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Tempo, signature and transport.
extension RoomState {
  func checkSetTempo(by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    if !isVoter(id) { try checkTakeFromClock(by: id) }
  }

  /// In a room that votes, this is a vote, unless a host sets it.
  /// - Parameter run: which run of taps it belongs to, which is one edit.
  mutating func setTempo(
    _ tempo: Tempo, by id: PlayerID, at moment: Moment, run: UInt64? = nil, joins: Bool = true
  ) {
    let frame = effectFrame(moment)
    let bpm = Float(tempo.beatsPerMinute)
    if isVoter(id) { return vote(bpm, by: id, at: frame) }
    takeFromClock()
    let before = Float(clock.buildUps.tempo(of: clock.map).beatsPerMinute)
    changeTempo(tempo, by: id, at: frame)
    overruleVotes()
    remember(.tempo, .float(before), .float(bpm), at: frame, by: id, joins: joins, run: run)
  }

  mutating func changeTempo(_ tempo: Tempo, by id: PlayerID, at frame: Frames) {
    settleBuildUp(at: frame)
    put(tempo, by: id, at: notBeforeSent(frame))
  }

  /// Everything before `frame` has been carried out. A build-up ends.
  mutating func put(_ tempo: Tempo, by id: PlayerID, at frame: Frames) {
    let action = LogAction.command(.set(.tempo, .float(Float(tempo.beatsPerMinute))))
    put(clock.map.setting(tempo, at: frame), at: frame, action, by: id)
    endBuildUp(by: id, at: frame)
    tell(.tempo, of: id)
    announceNextBeat()
  }

  func checkTap(by id: PlayerID, at moment: Moment) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    var taps = desks[id].taps
    if case .beat = taps.tap(at: tapTime(moment)) { try checkSetTempo(by: id) }
  }

  /// Averages the player's last eight taps, by timetags if they have some. A run begins anew after
  /// a pause of more than 3.5 s, at a gap far from the average (another tempo is meant), and at a
  /// tap before the one before (their clocks differ). Taps that a network held up change nothing.
  mutating func tap(by id: PlayerID, at moment: Moment) {
    switch desks[id].taps.tap(at: tapTime(moment)) {
    case .begins: desks[id].tapRun = clock.beginRun()
    case .beat(let framesPerBeat):
      // The log holds a Float, so the map must too: rendered again, it has to be the same map.
      let bpm = Float(2_880_000 / framesPerBeat)
      setTempo(Tempo(clamping: Double(bpm)), by: id, at: moment, run: desks[id].tapRun)
    case .nothing: break
    }
  }

  /// A timetag more than 2 s off is in another clock.
  private func tapTime(_ moment: Moment) -> Frames {
    guard let tagged = moment.tagged, (tagged - moment.arrival).count.magnitude <= Frames.seconds(2).count.magnitude
    else {
      return moment.arrival
    }
    // A tap that waits for its time arrives one constant delay before it.
    return tagged - RoomState.liveDelay
  }

  func checkNudge(_ milliseconds: Float, by id: PlayerID, at moment: Moment) throws(Refusal) {
    try roster.requireUnlocked(.tempo, id)
    let frame = notBeforeSent(effectFrame(moment))
    guard clock.map.segmentsAhead(of: frame) + 2 <= limits.tempoChangesAhead else {
      throw .tooManyTempoChanges(most: limits.tempoChangesAhead)
    }
    guard isNudgeable(by: milliseconds, at: frame) else { throw .nudgedTooFar }
    try checkTakeFromClock(by: id)
  }

  mutating func nudge(_ milliseconds: Float, by id: PlayerID, at moment: Moment) {
    takeFromClock()
    shiftBeat(milliseconds, by: id, at: notBeforeSent(effectFrame(moment)))
  }

  func isNudgeable(by milliseconds: Float, at frame: Frames) -> Bool {
    let shift = RoomState.shift(milliseconds)
    return shift == .zero || clock.map.nudging(by: shift, at: frame).memory !== clock.map.memory
  }

  private static func shift(_ milliseconds: Float) -> Frames {
    .milliseconds(Double(min(max(milliseconds, -1_000), 1_000)))
  }

  mutating func shiftBeat(_ milliseconds: Float, by id: PlayerID, at frame: Frames) {
    let nudged = clock.map.nudging(by: RoomState.shift(milliseconds), at: frame)
    put(nudged, at: frame, .command(.nudge(milliseconds)), by: id)
    announceNextBeat()
  }

  func checkPlay(by id: PlayerID) throws(Refusal) { try roster.requireUnlocked(.tempo, id) }

  /// Bar 1 begins now; while the transport plays, nothing changes.
  mutating func play(by id: PlayerID, at moment: Moment) {
    guard !clock.isPlaying else { return }
    let frame = notBeforeSent(effectFrame(moment))
    let new = clock.map.starting(at: frame)
    queue.restart(with: new, at: frame, from: clock.view)
    for player in roster.occupied { loopers[player].played.detach(from: clock.view) }
    put(new, at: frame, .command(.play), by: id)
    clock.nextBeat = .zero
    countRoundsAnew()
    startLoops()
    tellEverybodyLoops()
    for player in roster.people { realignRolls(of: player.id, at: frame) }
    restartProgressions(at: frame)
    tell(.playing, of: id)
    announceNextBeat()
  }

  mutating func stop(by id: PlayerID, at moment: Moment) {
    guard clock.isPlaying else { return }
    let frame = effectFrame(moment)
    settleBuildUp(at: frame)
    stopTransport(by: id, at: notBeforeSent(frame))
  }

  /// - Parameter isToRun: it starts again at once, and nobody is told of a stop.
  mutating func stopTransport(by id: PlayerID, at frame: Frames, isToRun: Bool = false) {
    let steady = clock.buildUps.current.map { clock.map.setting($0.base, at: frame) } ?? clock.map
    put(steady.stopping(), at: frame, .command(.stop), by: id)
    endBuildUp(by: id, at: frame)
    clock.stoppedAt = frame
    withdrawIntervals()
    stopLoops()
    endTake()
    restartProgressions(at: frame)
    for player in roster.people { endFocus(of: player.id, at: frame) }
    tell(.playing, of: id)
    if !isToRun { outbox.append(.tell(.stopped(by: roster[id].name), .everybody)) }
  }

  func checkSetSignature(to value: SettingValue, by id: PlayerID) throws(Refusal) {
    if askedSignature(value) == nil {
      guard case .integer(let beats) = value else { throw .notSettable }
      throw .badSignature(beatsPerBar: Int(beats), beatUnit: Int(clock.signature.beatUnit))
    }
    try roster.requireUnlocked(.tempo, id)
  }

  mutating func setSignature(to value: SettingValue, by id: PlayerID, at frame: Frames) {
    guard let signature = askedSignature(value) else { return }
    settleBuildUp(at: frame)
    setSignature(signature, by: id, at: frame)
  }

  /// - Parameter value: a signature, or the beats alone, of the present unit.
  private func askedSignature(_ value: SettingValue) -> TimeSignature? {
    switch value {
    case .signature(let asked): asked
    case .integer(let beats): TimeSignature(beatsPerBar: Int(beats), beatUnit: Int(clock.signature.beatUnit))
    default: nil
    }
  }

  mutating func setSignature(_ signature: TimeSignature, by id: PlayerID, at frame: Frames) {
    let frame = notBeforeSent(frame)
    let new = clock.buildUps.recount(clock.map.setting(signature, afterBarAt: frame), at: frame)
    queue.realign(to: new)
    let action = LogAction.command(.set(.signature, .signature(signature)))
    put(new, at: frame, action, by: id)
    reportBuildUp(at: clock.view.beat(at: frame))
    for player in roster.people { realignRolls(of: player.id, at: frame) }
    tell(.signature, of: id)
    tellEverybodyLoops()
  }
}

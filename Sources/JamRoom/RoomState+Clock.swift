internal import JamCore
internal import JamEngine
internal import JamRealtime

/// Tempo, signature and transport.
extension RoomState {
  mutating func setTempo(_ tempo: Tempo, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal)
  {
    try requireUnlocked(.tempo, id)
    let frame = effectFrame(moment)
    let action = LogAction.command(.set(.tempo, .float(Float(tempo.beatsPerMinute))))
    settleBuildUp(at: frame, &effects)
    put(map.setting(tempo, at: frame), at: frame, action, by: self[known: id].name, &effects)
    endBuildUp(by: id, at: frame, &effects)
    tell(.tempo, of: id, &effects)
    announceNextBeat(&effects)
  }

  /// Averages the last eight taps; a pause of three seconds (20 bpm) begins anew.
  mutating func tap(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    try requireUnlocked(.tempo, id)
    if let last = taps.last, moment.arrival < last || moment.arrival - last > Frames.seconds(3) { taps = [] }
    taps.append(moment.arrival)
    if taps.count > 8 { taps.removeFirst() }
    guard taps.count >= 2, let first = taps.first, let last = taps.last, last > first else { return }
    let framesPerBeat = Double((last - first).count) / Double(taps.count - 1)
    // The log holds a Float, so the map must too: rendered again, it has to be the same map.
    let bpm = Float(2_880_000 / framesPerBeat)
    try setTempo(Tempo(clamping: Double(bpm)), by: id, at: moment, &effects)
  }

  mutating func nudge(_ milliseconds: Float, by id: PlayerID, at moment: Moment, _ effects: inout [Effect])
    throws(Refusal)
  {
    try requireUnlocked(.tempo, id)
    let frame = effectFrame(moment)
    let shift = Frames.milliseconds(Double(min(max(milliseconds, -1_000), 1_000)))
    put(
      map.nudging(by: shift, at: frame), at: frame, .command(.nudge(milliseconds)), by: self[known: id].name, &effects)
    announceNextBeat(&effects)
  }

  /// Bar 1 begins now; while the transport plays, nothing changes.
  mutating func play(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    try requireUnlocked(.tempo, id)
    guard !map.isPlaying else { return }
    let frame = effectFrame(moment)
    let new = map.starting(at: frame)
    restartWaiting(with: new, at: frame)
    put(new, at: frame, .command(.play), by: self[known: id].name, &effects)
    nextBeat = .zero
    startLoops()
    for player in people { realignRolls(of: player.id, at: frame) }
    tell(.playing, of: id, &effects)
    announceNextBeat(&effects)
  }

  mutating func stop(by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) throws(Refusal) {
    try requireUnlocked(.tempo, id)
    guard map.isPlaying else { return }
    let frame = effectFrame(moment)
    settleBuildUp(at: frame, &effects)
    let steady = buildUp.map { map.setting($0.base, at: frame) } ?? map
    put(steady.stopping(), at: frame, .command(.stop), by: self[known: id].name, &effects)
    endBuildUp(by: id, at: frame, &effects)
    stoppedAt = frame
    withdrawIntervals(&effects)
    stopLoops(&effects)
    tell(.playing, of: id, &effects)
  }

  /// Tells the moment of the beat that comes next, and again when a change of the clock moves it.
  func announceNextBeat(_ effects: inout [Effect]) {
    guard map.isPlaying else { return }
    let position = map.view.position(at: nextBeat)
    effects.append(
      .tell(
        .nextBeat(
          bar: position.bar, beat: position.beat, bpm: Float(map.view.tempo(at: nextBeat).beatsPerMinute),
          at: anchor.time(of: map.view.frame(at: nextBeat))), .everybody))
  }
}

internal import JamCore
internal import JamEngine

/// A MIDI clock that the room's tempo follows.
struct OutsideClock: Sendable {
  /// Whose it is; nil while there is none.
  var source: PlayerID?
  /// Whose ticks the follower knows: the source's, or those of one that was silent or too fast or slow and may come back.
  var heard: PlayerID?
  var lastHeard = Frames.zero
  var follower = ClockFollower()
  /// The tempo of what is heard is none that there is; that was told.
  var isOutOfRange = false
  /// Which run of it this is: what it does to the tempo is one edit.
  var run: UInt64 = 0
  /// Ticks until the tempo is looked at again.
  var untilLook = 0
  /// Ticks until the transport starts, and whether it starts anew where it runs; nil is not at all.
  var untilStart: Int?
  var isRestart = false
  /// The frame of the tick with which the transport starts.
  var startAt: Frames?
  /// Sixteenths from the beginning, at which `continue` goes on.
  var position = 0
  /// Clocks that are not followed, so that each is told why only once.
  var strangers: [PlayerID: Stranger] = [:]

  struct Stranger: Sendable {
    var lastHeard: Frames
    var isTold: Bool
    /// Not until it was silent, whatever else changes.
    var isBarred: Bool
  }
}

/// Following a MIDI clock: its tempo is set as by hand, its beat by nudges, so that a log holds what came of it and no clock.
///
/// One clock at a time, of whoever begins; it is over when it was silent for half a second, and the tempo stays. Where it comes back, in
/// the same tempo and on its ticks, it goes on, and so does its beat: a network may have held it up. The beat is counted from
/// start, from continue at its song position, or else from the first tick heard. A tick without a timetag counts one constant delay after
/// its arrival, as whoever plays along is heard.
extension RoomState {
  static let clockSilence = Frames.seconds(0.5)
  /// A clock that was silent longer begins anew.
  private static let clockMemory = Frames.seconds(8)
  /// Timetags further off than this are in another clock.
  private static let farthestTag = Frames.seconds(2)
  private static let clockRange = Tempo.range.lowerBound - 0.1...Tempo.range.upperBound + 0.1
  /// A tempo that is off by less stays: in bpm, or what the ticks leave open.
  private static let tempoSlack = 0.02
  /// So is a beat: in frames.
  private static let beatSlack = 48.0
  /// The share of a beat by which one beat may be nudged.
  private static let mostNudge = 1.0 / 16

  mutating func hear(_ message: MIDIClock, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]) {
    let now = moment.arrival
    if let last = outsideClock.strangers[id]?.lastHeard, now - last >= RoomState.clockSilence {
      outsideClock.strangers[id] = nil
    }
    if let reason = whyNotFollow(id) { return ignore(id, message, reason, at: now, &effects) }
    outsideClock.strangers[id] = nil
    if outsideClock.source == nil { listen(to: id, at: now, &effects) }
    outsideClock.lastHeard = now
    guard outsideClock.source == id else { return audition(message, at: moment, by: id, &effects) }
    // What it changes takes effect as any live command.
    let live = liveFrame(moment)
    switch message {
    case .tick: tick(at: clockFrame(moment), live, by: id, &effects)
    case .start:
      outsideClock.follower.mark(0, next: true)
      (outsideClock.untilStart, outsideClock.isRestart) = (0, true)
    case .position(let sixteenths): outsideClock.position = sixteenths
    case .continue: goOn()
    case .stop:
      (outsideClock.untilStart, outsideClock.startAt) = (nil, nil)
      advanceLoops(until: live, &effects)
      // The lock was asked.
      try? stop(by: id, at: Moment(arrival: now), &effects)
    }
  }

  private func clockFrame(_ moment: Moment) -> Frames {
    guard let tagged = moment.tagged, (tagged - moment.arrival).count.magnitude <= RoomState.farthestTag.count.magnitude
    else {
      // Where the room's thread looks later, the arrival is what it was.
      return arrivalFrame(moment)
    }
    return tagged
  }

  private func whyNotFollow(_ id: PlayerID) -> Refusal? {
    do throws(Refusal) {
      try requirePlaying(id)
      try requireUnlocked(.tempo, id)
    } catch {
      return error
    }
    if election.mode == .vote, !actsAsHost(id) {
      return .clockWhileVoting
    }
    if outsideClock.strangers[id]?.isBarred == true { return .clockOverruled }
    guard let source = outsideClock.source, source != id, let name = self[source]?.name else { return nil }
    return .anotherClock(of: name)
  }

  private mutating func ignore(
    _ id: PlayerID, _ message: MIDIClock, _ reason: Refusal, at now: Frames, _ effects: inout [Effect]
  ) {
    if outsideClock.source == id { endFollowing(&effects) }
    let known = outsideClock.strangers[id]
    outsideClock.strangers[id] = .init(lastHeard: now, isTold: true, isBarred: known?.isBarred == true)
    guard known?.isTold != true else { return }
    effects.append(.tell(.refused(.midiClock(message), reason), .asker))
  }

  /// There is no source: this one goes on after a silence, or begins.
  private mutating func listen(to id: PlayerID, at now: Frames, _ effects: inout [Effect]) {
    let silence = now - outsideClock.lastHeard
    guard outsideClock.heard == id, silence < RoomState.clockMemory else { return beginFollowing(id, &effects) }
    guard outsideClock.isOutOfRange else { return goOnFollowing(id, &effects) }
    if silence >= RoomState.clockSilence { beginFollowing(id, &effects) }
  }

  private mutating func beginFollowing(_ id: PlayerID, _ effects: inout [Effect]) {
    let former = outsideClock
    outsideClock = OutsideClock()
    outsideClock.heard = id
    outsideClock.strangers = former.strangers
    // It may have said that long before it began to tick.
    if former.heard == id { outsideClock.position = former.position }
    goOnFollowing(id, &effects)
  }

  private mutating func goOnFollowing(_ id: PlayerID, _ effects: inout [Effect]) {
    runs += 1
    outsideClock.source = id
    outsideClock.run = runs
    outsideClock.isOutOfRange = false
    outsideClock.untilLook = MIDIClock.ticksPerQuarter
    tell(.tempoSource, of: id, &effects)
  }

  /// A clock out of range is heard on, for ticks that a network held up may have made it one: once it is in range it is followed.
  private mutating func audition(_ message: MIDIClock, at moment: Moment, by id: PlayerID, _ effects: inout [Effect]) {
    switch message {
    case .tick: outsideClock.follower.tick(at: Double(clockFrame(moment).count))
    case .start: return outsideClock.follower.mark(0, next: true)
    case .position(let sixteenths): return outsideClock.position = sixteenths
    case .continue, .stop: return
    }
    outsideClock.untilLook -= 1
    guard outsideClock.untilLook <= 0, let fit = outsideClock.follower.fit() else { return }
    outsideClock.untilLook = MIDIClock.ticksPerQuarter
    guard RoomState.clockRange.contains(fit.beatsPerMinute) else { return }
    goOnFollowing(id, &effects)
    follow(fit, at: liveFrame(moment), by: id, &effects)
  }

  private mutating func endFollowing(_ effects: inout [Effect]) {
    guard let source = outsideClock.source else { return }
    outsideClock.source = nil
    (outsideClock.untilStart, outsideClock.startAt) = (nil, nil)
    tell(.tempoSource, of: source, &effects)
  }

  mutating func leaveClock(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    if outsideClock.source == id { endFollowing(&effects) }
    if outsideClock.heard == id { outsideClock.heard = nil }
    outsideClock.strangers[id] = nil
  }

  /// Whoever sets the tempo by hand needs it free of a clock: hosts take it from one, which is not followed again until it was silent.
  mutating func takeFromClock(by id: PlayerID, _ effects: inout [Effect]) throws(Refusal) {
    guard let source = outsideClock.source else { return }
    guard actsAsHost(id) else {
      throw .tempoFollowsClock(of: self[known: source].name)
    }
    endFollowing(&effects)
    outsideClock.heard = nil
    outsideClock.strangers[source] = .init(lastHeard: outsideClock.lastHeard, isTold: false, isBarred: true)
  }

  // MARK: By the clock

  var clockDeadline: Frames? {
    guard outsideClock.source != nil else { return nil }
    let silent = outsideClock.lastHeard + RoomState.clockSilence
    return min(silent, outsideClock.startAt.map { $0 - RoomState.liveDelay } ?? silent)
  }

  mutating func clockOn(at now: Frames, _ effects: inout [Effect]) {
    guard let source = outsideClock.source else { return }
    if let frame = outsideClock.startAt, frame - RoomState.liveDelay <= now {
      start(at: frame, by: source, &effects)
    }
    if now - outsideClock.lastHeard >= RoomState.clockSilence { endFollowing(&effects) }
  }

  /// The transport starts on the clock's next bar line; where it runs, the beat alone is counted anew.
  private mutating func goOn() {
    let ticks = outsideClock.position * MIDIClock.ticksPerQuarter / 4
    outsideClock.follower.mark(ticks % MIDIClock.ticksPerQuarter, next: true)
    guard !map.isPlaying else { return }
    let bar = map.signatures[map.signatures.count - 1].signature.barLength.microBeats
    let ticksPerBar = max(1, Int(bar) * MIDIClock.ticksPerQuarter / 1_000_000)
    (outsideClock.untilStart, outsideClock.isRestart) = ((ticksPerBar - ticks % ticksPerBar) % ticksPerBar, false)
  }

  private mutating func tick(at frame: Frames, _ live: Frames, by id: PlayerID, _ effects: inout [Effect]) {
    outsideClock.follower.tick(at: Double(frame.count))
    if let left = outsideClock.untilStart {
      outsideClock.untilStart = left > 0 ? left - 1 : nil
      if left == 0 { outsideClock.startAt = max(frame, live) }
    }
    if let startAt = outsideClock.startAt, startAt <= live { start(at: startAt, by: id, &effects) }
    outsideClock.untilLook -= 1
    guard outsideClock.untilLook <= 0, let fit = outsideClock.follower.fit() else { return }
    outsideClock.untilLook = MIDIClock.ticksPerQuarter
    follow(fit, at: live, by: id, &effects)
  }

  private mutating func start(at frame: Frames, by id: PlayerID, _ effects: inout [Effect]) {
    outsideClock.startAt = nil
    guard !map.isPlaying || outsideClock.isRestart else { return }
    advanceLoops(until: frame, &effects)
    let moment = Moment(arrival: frame - RoomState.liveDelay)
    // The lock was asked.
    try? stop(by: id, at: moment, &effects)
    try? play(by: id, at: moment, &effects)
  }

  /// Once a beat: the clock's tempo, where it is another, and its beat, a little at a time.
  private mutating func follow(
    _ fit: ClockFollower.Fit, at frame: Frames, by id: PlayerID, _ effects: inout [Effect]
  ) {
    let bpm = fit.beatsPerMinute
    guard RoomState.clockRange.contains(bpm) else {
      endFollowing(&effects)
      outsideClock.isOutOfRange = true
      let refusal = Refusal.clockOutOfRange(bpm: Int(saturating: bpm.rounded()))
      return effects.append(.tell(.refused(.midiClock(.tick), refusal), .asker))
    }
    advanceLoops(until: frame, &effects)
    let before = Float(buildUps.tempo(of: map).beatsPerMinute)
    let slack = max(RoomState.tempoSlack, bpm * fit.periodError / fit.period)
    if abs(bpm - Double(before)) > slack || buildUps.current != nil {
      // The log holds a Float, so the map must too.
      let after = Float(Tempo(clamping: (bpm * 100).rounded() / 100).beatsPerMinute)
      changeTempo(Tempo(clamping: Double(after)), by: id, at: frame, &effects)
      remember(.tempo, .float(before), .float(after), at: frame, by: id, isOwn: false, run: outsideClock.run)
    }
    guard map.isPlaying, outsideClock.untilStart == nil, outsideClock.startAt == nil else { return }
    // Two beats ahead nudges are over that are still under way.
    let ahead = fit.tick(at: Double(frame.count)) + Double(MIDIClock.ticksPerQuarter * 2)
    let line = fit.frame(at: outsideClock.follower.beat(atOrAfter: ahead))
    let beat = map.view.beat(atExact: line).value
    let framesPerBeat = map.settledTempo.framesPerBeat
    let off = (beat - beat.rounded()) * framesPerBeat
    guard abs(off) > RoomState.beatSlack else { return }
    let most = framesPerBeat * RoomState.mostNudge
    shiftBeat(Float(-min(max(off, -most), most) / 48), by: id, at: frame, &effects)
  }
}

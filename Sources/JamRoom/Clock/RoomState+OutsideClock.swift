internal import JamCore
internal import JamEngine

/// A MIDI clock that the room's tempo follows.
struct OutsideClock: Equatable, Sendable {
  /// The player whose clock is followed; nil while there is none.
  var source: PlayerID?
  /// The follower's player: the source, or one that was silent or out of range and may come back.
  var heard: PlayerID?
  var lastHeard = Frames.zero
  var follower = ClockFollower()
  /// The heard tempo is outside the range; the player knows.
  var isOutOfRange = false
  /// The number of the clock's run: all changes of the tempo by one run are one edit.
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
  /// Whether its song runs; nil while it has said neither.
  var isRunning: Bool?
  /// Whether its ticks come in pairs, as where the same clock comes twice; that is told once.
  var pairs = TickPairs()
  var isPairTold = false
  /// Clocks that are not followed, so that each is told why only once.
  var strangers: [PlayerID: Stranger] = [:]

  struct Stranger: Equatable, Sendable {
    var lastHeard: Frames
    var isTold: Bool
    /// Not until it was silent, whatever else changes.
    var isBarred: Bool
  }
}

/// Following a MIDI clock: tempo as by hand, beat by nudges: a log holds the outcome and no clock.
///
/// One clock at a time is followed: the first to begin. It is over after half a second of silence;
/// the tempo stays. A clock that comes back in the same tempo and on its ticks goes on, with its
/// beat: a network may have held it up. The beat counts from start, from continue at its song
/// position, or else from the first tick heard. The count stays: after a jump of the tempo, the
/// room makes good the beats that it played too fast or too slowly until it knew, and goes to no
/// nearer beat. A tick without a timetag counts one constant delay after its arrival, as live hits.
extension RoomState {
  /// Timetags further off than this are in another clock.
  private static let farthestTag = Frames.seconds(2)
  private static let clockRange = Tempo.range.lowerBound - 0.1...Tempo.range.upperBound + 0.1
  /// A tempo that is off by less stays: in bpm, or what the ticks leave open.
  private static let tempoSlack = 0.02
  /// So is a beat: in frames.
  private static let beatSlack = 48.0
  /// The share of a beat by which one beat may be nudged.
  private static let mostNudge = 1.0 / 16
  /// A beat that is off by more, in quarter notes, is made good at once.
  private static let jump = 0.5
  /// The longest nudge, in milliseconds, and the most nudges at once.
  private static let longestNudge = 1_000.0
  private static let mostNudges = 8

  mutating func hear(_ message: MIDIClock, by id: PlayerID, at moment: Moment) {
    let now = moment.arrival
    if let last = clock.outside.strangers[id]?.lastHeard, now - last >= Clock.silence {
      clock.outside.strangers[id] = nil
    }
    if let reason = whyNotFollow(id) { return ignore(id, message, reason, at: now) }
    clock.outside.strangers[id] = nil
    if clock.outside.source == nil, clock.listen(to: id, at: now) { tell(.tempoSource, of: id) }
    clock.outside.lastHeard = now
    guard clock.outside.source == id else { return audition(message, at: moment, by: id) }
    // Changes by the clock take effect as any live command does.
    let live = notBeforeSent(liveFrame(moment))
    switch message {
    case .tick: tick(at: clockFrame(moment), live, by: id)
    case .start:
      clock.outside.follower.mark(0, next: true, at: .zero)
      (clock.outside.untilStart, clock.outside.isRestart) = (0, true)
      (clock.outside.position, clock.outside.isRunning) = (0, true)
    case .position(let sixteenths):
      clock.outside.position = sixteenths
      if clock.outside.isRunning != false, clock.isPlaying { clock.goElsewhere(from: clockFrame(moment)) }
    case .continue: clock.goOn(from: clockFrame(moment))
    case .stop:
      (clock.outside.untilStart, clock.outside.startAt) = (nil, nil)
      if clock.outside.isRunning == true {
        clock.outside.position += clock.outside.follower.sinceMark * 4 / MIDIClock.ticksPerQuarter
      }
      clock.outside.isRunning = false
      advanceLoops(until: live)
      // The lock was asked.
      stop(by: id, at: Moment(arrival: now))
    }
  }

  private func clockFrame(_ moment: Moment) -> Frames {
    guard let tagged = moment.tagged, (tagged - moment.arrival).count.magnitude <= RoomState.farthestTag.count.magnitude
    else {
      // The room's thread may look later; the arrival stays as it was.
      return arrivalFrame(moment)
    }
    return tagged
  }

  /// An out-of-range clock is heard on (held-up ticks may be why), and followed once in range.
  private mutating func audition(_ message: MIDIClock, at moment: Moment, by id: PlayerID) {
    switch message {
    case .tick: clock.outside.follower.tick(at: Double(clockFrame(moment).count))
    case .start: return clock.outside.follower.mark(0, next: true)
    case .position(let sixteenths): return clock.outside.position = sixteenths
    case .continue: return clock.outside.isRunning = true
    case .stop: return clock.outside.isRunning = false
    }
    clock.outside.untilLook -= 1
    guard clock.outside.untilLook <= 0, let fit = clock.outside.follower.fit() else { return }
    clock.outside.untilLook = MIDIClock.ticksPerQuarter
    guard RoomState.clockRange.contains(fit.beatsPerMinute) else { return }
    clock.goOnFollowing(id)
    tell(.tempoSource, of: id)
    follow(fit, at: notBeforeSent(liveFrame(moment)), by: id)
  }

  // MARK: By the clock

  mutating func clockOn(at now: Frames) {
    guard let source = clock.outside.source else { return }
    if let frame = clock.outside.startAt, frame - RoomState.liveDelay <= now {
      start(at: frame, by: source)
    }
    if now - clock.outside.lastHeard >= Clock.silence { endFollowing() }
  }

  private mutating func tick(at frame: Frames, _ live: Frames, by id: PlayerID) {
    clock.outside.follower.tick(at: Double(frame.count))
    clock.outside.pairs.tick(at: frame)
    if let left = clock.outside.untilStart {
      clock.outside.untilStart = left > 0 ? left - 1 : nil
      if left == 0 { clock.outside.startAt = max(frame, live) }
    }
    if let startAt = clock.outside.startAt, startAt <= live { start(at: startAt, by: id) }
    clock.outside.untilLook -= 1
    guard clock.outside.untilLook <= 0, let fit = clock.outside.follower.fit() else { return }
    clock.outside.untilLook = MIDIClock.ticksPerQuarter
    follow(fit, at: live, by: id)
  }

  private mutating func start(at frame: Frames, by id: PlayerID) {
    clock.outside.startAt = nil
    guard !clock.isPlaying || clock.outside.isRestart else { return }
    advanceLoops(until: frame)
    let moment = Moment(arrival: frame - RoomState.liveDelay)
    // Beats count anew, and this clock has said from where.
    let place = clock.outside.follower.place
    // The tempo may have been locked since the last tick.
    if roster.isUnlocked(.tempo, id) {
      stop(by: id, at: moment)
      play(by: id, at: moment)
    }
    clock.outside.follower.place = place
  }

  /// Once a beat: the clock's tempo, where it is another, and its beat, a little at a time.
  private mutating func follow(_ fit: ClockFollower.Fit, at frame: Frames, by id: PlayerID) {
    let bpm = fit.beatsPerMinute
    guard RoomState.clockRange.contains(bpm) else {
      endFollowing()
      clock.outside.isOutOfRange = true
      let refusal = Refusal.clockOutOfRange(bpm: Int(saturating: bpm.rounded()))
      return outbox.append(.tell(.refused(.midiClock(.tick), refusal), .asker))
    }
    advanceLoops(until: frame)
    let before = Float(clock.buildUps.tempo(of: clock.map).beatsPerMinute)
    let slack = max(RoomState.tempoSlack, bpm * fit.periodError / fit.period)
    if abs(bpm - Double(before)) > slack || clock.buildUps.current != nil {
      // The log holds a Float, so the map must too.
      let after = Float(Tempo(clamping: (bpm * 100).rounded() / 100).beatsPerMinute)
      changeTempo(Tempo(clamping: Double(after)), by: id, at: frame)
      remember(.tempo, .float(before), .float(after), at: frame, by: id, isOwn: false, run: clock.outside.run)
    }
    guard clock.isPlaying, clock.outside.untilStart == nil, clock.outside.startAt == nil else { return }
    tellPairs(bpm)
    // A tick at which all nudges under way are over.
    let perBeat = Double(MIDIClock.ticksPerQuarter)
    let ahead = max(fit.tick(at: Double(frame.count)) + perBeat * 2, fit.tick(at: clock.map.settledFrame))
    let tick = clock.outside.follower.beat(atOrAfter: ahead)
    let beat = clock.view.beat(atExact: fit.frame(at: tick))
    let counted = clock.outside.follower.beats(from: tick)
    // A clock that never told its place goes on from the nearest beat.
    let place = clock.outside.follower.place ?? Beats(Int(saturating: beat.value.rounded())) - counted
    clock.outside.follower.place = place
    let framesPerBeat = clock.map.settledTempo.framesPerBeat
    let off = (beat - place - counted).value
    guard abs(off * framesPerBeat) > RoomState.beatSlack else { return }
    let most =
      abs(off) > RoomState.jump
      ? RoomState.longestNudge * Double(RoomState.mostNudges) : framesPerBeat / 48 * RoomState.mostNudge
    draw(by: -min(max(off * framesPerBeat / 48, -most), most), at: frame, by: id)
  }

  /// Moves the beat by so many milliseconds, in as many nudges as that takes.
  private mutating func draw(by milliseconds: Double, at frame: Frames, by id: PlayerID) {
    var left = milliseconds
    for _ in 0..<RoomState.mostNudges where abs(left) > RoomState.beatSlack / 48 {
      let step = Float(min(max(left, -RoomState.longestNudge), RoomState.longestNudge))
      guard isNudgeable(by: step, at: frame), clock.map.segmentsAhead(of: frame) + 2 <= limits.tempoChangesAhead else {
        return
      }
      shiftBeat(step, by: id, at: frame)
      left -= Double(step)
    }
  }

  /// The same clock by two cables: each tick comes twice, and the tempo is twice its own.
  private mutating func tellPairs(_ bpm: Double) {
    guard clock.outside.pairs.arePairs, !clock.outside.isPairTold else { return }
    clock.outside.isPairTold = true
    outbox.append(.tell(.notice(.clockInPairs(bpm: Int(saturating: bpm.rounded()))), .asker))
  }
}

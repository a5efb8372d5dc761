internal import JamCore
internal import JamEngine

/// A MIDI clock that the room's tempo follows.
struct OutsideClock: Equatable, Sendable {
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

/// Following a MIDI clock: its tempo is set as by hand, its beat by nudges, so that a log holds what came of it and no clock.
///
/// One clock at a time, of whoever begins; it is over when it was silent for half a second, and the tempo stays. Where it comes back, in
/// the same tempo and on its ticks, it goes on, and so does its beat: a network may have held it up. The beat is counted from
/// start, from continue at its song position, or else from the first tick heard. What was counted
/// stays: where the tempo jumps, the room makes good what it played too fast or too slowly until it
/// knew that, and goes to no nearer beat. A tick without a timetag counts one constant delay after
/// its arrival, as whoever plays along is heard.
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
  /// What one nudge holds, in milliseconds, and how many come at once.
  private static let longestNudge = 1_000.0
  private static let mostNudges = 8

  mutating func hear(_ message: MIDIClock, by id: PlayerID, at moment: Moment) {
    let now = moment.arrival
    if let last = clock.outside.strangers[id]?.lastHeard, now - last >= RoomState.clockSilence {
      clock.outside.strangers[id] = nil
    }
    if let reason = whyNotFollow(id) { return ignore(id, message, reason, at: now) }
    clock.outside.strangers[id] = nil
    if clock.outside.source == nil { listen(to: id, at: now) }
    clock.outside.lastHeard = now
    guard clock.outside.source == id else { return audition(message, at: moment, by: id) }
    // What it changes takes effect as any live command.
    let live = notBeforeSent(liveFrame(moment))
    switch message {
    case .tick: tick(at: clockFrame(moment), live, by: id)
    case .start:
      clock.outside.follower.mark(0, next: true, at: .zero)
      (clock.outside.untilStart, clock.outside.isRestart) = (0, true)
      (clock.outside.position, clock.outside.isRunning) = (0, true)
    case .position(let sixteenths):
      clock.outside.position = sixteenths
      if clock.outside.isRunning != false, clock.isPlaying { goElsewhere(from: clockFrame(moment)) }
    case .continue: goOn(from: clockFrame(moment))
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
      // Where the room's thread looks later, the arrival is what it was.
      return arrivalFrame(moment)
    }
    return tagged
  }

  /// A clock out of range is heard on, for ticks that a network held up may have made it one: once it is in range it is followed.
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
    goOnFollowing(id)
    follow(fit, at: notBeforeSent(liveFrame(moment)), by: id)
  }

  // MARK: By the clock

  mutating func clockOn(at now: Frames) {
    guard let source = clock.outside.source else { return }
    if let frame = clock.outside.startAt, frame - RoomState.liveDelay <= now {
      start(at: frame, by: source)
    }
    if now - clock.outside.lastHeard >= RoomState.clockSilence { endFollowing() }
  }

  /// The transport starts on the clock's next bar line; where it runs, its bars are drawn to the
  /// clock's.
  private mutating func goOn(from frame: Frames) {
    clock.outside.isRunning = true
    guard !clock.isPlaying else { return goElsewhere(from: frame) }
    let (ticks, perBeat) = (clock.outside.position * MIDIClock.ticksPerQuarter / 4, MIDIClock.ticksPerQuarter)
    let bar = clock.signature.barLength.microBeats
    let ticksPerBar = max(1, Int(bar) * perBeat / 1_000_000)
    let left = (ticksPerBar - ticks % ticksPerBar) % ticksPerBar
    clock.outside.follower.mark(ticks % perBeat, next: true, at: .zero - RoomState.beats(left + ticks % perBeat))
    (clock.outside.untilStart, clock.outside.isRestart) = (left, false)
  }

  /// The clock's song goes on at its position while the room plays: the room's bars are drawn to
  /// the song's, the shorter way.
  /// - Parameter frame: of the message, where no tick was heard that says when the next comes.
  private mutating func goElsewhere(from frame: Frames) {
    guard clock.outside.untilStart == nil, clock.outside.startAt == nil else { return }
    let (ticks, perBeat) = (clock.outside.position * MIDIClock.ticksPerQuarter / 4, MIDIClock.ticksPerQuarter)
    let now = clock.view.beat(atExact: clock.outside.follower.nextFrame ?? Double(frame.count))
    let bar = clock.view.signature(at: now).signature.barLength
    let into = Beats(microBeats: RoomState.beats(ticks).microBeats % bar.microBeats)
    var place = clock.view.barLine(atOrBefore: now) + into
    if (place - now).microBeats * 2 > bar.microBeats { place = place - bar }
    if (now - place).microBeats * 2 > bar.microBeats { place = place + bar }
    clock.outside.follower.mark(ticks % perBeat, next: true, at: place - RoomState.beats(ticks % perBeat))
  }

  private static func beats(_ ticks: Int) -> Beats {
    Beats(microBeats: Int64(ticks) * 1_000_000 / Int64(MIDIClock.ticksPerQuarter))
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
    // Where nudges are over that are still under way.
    let perBeat = Double(MIDIClock.ticksPerQuarter)
    let ahead = max(fit.tick(at: Double(frame.count)) + perBeat * 2, fit.tick(at: clock.map.settledFrame))
    let tick = clock.outside.follower.beat(atOrAfter: ahead)
    let beat = clock.view.beat(atExact: fit.frame(at: tick))
    let counted = clock.outside.follower.beats(from: tick)
    // Who never said where it is goes on from the nearest beat.
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

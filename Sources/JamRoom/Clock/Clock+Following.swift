internal import JamCore

/// An outside clock: whose it is, and where its song and the room's bars are.
extension Clock {
  /// After so long a silence an outside clock is followed no more.
  static let silence = Frames.seconds(0.5)
  /// One that was silent longer begins anew.
  private static let memory = Frames.seconds(8)

  /// No clock is followed: the player's goes on after a silence, or begins.
  /// - Returns: whether it is followed now.
  mutating func listen(to id: PlayerID, at now: Frames) -> Bool {
    let silence = now - outside.lastHeard
    let isKnown = outside.heard == id && silence < Clock.memory
    if isKnown, outside.isOutOfRange, silence < Clock.silence { return false }
    if !isKnown || outside.isOutOfRange { outside = outside.anew(from: id) }
    goOnFollowing(id)
    return true
  }

  mutating func goOnFollowing(_ id: PlayerID) {
    outside.source = id
    outside.run = beginRun()
    outside.isOutOfRange = false
    outside.untilLook = MIDIClock.ticksPerQuarter
  }

  /// The time at which the outside clock starts the transport, or is silent for too long. Mutating,
  /// as `RoomState.findDeadline`.
  var outsideDeadline: Frames? {
    mutating get {
      guard outside.source != nil else { return nil }
      let silent = outside.lastHeard + Clock.silence
      return min(silent, outside.startAt.map { $0 - RoomState.liveDelay } ?? silent)
    }
  }

  /// The transport starts on the outside clock's next bar line; where it runs, its bars are drawn to
  /// the outside clock's.
  /// - Parameter frame: of the message, where no tick was heard that says when the next comes.
  mutating func goOn(from frame: Frames) {
    outside.isRunning = true
    guard !isPlaying else { return goElsewhere(from: frame) }
    let (ticks, perBeat) = (outside.position * MIDIClock.ticksPerQuarter / 4, MIDIClock.ticksPerQuarter)
    let bar = signature.barLength.microBeats
    let ticksPerBar = max(1, Int(bar) * perBeat / 1_000_000)
    let left = (ticksPerBar - ticks % ticksPerBar) % ticksPerBar
    outside.follower.mark(ticks % perBeat, next: true, at: .zero - Clock.beats(left + ticks % perBeat))
    (outside.untilStart, outside.isRestart) = (left, false)
  }

  /// The outside clock's song goes on at its position while the room plays: the room's bars are
  /// drawn to the song's, the shorter way.
  mutating func goElsewhere(from frame: Frames) {
    guard outside.untilStart == nil, outside.startAt == nil else { return }
    let (ticks, perBeat) = (outside.position * MIDIClock.ticksPerQuarter / 4, MIDIClock.ticksPerQuarter)
    let now = view.beat(atExact: outside.follower.nextFrame ?? Double(frame.count))
    let bar = view.signature(at: now).signature.barLength
    let into = Beats(microBeats: Clock.beats(ticks).microBeats % bar.microBeats)
    var place = view.barLine(atOrBefore: now) + into
    if (place - now).microBeats * 2 > bar.microBeats { place = place - bar }
    if (now - place).microBeats * 2 > bar.microBeats { place = place + bar }
    outside.follower.mark(ticks % perBeat, next: true, at: place - Clock.beats(ticks % perBeat))
  }

  private static func beats(_ ticks: Int) -> Beats {
    Beats(microBeats: Int64(ticks) * 1_000_000 / Int64(MIDIClock.ticksPerQuarter))
  }
}

extension OutsideClock {
  /// The player's clock begins; clocks that are not followed stay as they are.
  fileprivate func anew(from id: PlayerID) -> OutsideClock {
    var new = OutsideClock()
    new.heard = id
    new.strangers = strangers
    // It may have said that long before it began to tick.
    if heard == id { new.position = position }
    return new
  }
}

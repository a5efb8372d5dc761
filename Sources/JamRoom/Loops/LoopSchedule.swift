internal import JamCore

/// The next deed of each loop and lane, side by side and cheap to look at; and the progress so far.
///
/// It knows frames and beats, and no loop.
struct LoopSchedule: Equatable, Sendable {
  /// The frame of each player's next hit, by `PlayerID.index`; `never` while nothing of its plays.
  private(set) var frames: [Frames]
  /// The bar line that each player's loop or lanes wait for; `noBeat` is none.
  private(set) var turns: [Beats]
  /// The next bar line on which a player's loop or lanes have a turn, and that player.
  private(set) var nextTurn: Turn?
  /// The frame of the next hit of any loop; nil while none plays.
  private(set) var nextHit: Frames?
  /// The time for the next late hit to go into its layer; nil while there is none.
  private(set) var nextLate: Frames?
  /// The loops' hits before this frame have been sent, as far as they were due.
  private(set) var sent = Frames.zero
  /// The lead with which hits are sent ahead of that.
  var lead = LoopLead()
  /// Bar lines up to this frame are over: what waited for them was carried out.
  private(set) var advanced = Frames.zero
  /// Notes of loops and lanes that are moved while they sound.
  var moving = MovingNotes()

  struct Turn: Equatable, Sendable {
    var player: PlayerID
    var beat: Beats
  }

  static let never = Frames(.max)
  static let noBeat = Beats(microBeats: .max)

  init(players: Int) {
    frames = Array(repeating: LoopSchedule.never, count: players)
    turns = Array(repeating: LoopSchedule.noBeat, count: players)
  }

  /// The time of the next hit or turn, by the clock; nil while there is none.
  func deadline(_ view: TempoMapView) -> Frames? {
    let turn = nextTurn.map { view.frame(at: $0.beat) }
    guard let nextHit, nextHit < turn ?? LoopSchedule.never else { return turn }
    let length = lead.length(at: nextHit)
    // A hit before the mark is due at its delay: it came up behind hits sent ahead.
    guard length > .zero, nextHit >= lead.sent else { return nextHit }
    // Half of the lead: so one turn sends the other half, too. No hit is sent ahead of its bar.
    return max(nextHit - Frames(length.count / 2), view.barFrames(around: nextHit).last)
  }

  /// Whether the next hit is one of many.
  var isDense: Bool { nextHit.map { lead.length(at: $0) > .zero } ?? false }

  /// Up to where hits are sent ahead, once those up to `horizon` were sent. The frame lies before
  /// the next bar line and the next turn: of what begins or ends there no hit was sent.
  func lastAhead(of horizon: Frames, _ view: TempoMapView) -> Frames {
    let end = horizon + lead.length(at: nextHit ?? horizon)
    let line = view.barFrames(around: horizon).next
    let turn = nextTurn.map { view.frame(at: $0.beat) } ?? line
    return min(end, min(line, turn) - Frames(1))
  }

  // MARK: Planning

  /// - Parameter frame: `never` where nothing of the player's plays.
  mutating func setNextHit(of id: PlayerID, at frame: Frames) { frames[Int(id.index)] = frame }

  /// - Parameter beat: nil is no bar line.
  mutating func setNextTurn(of id: PlayerID, at beat: Beats?) {
    turns[Int(id.index)] = beat ?? LoopSchedule.noBeat
  }

  /// Some player's next hits are others now.
  mutating func findNextHit(isPlaying: Bool) {
    let next = frames.reduce(LoopSchedule.never) { min($0, $1) }
    nextHit = isPlaying && next != LoopSchedule.never ? next : nil
  }

  /// Some player's next turns are others now.
  mutating func findNextTurn() {
    nextTurn = nil
    for (index, beat) in turns.enumerated() where beat < (nextTurn?.beat ?? LoopSchedule.noBeat) {
      nextTurn = Turn(player: PlayerID(index: UInt8(index)), beat: beat)
    }
  }

  /// Some player's next hits and turns are others now.
  mutating func findNext(isPlaying: Bool) {
    findNextTurn()
    findNextHit(isPlaying: isPlaying)
  }

  // MARK: Late hits

  mutating func awaitLate(at frame: Frames) { nextLate = min(nextLate ?? frame, frame) }

  /// The late hits are looked at: who still waits says so again.
  mutating func forgetLate() { nextLate = nil }

  // MARK: Progress

  /// Hits before this frame do not come any more: they were sent as they were due, or ahead.
  var over: Frames { max(sent, lead.sent) }

  /// All hits up to `last` were sent.
  mutating func send(until last: Frames, isAhead: Bool = false) {
    if isAhead { lead.sent = max(lead.sent, last + Frames(1)) } else { sent = max(sent, last + Frames(1)) }
  }

  /// Everything up to `frame` has happened: from now on no change takes effect before it, and no hit
  /// of a change sounds before it.
  mutating func advance(to frame: Frames) { advanced = max(advanced, frame) }
}

/// The hits of loops are sent this much ahead of a live hit's delay: not at all if few come at
/// once, and the further the more there are. A room's thread that is some milliseconds late is then
/// in time for them.
struct LoopLead: Equatable, Sendable {
  private static let window = Frames.milliseconds(10)
  /// So many hits in a window are sent in time at the last moment.
  private static let few: UInt16 = 24
  /// Each hit beyond adds more than the time that it takes to send one.
  private static let framesForHit: Int64 = 12
  /// A full window counts for eight times this, four seconds: a bar at 60 bpm.
  private static let span = Frames.milliseconds(500)

  /// Zero sends every hit at its delay.
  var longest = Frames.milliseconds(20)
  /// Hits before this frame were sent ahead.
  fileprivate(set) var sent = Frames.zero
  /// The window of the last hit, by its number, and how many hits lie in it.
  private var window: Int64 = 0
  private var hits: UInt16 = 0
  /// The most hits in a window of each of the last eight spans; the last span is `span`, by its
  /// number.
  private var peaks = SIMD8<UInt16>()
  private var span: Int64 = 0

  /// The most that a hit at `frame` is sent ahead. The length follows from the frames of hits, and
  /// from no clock.
  func length(at frame: Frames) -> Frames {
    let now = frame.count / LoopLead.span.count
    var most: UInt16 = 0
    for back in 0..<8 as Range<Int64> where span - back > now - 8 {
      most = max(most, peaks[LoopLead.place(of: span - back)])
    }
    guard most > LoopLead.few else { return .zero }
    return min(longest, Frames(Int64(most - LoopLead.few) * LoopLead.framesForHit))
  }

  /// A hit was sent that sounds at `frame`.
  mutating func count(hitAt frame: Frames) {
    let new = frame.count / LoopLead.window.count
    // In a late turn one player's first hits come behind another one's last.
    if new > window { (window, hits) = (new, 0) }
    if hits < .max { hits += 1 }
    let now = frame.count / LoopLead.span.count
    if now > span {
      for skipped in 0..<min(8, now - span) as Range<Int64> { peaks[LoopLead.place(of: now - skipped)] = 0 }
      span = now
    }
    let place = LoopLead.place(of: span)
    peaks[place] = max(peaks[place], hits)
  }

  private static func place(of span: Int64) -> Int { Int(span & 7) }
}

extension TempoMapView {
  /// The frames of the last bar line at or before `frame`, and of the next one.
  fileprivate func barFrames(around frame: Frames) -> (last: Frames, next: Frames) {
    func following(_ line: Beats) -> Beats { barLine(atOrAfter: line + Beats(microBeats: 1)) }
    var line = barLine(atOrBefore: beat(at: frame))
    // A bar line lies between two frames: the beat of the nearer one may come before it.
    if self.frame(at: following(line)) <= frame { line = following(line) }
    return (self.frame(at: line), self.frame(at: following(line)))
  }
}

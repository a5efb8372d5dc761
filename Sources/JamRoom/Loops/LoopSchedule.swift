internal import JamCore

/// What all loops and lanes do next, side by side, so that looking at all of them is cheap; and how far they were carried out.
///
/// It knows frames and beats, and no loop.
struct LoopSchedule: Equatable, Sendable {
  /// The frame of each player's next hit, by `PlayerID.index`; `never` while nothing of its plays.
  private(set) var frames: [Frames]
  /// The bar line that each player's loop or lanes wait for; `noBeat` is none.
  private(set) var turns: [Beats]
  /// Who has something to do next on a bar line, and on which.
  private(set) var nextTurn: Turn?
  /// When the next hit of any loop is to sound; nil while none plays.
  private(set) var nextHit: Frames?
  /// When the next hit that came late for its layer is to go into it; nil while there is none.
  private(set) var nextLate: Frames?
  /// The loops' hits before this frame have been sent.
  private(set) var sent = Frames.zero
  /// How many hits come at once.
  private(set) var density = LoopDensity()
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

  /// When the next hit or turn is to be carried out, by the clock; nil while there is none.
  /// - Parameter ahead: how much before its time a hit is sent; never before a turn.
  func deadline(_ view: TempoMapView, ahead: Frames) -> Frames? {
    guard let nextTurn else { return nextHit.map { $0 - ahead } }
    let turn = view.frame(at: nextTurn.beat)
    guard let nextHit, nextHit < turn else { return turn }
    return nextHit - ahead
  }

  /// How much further ahead than a live hit's delay hits are sent. Zero but where many come at once: to send those takes
  /// the room's thread as long as a live hit's delay leaves it. What is changed meanwhile changes the hits behind these.
  var lookahead: Frames { density.lookahead }

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

  // MARK: Late hits

  mutating func awaitLate(at frame: Frames) { nextLate = min(nextLate ?? frame, frame) }

  /// The late hits are looked at: who still waits says so again.
  mutating func forgetLate() { nextLate = nil }

  // MARK: How far it is

  /// A hit was sent that sounds at `frame`.
  mutating func count(hitAt frame: Frames) { density.count(hitAt: frame) }

  /// All hits up to `last` were sent.
  mutating func send(until last: Frames) { sent = max(sent, last + Frames(1)) }

  /// What happens up to `frame` has happened: nothing takes effect before it from now on.
  mutating func advance(to frame: Frames) { advanced = max(advanced, frame) }
}

/// How many hits of loops come within a hundredth of a second, at most, lately.
struct LoopDensity: Equatable, Sendable {
  private static let window = Frames.milliseconds(10)
  /// After so many windows with fewer a peak is over: two seconds.
  private static let memory: Int64 = 200
  /// So many are sent in time at the last moment.
  private static let few = 24
  /// For each hit beyond: more than it takes to send one.
  private static let framesForHit: Int64 = 12
  private static let most = Frames.milliseconds(20)

  /// The window that the last hit fell into, by its number, and the hits in it.
  private var window: Int64 = 0
  private var hits = 0
  /// The most hits of a window lately, and which that was.
  private var peak = 0
  private var peakWindow: Int64 = 0

  var lookahead: Frames {
    let hits = max(peak, hits)
    guard hits > LoopDensity.few else { return .zero }
    return min(LoopDensity.most, Frames(Int64(hits - LoopDensity.few) * LoopDensity.framesForHit))
  }

  mutating func count(hitAt frame: Frames) {
    let new = frame.count / LoopDensity.window.count
    if new != window {
      if hits >= peak || window - peakWindow > LoopDensity.memory { (peak, peakWindow) = (hits, window) }
      (window, hits) = (new, 0)
    }
    hits += 1
  }
}

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
  func deadline(_ view: TempoMapView) -> Frames? {
    guard let nextTurn else { return nextHit }
    let turn = view.frame(at: nextTurn.beat)
    return min(nextHit ?? turn, turn)
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

  // MARK: Late hits

  mutating func awaitLate(at frame: Frames) { nextLate = min(nextLate ?? frame, frame) }

  /// The late hits are looked at: who still waits says so again.
  mutating func forgetLate() { nextLate = nil }

  // MARK: How far it is

  /// All hits up to `last` were sent.
  mutating func send(until last: Frames) { sent = max(sent, last + Frames(1)) }

  /// What happens up to `frame` has happened: nothing takes effect before it from now on.
  mutating func advance(to frame: Frames) { advanced = max(advanced, frame) }
}

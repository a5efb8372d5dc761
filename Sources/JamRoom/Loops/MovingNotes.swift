internal import JamCore

/// Notes of loops and lanes that sound, and what is still to be done to them as it was when they were played.
struct MovingNotes: Equatable, Sendable {
  /// Something that is to be done to a note that sounds.
  struct Move: Equatable, Sendable {
    var player: PlayerID
    var key: Pad
    var frame: Frames
    var kind: NoteMove.Kind
    var value: Float
  }

  /// In the order of their frames; those of one frame as they were given.
  private var moves: [Move] = []

  /// When the next one is due; nil while there is none.
  var next: Frames? { moves.first?.frame }

  /// A note begins: what its player's same key was to do before is over.
  /// - Parameter new: of this note, in the order of their frames.
  mutating func begin(_ key: Pad, of player: PlayerID, _ new: [Move] = []) {
    if !moves.isEmpty { moves.removeAll { $0.player == player && $0.key == key } }
    for move in new { moves.insert(move, at: moves.firstIndex { $0.frame > move.frame } ?? moves.count) }
  }

  /// Nothing of the player sounds any more.
  mutating func end(of player: PlayerID) { moves.removeAll { $0.player == player } }

  /// The next one, if it is due up to `last`.
  mutating func take(until last: Frames) -> Move? {
    guard let next, next <= last else { return nil }
    return moves.removeFirst()
  }
}

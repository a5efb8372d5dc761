internal import JamCore

/// Notes of loops and lanes that sound, and the moves that are still to repeat on them.
struct MovingNotes: Equatable, Sendable {
  /// A move that waits for its frame.
  struct Move: Equatable, Sendable {
    var frame: Frames
    var kind: NoteMove.Kind
    var value: Float
  }

  private struct Note: Equatable, Sendable {
    var player: PlayerID
    var key: Pad
    var begin: Frames
    /// In the order of their frames; not empty.
    var moves: ArraySlice<Move>
  }

  /// Of a key the one that sounds, and one that comes soon: the next of thousands of moves is
  /// looked for among a few notes.
  private var notes: [Note] = []
  /// The frame of the next move; nil while there is none.
  private(set) var next: Frames?

  /// A note begins: what its player's same key was to do is over. A note of the key that begins
  /// later, because it was sent ahead, keeps its moves.
  /// - Parameters:
  ///   - frame: the note's beginning; moves due before it are still done.
  ///   - moves: of this note, in the order of their frames.
  mutating func begin(_ key: Pad, of player: PlayerID, at frame: Frames, _ moves: [Move] = []) {
    guard !notes.isEmpty || !moves.isEmpty else { return }
    for index in notes.indices
    where notes[index].player == player && notes[index].key == key && notes[index].begin <= frame {
      notes[index].moves = notes[index].moves.prefix { $0.frame < frame }
    }
    notes.removeAll { $0.moves.isEmpty }
    if !moves.isEmpty { notes.append(Note(player: player, key: key, begin: frame, moves: moves[...])) }
    plan()
  }

  /// Nothing of the player sounds any more.
  mutating func end(of player: PlayerID) {
    notes.removeAll { $0.player == player }
    plan()
  }

  /// The next one, if it is due up to `last`; of one frame, that of the note that began first.
  mutating func take(until last: Frames) -> (player: PlayerID, key: Pad, move: Move)? {
    guard let next, next <= last, let index = notes.firstIndex(where: { $0.moves.first?.frame == next }) else {
      return nil
    }
    let (player, key) = (notes[index].player, notes[index].key)
    let move = notes[index].moves.removeFirst()
    if notes[index].moves.isEmpty { notes.remove(at: index) }
    plan()
    return (player, key, move)
  }

  private mutating func plan() { next = notes.lazy.compactMap(\.moves.first?.frame).min() }
}

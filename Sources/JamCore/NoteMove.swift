/// A movement of the hand while a note sounds, as a loop or a block keeps it.
public struct NoteMove: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Where the finger lies on the key: 0…1.
    case height
    /// The bend of the pitch, in semitones: the key's own bend and the wheel's together.
    case bend
  }

  /// Counted from the note's beginning.
  public var at: Beats
  public var kind: Kind
  public var value: Float

  public init(at: Beats, _ kind: Kind, _ value: Float) {
    self.at = at
    self.kind = kind
    self.value = value
  }

  /// The largest number of moves of a note.
  public static let most = 128

  /// The range of the value.
  public static func range(of kind: Kind) -> ClosedRange<Float> { kind == .height ? 0...1 : -48...48 }
}

extension [NoteMove] {
  /// Whether a note can have these moves: at most `NoteMove.most`, in order of time, each within
  /// its range.
  public var arePossible: Bool {
    count <= NoteMove.most && (first?.at ?? .zero) >= .zero
      && zip(self, dropFirst()).allSatisfy { $0.at <= $1.at }
      && allSatisfy { NoteMove.range(of: $0.kind).contains($0.value) }
  }
}

/// A note that can have moves.
public protocol Moved {
  var moves: [NoteMove] { get set }
}

extension BlockHit: Moved {}

extension Array where Element: Moved {
  public var moveCount: Int { reduce(0) { $0 + $1.moves.count } }

  /// Removes moves from hits so that at most `most` moves remain. The first hits keep their moves.
  public mutating func dropMoves(beyond most: Int) {
    guard moveCount > most else { return }
    var left = most
    for index in indices {
      left -= self[index].moves.count
      if left < 0 { self[index].moves = [] }
    }
  }
}

/// Something that a hand does to a note while it sounds, as a loop or a block keeps it.
public struct NoteMove: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Where the finger lies on the key: 0…1.
    case height
    /// Of the note's pitch, in semitones: the key's own and the wheel's.
    case bend
  }

  /// From the note's beginning.
  public var at: Beats
  public var kind: Kind
  public var value: Float

  public init(at: Beats, _ kind: Kind, _ value: Float) {
    self.at = at
    self.kind = kind
    self.value = value
  }

  /// So many has a note at most.
  public static let most = 128

  /// What the value may be.
  public static func range(of kind: Kind) -> ClosedRange<Float> { kind == .height ? 0...1 : -48...48 }
}

extension [NoteMove] {
  /// Whether a note can have them: no more than `NoteMove.most`, one behind the other, each within its range.
  public var arePossible: Bool {
    count <= NoteMove.most && (first?.at ?? .zero) >= .zero
      && zip(self, dropFirst()).allSatisfy { $0.at <= $1.at }
      && allSatisfy { NoteMove.range(of: $0.kind).contains($0.value) }
  }
}

/// Something that a hand may have moved while it sounded.
public protocol Moved {
  var moves: [NoteMove] { get set }
}

extension BlockHit: Moved {}

extension Array where Element: Moved {
  public var moveCount: Int { reduce(0) { $0 + $1.moves.count } }

  /// Hits lose their moves from the one on that would have more of them together than `most`.
  public mutating func dropMoves(beyond most: Int) {
    guard moveCount > most else { return }
    var left = most
    for index in indices {
      left -= self[index].moves.count
      if left < 0 { self[index].moves = [] }
    }
  }
}

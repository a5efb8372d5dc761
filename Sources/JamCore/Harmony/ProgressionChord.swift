/// A chord of a progression: its root, its notes, and its length.
public struct ProgressionChord: Hashable, Sendable {
  /// The root of a chord.
  public enum Root: Hashable, Sendable {
    /// A degree of the key's own scale, 1…7: `5`.
    case degree(Int)
    /// A degree in Roman numerals: `V`, `bVI`. With a second numeral after a slash the first one
    /// counts from that chord: `V7/ii`.
    case numeral(Numeral, of: Numeral?)
    /// A note that stays the same in every key.
    case note(NoteName)
  }

  /// A degree in Roman numerals, counted in the major or minor scale on the key's first note.
  public struct Numeral: Hashable, Sendable {
    /// 1…7.
    public let number: Int
    /// −1 is a flat, 1 a sharp. A numeral with a sign counts from the major scale, in minor too.
    public let sign: Int
    /// Small letters: the chord is minor.
    public let isMinor: Bool
  }

  /// The notes of a chord.
  public enum Quality: Hashable, Sendable {
    /// So many notes of the key's scale in thirds: 3 is a triad, 4 adds the seventh, 5 the ninth.
    case ofScale(count: Int)
    case type(ChordType)
  }

  /// The lowest note, where the chord names one.
  public enum Bass: Hashable, Sendable {
    /// A degree, 1…7; the sign counts as a numeral's does.
    case degree(Int, sign: Int)
    case note(NoteName)
  }

  // The bounds are in order: a quarter of a beat, and sixteen bars of four beats.
  public static let lengths = Beats(microBeats: 250_000)...Beats(64)
  public static let inversions = 0...5

  public internal(set) var root: Root
  public internal(set) var quality: Quality
  public internal(set) var bass: Bass?
  /// How many notes move from the bottom to the top. The next note is then the lowest. Nil chooses
  /// the inversion that is nearest to the chord before.
  public internal(set) var inversion: Int?
  public internal(set) var length = Beats(4)

  /// Whether the chord changes with the key.
  public var isRelative: Bool { if case .note = root { false } else { true } }
}

/// A chord as it sounds in a key.
public struct SoundingChord: Hashable, Sendable {
  public let root: PitchClass
  /// Semitones above the root, rising from 0, within an octave.
  public let intervals: [Int]
  /// The chord's type; nil for a chord without a name.
  public let type: ChordType?
  /// The lowest note, where it is not the root.
  public let bass: PitchClass?
  /// The root and the bass as the text of an absolute chord writes them.
  let writtenRoot: NoteName?
  let writtenBass: NoteName?

  /// The name as musicians write it in that key. A chord without a type's name is called by its
  /// root.
  public func name(in key: MusicalKey) -> String {
    let rootName = writtenRoot?.text ?? type.map { key.name(ofRoot: root, of: $0) } ?? key.name(of: root)
    guard let bass else { return rootName + (type?.suffix ?? "") }
    let bassName =
      writtenBass?.text ?? type.flatMap { ChordName.bass(bass, of: $0, on: rootName) } ?? key.name(of: bass)
    return rootName + (type?.suffix ?? "") + "/" + bassName
  }
}

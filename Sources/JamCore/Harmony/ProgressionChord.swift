/// A chord of a progression: what it stands on, what it is made of, and for how long it sounds.
public struct ProgressionChord: Hashable, Sendable {
  /// What a chord stands on.
  public enum Root: Hashable, Sendable {
    /// A degree of the key's own scale, 1…7: `5`.
    case degree(Int)
    /// A degree in Roman numerals: `V`, `bVI`; with another one behind a slash it belongs to the chord there: `V7/ii`.
    case numeral(Numeral, of: Numeral?)
    /// A note that no key moves.
    case note(NoteName)
  }

  /// A degree in Roman numerals, against the major or minor scale on the key's first note.
  public struct Numeral: Hashable, Sendable {
    /// 1…7.
    public let number: Int
    /// −1 is a flat, 1 a sharp: against the major scale then, in minor too.
    public let sign: Int
    /// Small letters: a minor chord.
    public let isMinor: Bool
  }

  /// What a chord is made of.
  public enum Quality: Hashable, Sendable {
    /// So many notes of the key's scale, in its thirds: 3 is a triad, 4 has the seventh, 5 the ninth.
    case ofScale(count: Int)
    case type(ChordType)
  }

  /// The lowest note, where the chord says which.
  public enum Bass: Hashable, Sendable {
    /// A degree, 1…7, with its sign as of a numeral.
    case degree(Int, sign: Int)
    case note(NoteName)
  }

  // In order: a quarter of a beat, and sixteen bars of four.
  public static let lengths = Beats(microBeats: 250_000)...Beats(64)
  public static let inversions = 0...5

  public internal(set) var root: Root
  public internal(set) var quality: Quality
  public internal(set) var bass: Bass?
  /// So many notes go from below to above the others, which makes the next one the lowest; nil leaves the choice to the chord before.
  public internal(set) var inversion: Int?
  public internal(set) var length = Beats(4)

  /// Whether the key moves it.
  public var isRelative: Bool { if case .note = root { false } else { true } }
}

/// A chord as it sounds in a key.
public struct SoundingChord: Hashable, Sendable {
  public let root: PitchClass
  /// Semitones above the root, from 0 on, rising, within an octave.
  public let intervals: [Int]
  /// Which of the known chords it is; nil of another.
  public let type: ChordType?
  /// The lowest note, where it is not to be the root.
  public let bass: PitchClass?
  /// The root and the bass as the text of an absolute chord has them.
  let writtenRoot: NoteName?
  let writtenBass: NoteName?

  /// As musicians write it in that key. A chord that has no name is called by its root.
  public func name(in key: MusicalKey) -> String {
    let rootName = writtenRoot?.text ?? type.map { key.name(ofRoot: root, of: $0) } ?? key.name(of: root)
    guard let bass else { return rootName + (type?.suffix ?? "") }
    let bassName =
      writtenBass?.text ?? type.flatMap { ChordName.bass(bass, of: $0, on: rootName) } ?? key.name(of: bass)
    return rootName + (type?.suffix ?? "") + "/" + bassName
  }
}

/// The chords that have names. Plainer chords come first: of two equally good readings the plainer
/// one is taken.
public enum ChordType: Int, CaseIterable, Sendable {
  // The eleven types that every piano book has. C F G over G is Csus4 rather than Fsus2.
  case major, minor, diminished, augmented, suspended4, suspended2, major7, dominant7, minor7, diminished7,
    halfDiminished
  // Eighteen more.
  case power, sixth, minor6, added9, minorAdded9, minorMajor7, suspended7, augmented7, ninth, major9, minor9, sixNine,
    flatNine, sharpNine, eleventh, minor11, thirteenth, major13

  /// The text behind the root's name.
  public var suffix: String {
    switch self {
    case .major: ""
    case .minor: "m"
    case .diminished: "dim"
    case .augmented: "aug"
    case .suspended2: "sus2"
    case .suspended4: "sus4"
    case .major7: "maj7"
    case .dominant7: "7"
    case .minor7: "m7"
    case .diminished7: "dim7"
    case .halfDiminished: "m7b5"
    case .power: "5"
    case .sixth: "6"
    case .minor6: "m6"
    case .added9: "add9"
    case .minorAdded9: "m(add9)"
    case .minorMajor7: "m(maj7)"
    case .suspended7: "7sus4"
    case .augmented7: "7#5"
    case .ninth: "9"
    case .major9: "maj9"
    case .minor9: "m9"
    case .sixNine: "6/9"
    case .flatNine: "7b9"
    case .sharpNine: "7#9"
    case .eleventh: "11"
    case .minor11: "m11"
    case .thirteenth: "13"
    case .major13: "maj13"
    }
  }

  /// The chord's notes above the root, in semitones, within an octave. A thirteenth omits the
  /// eleventh, as players do.
  public var intervals: [Int] {
    switch self {
    case .major: [0, 4, 7]
    case .minor: [0, 3, 7]
    case .diminished: [0, 3, 6]
    case .augmented: [0, 4, 8]
    case .suspended2: [0, 2, 7]
    case .suspended4: [0, 5, 7]
    case .major7: [0, 4, 7, 11]
    case .dominant7: [0, 4, 7, 10]
    case .minor7: [0, 3, 7, 10]
    case .diminished7: [0, 3, 6, 9]
    case .halfDiminished: [0, 3, 6, 10]
    case .power: [0, 7]
    case .sixth: [0, 4, 7, 9]
    case .minor6: [0, 3, 7, 9]
    case .added9: [0, 2, 4, 7]
    case .minorAdded9: [0, 2, 3, 7]
    case .minorMajor7: [0, 3, 7, 11]
    case .suspended7: [0, 5, 7, 10]
    case .augmented7: [0, 4, 8, 10]
    case .ninth: [0, 2, 4, 7, 10]
    case .major9: [0, 2, 4, 7, 11]
    case .minor9: [0, 2, 3, 7, 10]
    case .sixNine: [0, 2, 4, 7, 9]
    case .flatNine: [0, 1, 4, 7, 10]
    case .sharpNine: [0, 3, 4, 7, 10]
    case .eleventh: [0, 2, 4, 5, 7, 10]
    case .minor11: [0, 2, 3, 5, 7, 10]
    case .thirteenth: [0, 2, 4, 7, 9, 10]
    case .major13: [0, 2, 4, 7, 9, 11]
    }
  }

  /// How many letters above the root's letter a note of the chord is written: 2 for both thirds.
  /// - Parameter semitones: the distance of the note from the root.
  /// - Returns: nil for a note outside the chord.
  func letter(of semitones: Int) -> Int? {
    guard intervals.contains(semitones) else { return nil }
    return switch (semitones, self) {
    case (3, .sharpNine): 1
    case (8, .augmented), (8, .augmented7): 4
    case (9, .diminished7): 6
    default: [0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6][semitones]
    }
  }

  /// The notes as bits: bit i is the note i semitones above the root.
  var mask: UInt16 { intervals.reduce(0) { $0 | 1 << UInt16($1) } }
  /// The notes without the fifth, which players often omit in chords of four notes and more; nil
  /// where the fifth must sound.
  var maskWithoutFifth: UInt16? { intervals.count > 3 && intervals.contains(7) ? mask & ~(1 << 7) : nil }
}

/// The scales, by the names that musicians give them.
public enum Scale: String, SettingWord {
  case major, minor, dorian, phrygian, lydian, mixolydian, locrian
  case harmonicMinor = "harmonic minor"
  case melodicMinor = "melodic minor"
  case harmonicMajor = "harmonic major"
  case doubleHarmonic = "double harmonic"
  case hungarianMinor = "hungarian minor"
  case phrygianDominant = "phrygian dominant"
  case lydianDominant = "lydian dominant"
  case lydianAugmented = "lydian augmented"
  case altered
  case halfDiminished = "half-diminished"
  case dorianFlat2 = "dorian b2"
  case mixolydianFlat6 = "mixolydian b6"
  case ukrainianDorian = "ukrainian dorian"
  case neapolitanMinor = "neapolitan minor"
  case neapolitanMajor = "neapolitan major"
  case enigmatic, persian
  case majorPentatonic = "major pentatonic"
  case minorPentatonic = "minor pentatonic"
  case blues
  case majorBlues = "major blues"
  case egyptian, hirajoshi
  case inSen = "in sen"
  case iwato, yo, kumoi, pelog
  case wholeTone = "whole tone"
  case wholeHalf = "diminished (whole-half)"
  case halfWhole = "diminished (half-whole)"
  case augmented, prometheus, tritone
  case bebopDominant = "bebop dominant"
  case bebopMajor = "bebop major"
  case chromatic

  /// A scale by any name that musicians have for it. The comparison ignores case, spaces, hyphens,
  /// a “scale” or “mode” at the end, the long vowels of Japanese, and the form of accidentals.
  /// - Returns: nil for an unknown name.
  public init?(written text: String) {
    let plain = Scale.plain(text)
    guard let scale = Scale.byName[plain] else { return nil }
    self = scale
  }

  private static let byName: [String: Scale] = {
    var names = Dictionary(uniqueKeysWithValues: allCases.map { (plain($0.word), $0) })
    for (scale, others) in otherNames { for name in others { names[plain(name)] = scale } }
    return names
  }()

  /// Further names of the scales.
  private static let otherNames: [(Scale, [String])] = [
    (.major, ["ionian", "maj"]), (.minor, ["aeolian", "natural minor", "min", "m"]),
    (.melodicMinor, ["jazz minor"]), (.doubleHarmonic, ["byzantine", "arabic", "double harmonic major", "hijaz kar"]),
    (.hungarianMinor, ["gypsy minor"]),
    (.phrygianDominant, ["spanish", "freygish", "phrygian major", "hijaz"]),
    (.lydianDominant, ["acoustic", "overtone", "lydian b7", "mixolydian #11"]),
    (.altered, ["super locrian", "altered dominant", "diminished whole tone"]),
    (.halfDiminished, ["locrian #2", "aeolian b5"]),
    (.dorianFlat2, ["phrygian #6"]), (.mixolydianFlat6, ["aeolian dominant", "hindu"]),
    (.ukrainianDorian, ["romanian minor", "dorian #4"]), (.majorPentatonic, ["pentatonic", "pentatonic major"]),
    (.minorPentatonic, ["pentatonic minor"]), (.blues, ["minor blues", "blues minor"]), (.majorBlues, ["blues major"]),
    (.wholeHalf, ["diminished", "octatonic", "whole-half", "whole-half diminished"]),
    (.halfWhole, ["dominant diminished", "half-whole", "half-whole diminished"]),
  ]

  private static func plain(_ text: String) -> String {
    let plain = [("♭", "b"), ("♯", "#"), ("ō", "o"), ("ū", "u")].reduce(text.lowercased()) {
      $0.replacing($1.0, with: $1.1)
    }.filter { !$0.isWhitespace && !"-_()".contains($0) }
    let kind = ["scale", "mode"].first { plain.hasSuffix($0) && plain.count > $0.count }
    return String(plain.dropLast(kind?.count ?? 0))
  }

  /// The degrees relative to the major scale: `1 b3 4 5 b7`.
  /// - Source: N. Slonimsky, "Thesaurus of Scales and Melodic Patterns"; for the Japanese and
  ///   Javanese scales, the Harvard Dictionary of Music.
  private var formula: String {
    switch self {
    case .major: "1 2 3 4 5 6 7"
    case .minor: "1 2 b3 4 5 b6 b7"
    case .dorian: "1 2 b3 4 5 6 b7"
    case .phrygian: "1 b2 b3 4 5 b6 b7"
    case .lydian: "1 2 3 #4 5 6 7"
    case .mixolydian: "1 2 3 4 5 6 b7"
    case .locrian: "1 b2 b3 4 b5 b6 b7"
    case .harmonicMinor: "1 2 b3 4 5 b6 7"
    case .melodicMinor: "1 2 b3 4 5 6 7"
    case .harmonicMajor: "1 2 3 4 5 b6 7"
    case .doubleHarmonic: "1 b2 3 4 5 b6 7"
    case .hungarianMinor: "1 2 b3 #4 5 b6 7"
    case .phrygianDominant: "1 b2 3 4 5 b6 b7"
    case .lydianDominant: "1 2 3 #4 5 6 b7"
    case .lydianAugmented: "1 2 3 #4 #5 6 7"
    case .altered: "1 b2 b3 b4 b5 b6 b7"
    case .halfDiminished: "1 2 b3 4 b5 b6 b7"
    case .dorianFlat2: "1 b2 b3 4 5 6 b7"
    case .mixolydianFlat6: "1 2 3 4 5 b6 b7"
    case .ukrainianDorian: "1 2 b3 #4 5 6 b7"
    case .neapolitanMinor: "1 b2 b3 4 5 b6 7"
    case .neapolitanMajor: "1 b2 b3 4 5 6 7"
    case .enigmatic: "1 b2 3 #4 #5 #6 7"
    case .persian: "1 b2 3 4 b5 b6 7"
    case .majorPentatonic: "1 2 3 5 6"
    case .minorPentatonic: "1 b3 4 5 b7"
    case .blues: "1 b3 4 b5 5 b7"
    case .majorBlues: "1 2 b3 3 5 6"
    case .egyptian: "1 2 4 5 b7"
    case .hirajoshi: "1 2 b3 5 b6"
    case .inSen: "1 b2 4 5 b7"
    case .iwato: "1 b2 4 b5 b7"
    case .yo: "1 2 4 5 6"
    case .kumoi: "1 2 b3 5 6"
    case .pelog: "1 b2 b3 5 b6"
    case .wholeTone: "1 2 3 #4 #5 b7"
    case .wholeHalf: "1 2 b3 4 b5 b6 6 7"
    case .halfWhole: "1 b2 b3 3 #4 5 6 b7"
    case .augmented: "1 b3 3 5 b6 7"
    case .prometheus: "1 2 3 #4 6 b7"
    case .tritone: "1 b2 3 b5 5 b7"
    case .bebopDominant: "1 2 3 4 5 6 b7 7"
    case .bebopMajor: "1 2 3 4 5 b6 6 7"
    case .chromatic: "1 b2 2 b3 3 4 #4 5 b6 6 b7 7"
    }
  }

  /// A note of a scale, relative to the major scale.
  struct Degree: Hashable {
    /// 1…7.
    let number: Int
    /// Counted from the scale's first note, 0…11.
    let semitones: Int

    /// - Parameter text: signs, then a digit: `b3`.
    fileprivate init(_ text: Substring) {
      let sign = text.first == "b" ? -1 : text.first == "#" ? 1 : 0
      number = text.last?.wholeNumberValue ?? 1
      semitones = PitchClass.naturals[number - 1].number + sign
    }
  }

  /// Sorted from the lowest to the highest.
  var degrees: [Degree] { formula.split(separator: " ").map { Degree($0) } }

  /// Semitones above the first note, rising from 0.
  public var steps: [Int] { degrees.map(\.semitones) }
}

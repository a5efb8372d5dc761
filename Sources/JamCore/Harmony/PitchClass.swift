/// A note without its octave: C is 0, B is 11.
public struct PitchClass: Hashable, Sendable {
  public let number: Int

  /// - Parameter number: any number; 12 is C again.
  public init(_ number: Int) { self.number = ((number % 12) + 12) % 12 }

  /// - Parameter key: a note's name such as `C`, `F#` or `Bb`, with more text after it: `F minor`,
  ///   `A2`. Case does not matter, except that a lower-case `b` after the letter is a flat.
  /// - Returns: nil where the text does not begin with a note.
  public init?(key: String) {
    var rest = key.unicodeScalars.drop { $0 == " " }
    guard let letter = rest.popFirst()?.properties.uppercaseMapping.unicodeScalars.first,
      var number = PitchClass.naturals.first(where: { $0.letter == letter })?.number
    else { return nil }
    while let sign = rest.first, let step = PitchClass.signs[sign] {
      number += step
      rest.removeFirst()
    }
    // A word is not a note, even where it begins with a note's letter.
    if let next = rest.first, next.properties.isAlphabetic { guard PitchClass.isMode(rest) else { return nil } }
    self.init(number)
  }

  /// The notes without a sign, from C on: the notes of C major, each as a letter and its number.
  static let naturals: [(letter: Unicode.Scalar, number: Int)] = [
    ("C", 0), ("D", 2), ("E", 4), ("F", 5), ("G", 7), ("A", 9), ("B", 11),
  ]
  private static let signs: [Unicode.Scalar: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]

  /// The end of `Am`, `Cmaj`, `Fmin`.
  private static func isMode(_ rest: Substring.UnicodeScalarView) -> Bool {
    ["m", "M", "maj", "min", "minor", "major"].contains(String(rest))
  }

  /// The shortest way to another note, in semitones: −5…6.
  public func semitones(to other: PitchClass) -> Int {
    let up = ((other.number - number) % 12 + 12) % 12
    return up > 6 ? up - 12 : up
  }

  /// The name with sharps, as musicians write it.
  public var name: String { PitchClass.names[number] }

  public static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
}

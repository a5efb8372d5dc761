/// A note in whichever octave: C is 0, B is 11.
public struct PitchClass: Hashable, Sendable {
  public let number: Int

  /// - Parameter number: any; 12 is C again.
  public init(_ number: Int) { self.number = ((number % 12) + 12) % 12 }

  /// - Parameter key: a note's name, as `C`, `F#` or `Bb`, and whatever stands behind it: `F minor`, `A2`. Case does not matter, but that
  ///   a lower-case `b` behind the letter is a flat.
  /// - Returns: nil where it begins with no note.
  public init?(key: String) {
    var rest = key.unicodeScalars.drop { $0 == " " }
    guard let letter = rest.popFirst()?.properties.uppercaseMapping.unicodeScalars.first,
      var number = PitchClass.naturals.first(where: { $0.letter == letter })?.number
    else { return nil }
    while let sign = rest.first, let step = PitchClass.signs[sign] {
      number += step
      rest.removeFirst()
    }
    // A word that begins with a letter of a note is none.
    if let next = rest.first, next.properties.isAlphabetic { guard PitchClass.isMode(rest) else { return nil } }
    self.init(number)
  }

  /// The notes without a sign, from C on, which are those of C major: each letter with its number.
  static let naturals: [(letter: Unicode.Scalar, number: Int)] = [
    ("C", 0), ("D", 2), ("E", 4), ("F", 5), ("G", 7), ("A", 9), ("B", 11),
  ]
  private static let signs: [Unicode.Scalar: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]

  /// `Am`, `Cmaj`, `Fmin`.
  private static func isMode(_ rest: Substring.UnicodeScalarView) -> Bool {
    ["m", "M", "maj", "min", "minor", "major"].contains(String(rest))
  }

  /// The shortest way to another note, in semitones: −5…6.
  public func semitones(to other: PitchClass) -> Int {
    let up = ((other.number - number) % 12 + 12) % 12
    return up > 6 ? up - 12 : up
  }

  /// As musicians write it, with sharps.
  public var name: String { PitchClass.names[number] }

  public static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
}

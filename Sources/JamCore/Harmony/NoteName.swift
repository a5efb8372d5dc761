/// A written note without its octave: a letter and its signs. `F#` and `Gb` are two names, though
/// they sound the same.
public struct NoteName: Hashable, Sendable {
  /// The letter's place among C D E F G A B, 0…6.
  public let letter: Int
  /// −1 is a flat, 0 no sign, 1 a sharp.
  public let sign: Int

  static let signs = -1...1

  /// - Returns: nil where the note would need more than one sign.
  init?(letter: Int, sounding pitch: PitchClass) {
    self.letter = ((letter % 7) + 7) % 7
    sign = PitchClass(PitchClass.naturals[self.letter].number).semitones(to: pitch)
    guard NoteName.signs.contains(sign) else { return nil }
  }

  /// Removes a note's name from the beginning of `text`: a capital letter, and a sign after the
  /// letter.
  init?(takenFrom text: inout Substring) {
    guard let first = text.unicodeScalars.first,
      let letter = PitchClass.naturals.firstIndex(where: { $0.letter == first })
    else { return nil }
    text.removeFirst()
    self.letter = letter
    sign = NoteName.takeSign(from: &text)
  }

  init?(_ text: String) {
    var rest = Substring(text)
    self.init(takenFrom: &rest)
    guard rest.isEmpty else { return nil }
  }

  /// Removes `b` or `#` from the beginning; 0 means that there was neither.
  static func takeSign(from text: inout Substring) -> Int {
    let sign = text.first == "#" || text.first == "♯" ? 1 : text.first == "b" || text.first == "♭" ? -1 : 0
    if sign != 0 { text.removeFirst() }
    return sign
  }

  static func text(ofSign sign: Int) -> String { sign > 0 ? "#" : sign < 0 ? "b" : "" }

  public var pitch: PitchClass { PitchClass(PitchClass.naturals[letter].number + sign) }
  /// The place in the circle of fifths: F is −1, C 0, G 1; a sharp adds seven.
  var fifths: Int { [0, 2, 4, -1, 1, 3, 5][letter] + 7 * sign }
  public var text: String { "\(PitchClass.naturals[letter].letter)" + NoteName.text(ofSign: sign) }
}

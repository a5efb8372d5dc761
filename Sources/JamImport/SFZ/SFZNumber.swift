/// A number of an SFZ file as people write it: `-12dB`, `-6,5`, `40.0`, `−3`.
struct SFZNumber: Hashable {
  let value: Double
  /// The text behind the number that is no unit; empty where there is none.
  let rest: String

  /// - Returns: nil where the text does not begin with a number.
  init?(_ text: String) {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      // Some programs write the comma of their user's language, and some editors a real minus.
      switch scalar {
      case ",": "."
      case "\u{2212}": "-"
      default: scalar
      }
    }
    var end = 0
    func skipDigits() -> Int {
      let start = end
      while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
      return end - start
    }
    if end < scalars.count, scalars[end] == "-" || scalars[end] == "+" { end += 1 }
    var digits = skipDigits()
    if end < scalars.count, scalars[end] == "." {
      end += 1
      digits += skipDigits()
    }
    guard digits > 0 else { return nil }
    let mantissa = end
    if end < scalars.count, scalars[end] == "e" || scalars[end] == "E" {
      end += 1
      if end < scalars.count, scalars[end] == "-" || scalars[end] == "+" { end += 1 }
      if skipDigits() == 0 { end = mantissa }
    }
    func string(_ part: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(part)) }
    guard let value = Double(string(scalars[..<end])), value.isFinite else { return nil }
    self.value = value
    let rest = string(scalars[end...]).lowercased().filter { !$0.isWhitespace }
    self.rest = Self.units.contains(rest) ? "" : rest
  }

  private static let units: Set = [
    "", "db", "%", "hz", "ms", "s", "sec", "c", "ct", "cent", "cents", "st", "semitone", "semitones", "f",
  ]
}

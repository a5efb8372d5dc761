/// Text for places that hold one line.
enum PlainText {
  /// `text` with a space for every control character and line separator.
  static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { line.append(isControl(scalar) ? " " : scalar) }
    return String(line)
  }

  /// `text` in ASCII, with `?` for everything else, and at most `limit` bytes.
  static func ascii(_ text: String, atMost limit: Int) -> [UInt8] {
    line(text).unicodeScalars.prefix(limit).map { $0.isASCII ? UInt8(truncatingIfNeeded: $0.value) : UInt8(ascii: "?") }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: true
    default: false
    }
  }
}

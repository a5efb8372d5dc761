/// Numbers as text, the same on every machine and in every language.
enum Decimal {
  /// With exactly this many digits behind the point, never an exponent. A value that is not finite
  /// becomes 0.
  /// - Parameter digits: 0…12.
  static func fixed(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    guard let scaled = Int(exactly: (value * Double(scale)).rounded()) else { return fixed(0, digits: digits) }
    let text = padded(Int(scaled.magnitude), to: digits + 1)
    let sign = scaled < 0 ? "-" : ""
    guard digits > 0 else { return sign + text }
    return sign + text.dropLast(digits) + "." + text.suffix(digits)
  }

  /// With at most this many digits behind the point: 120, 97.3.
  /// - Parameter digits: 1…12.
  static func shortest(_ value: Double, digits: Int) -> String {
    var text = fixed(value, digits: digits)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// Without a sign, filled with zeros on the left.
  static func padded(_ value: Int, to width: Int) -> String {
    let text = String(value.magnitude)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Two digits, small letters.
  static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  /// The seconds of a frame, to the picosecond: 48,000 does not divide a power of ten.
  static func seconds(_ frames: Double) -> String {
    fixed(frames / Double(ExportSession.framesPerSecond), digits: 12)
  }
}

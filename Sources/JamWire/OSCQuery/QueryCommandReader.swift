internal import JamCore

/// Reads the object of a command: two texts of an object, and everything else is passed over.
///
/// The nesting is limited, so that no text can exhaust the stack.
/// - Source: RFC 8259.
struct QueryCommandReader {
  private let bytes: [UInt8]
  private var place = 0

  private static let mostNested = 16

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Returns: the texts of `COMMAND` and `DATA`; nil where `DATA` is no text.
  mutating func command() throws(QueryCommandError) -> (name: String, data: String?) {
    var name: String?
    var data: String?
    try take("{")
    if !takes("}") {
      repeat {
        let key = try text()
        try take(":")
        switch (key, peek()) {
        case ("COMMAND", UInt8(ascii: "\"")?): name = try text()
        case ("DATA", UInt8(ascii: "\"")?): data = try text()
        default: try passValue(nested: 1)
        }
      } while takes(",")
      try take("}")
    }
    guard peek() == nil else { throw .noJSON }
    guard let name else { throw .noCommand }
    return (name, data)
  }

  /// The next byte that is no space.
  private mutating func peek() -> UInt8? {
    while let byte = current, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { place += 1 }
    return current
  }

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func takes(_ sign: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  private mutating func take(_ sign: Unicode.Scalar) throws(QueryCommandError) {
    guard takes(sign) else { throw .noJSON }
  }

  private mutating func passValue(nested: Int) throws(QueryCommandError) {
    guard nested <= QueryCommandReader.mostNested else { throw .noJSON }
    switch peek() {
    case UInt8(ascii: "\"")?: _ = try text()
    case UInt8(ascii: "{")?:
      place += 1
      if takes("}") { return }
      repeat {
        _ = try text()
        try take(":")
        try passValue(nested: nested + 1)
      } while takes(",")
      try take("}")
    case UInt8(ascii: "[")?:
      place += 1
      if takes("]") { return }
      repeat { try passValue(nested: nested + 1) } while takes(",")
      try take("]")
    default: try passWord()
    }
  }

  /// Passes over a number, or `true`, `false` or `null`.
  private mutating func passWord() throws(QueryCommandError) {
    let start = place
    while let byte = current, QueryCommandReader.isOfWord(byte) { place += 1 }
    guard place > start else { throw .noJSON }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func text() throws(QueryCommandError) -> String {
    try take("\"")
    var units: [UInt8] = []
    while let byte = current {
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: units, as: UTF8.self) else { throw .noJSON }
        return text
      case UInt8(ascii: "\\"): units += Array(String(try escaped()).utf8)
      case ..<0x20: throw .noJSON
      default: units.append(byte)
      }
    }
    throw .noJSON
  }

  private mutating func escaped() throws(QueryCommandError) -> Character {
    guard let byte = current else { throw .noJSON }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try unit()
      if let scalar = Unicode.Scalar(first) { return Character(scalar) }
      // The first half of a pair; the second half follows as an escape of its own.
      guard takesNow("\\"), takesNow("u") else { throw .noJSON }
      let pair = [UInt16(truncatingIfNeeded: first), UInt16(truncatingIfNeeded: try unit())]
      guard let text = String(validating: pair, as: UTF16.self), let character = text.first else {
        throw .noJSON
      }
      return character
    default: throw .noJSON
    }
  }

  private mutating func takesNow(_ sign: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: sign) else { return false }
    place += 1
    return true
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(QueryCommandError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw .noJSON
      }
      place += 1
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

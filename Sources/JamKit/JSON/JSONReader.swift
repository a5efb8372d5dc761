/// Reads strict JSON and reports the line and column of a mistake.
///
/// Why our own: people edit kits and recipes by hand, and the decoder of Foundation on Linux says
/// of any mistake only that the data was not valid JSON. It also keeps Foundation out of the
/// server.
/// - Source: RFC 8259. Stricter in one point that the RFC leaves open: an object's names must
///   differ.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  /// The reader's place: names and places in lists, from the outside in.
  private var trail: [String] = []
  /// Names that appear again in the same object, in the text's order. The first value counts.
  private(set) var repeats: [Repeat] = []

  struct Repeat {
    /// As `pads[2], gain`.
    let field: String
    let name: String
    let place: JSONError
  }

  static let depthLimit = 32
  private static let mostRepeats = 64

  /// A byte order mark in front is not counted in any column (RFC 8259 §8.1).
  init(_ bytes: [UInt8]) { self.bytes = Array(bytes.withoutByteOrderMark) }

  mutating func readDocument() throws(JSONError) -> JSONValue {
    let value = try readValue(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw error("nothing may follow the value") }
    return value
  }

  private mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.depthLimit else { throw error("it is nested more than \(Self.depthLimit) levels deep") }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try readObject(depth: depth)
    case UInt8(ascii: "["): return try readArray(depth: depth)
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func readObject(depth: Int) throws(JSONError) -> JSONValue {
    var fields: [String: JSONValue] = [:]
    position += 1
    skipSpace()
    if take("}") { return .object(fields) }
    repeat {
      skipSpace()
      let start = position
      guard peek == UInt8(ascii: "\"") else { throw error("a field's name in quotes was expected") }
      let name = try readString()
      skipSpace()
      guard take(":") else { throw error("a colon was expected") }
      trail.append(name)
      let value = try readValue(depth: depth + 1)
      if fields[name] == nil { fields[name] = value } else { noteRepeat(of: name, at: start) }
      trail.removeLast()
      skipSpace()
    } while take(",")
    guard take("}") else { throw error("a comma or } was expected") }
    return .object(fields)
  }

  private mutating func readArray(depth: Int) throws(JSONError) -> JSONValue {
    var items: [JSONValue] = []
    position += 1
    skipSpace()
    if take("]") { return .array(items) }
    repeat {
      trail.append("[\(items.count)]")
      items.append(try readValue(depth: depth + 1))
      trail.removeLast()
      skipSpace()
    } while take(",")
    guard take("]") else { throw error("a comma or ] was expected") }
    return .array(items)
  }

  private mutating func noteRepeat(of name: String, at start: Int) {
    // The list is limited, because a text full of one name could make it very long.
    guard repeats.count < Self.mostRepeats else { return }
    let field = trail.reduce("") { $0 + ($1.hasPrefix("[") || $0.isEmpty ? "" : ", ") + $1 }
    repeats.append(Repeat(field: field, name: name, place: error("\"\(name)\" is there twice", at: start)))
  }

  private mutating func readWord(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value was expected") }
    position += word.utf8.count
    return value
  }

  /// §6: an optional minus, digits without a leading zero, an optional fraction, an optional
  /// exponent.
  private mutating func readNumber() throws(JSONError) -> JSONValue {
    let start = position
    _ = take("-")
    let isZero = take("0")
    guard isZero || skipDigits() else { throw error("a value was expected", at: start) }
    if take("."), !skipDigits() { throw error("a digit was expected") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard skipDigits() else { throw error("a digit was expected") }
    }
    // In order: `position` only moves on.
    guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
      throw error("the number is too large", at: start)
    }
    return .number(number)
  }

  private mutating func readString() throws(JSONError) -> String {
    let start = position
    var content: [UInt8] = []
    position += 1
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a control character or line end is in a text") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        content.append(contentsOf: String(try readEscape()).utf8)
      } else {
        content.append(byte)
      }
    }
    guard take("\"") else { throw error("a text has no closing quote", at: start) }
    guard let text = String(validating: content, as: UTF8.self) else { throw error("a text is not UTF-8", at: start) }
    return text
  }

  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    let start = position - 1
    defer { position = min(position, bytes.count) }
    let byte = peek
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error("no such escape", at: start)
    }
    let first = try readHex(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Two halves of one character outside the Basic Multilingual Plane (§7).
    guard first < 0xdc00, take("\\"), take("u") else { throw error("half a surrogate pair", at: start) }
    let second = try readHex(from: start)
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw error("half a surrogate pair", at: start) }
    return scalar
  }

  private mutating func readHex(from start: Int) throws(JSONError) -> UInt32 {
    guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy({ Character(.init($0)).isHexDigit }),
      let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits were expected", at: start) }
    position += 4
    return value
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  private func error(_ what: String, at place: Int? = nil) -> JSONError {
    let before = bytes[..<min(place ?? position, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    return JSONError(
      what: what, line: before.count(where: { $0 == 0x0a }) + 1, column: before.count - lineStart + 1)
  }
}

/// The place where a text stops being JSON. Lines and columns (in bytes) count from 1.
struct JSONError: Error, Hashable, CustomStringConvertible {
  let what: String
  let line: Int
  let column: Int

  var description: String { "line \(line), column \(column): \(what)" }
}

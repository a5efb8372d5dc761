/// Writes JSON straight into a text, one value after another.
///
/// The characters `<`, `>` and `&` are escaped in texts, so that the JSON is safe inside markup.
/// - Source: RFC 8259.
struct JSONWriter {
  private(set) var text = ""
  private var needsComma = false

  init(capacity: Int) { text.reserveCapacity(capacity) }

  /// - Parameter key: a name that needs no escapes; nil inside an array and at the top.
  mutating func object(_ key: String? = nil, _ content: (inout JSONWriter) -> Void) {
    nest(key, "{", "}", content)
  }

  mutating func array(_ key: String? = nil, _ content: (inout JSONWriter) -> Void) {
    nest(key, "[", "]", content)
  }

  mutating func value(_ value: String, _ key: String? = nil) {
    begin(key)
    text += "\""
    // Most names need no escapes, and are appended in one step.
    if value.utf8.allSatisfy(JSONWriter.isPlain) { text += value } else { writeEscaped(value) }
    text += "\""
  }

  mutating func value(_ number: Int, _ key: String? = nil) {
    begin(key)
    text += String(number)
  }

  /// JSON has no infinity and no NaN, so they become null.
  mutating func value(_ number: Double, _ key: String? = nil) {
    begin(key)
    text += Int(exactly: number).map(String.init) ?? (number.isFinite ? number.description : "null")
  }

  mutating func value(_ truth: Bool, _ key: String? = nil) {
    begin(key)
    text += truth ? "true" : "false"
  }

  private mutating func nest(
    _ key: String?, _ open: String, _ close: String, _ content: (inout JSONWriter) -> Void
  ) {
    begin(key)
    text += open
    needsComma = false
    content(&self)
    text += close
    needsComma = true
  }

  private mutating func begin(_ key: String?) {
    if needsComma { text += "," }
    needsComma = true
    guard let key else { return }
    text += "\""
    text += key
    text += "\":"
  }

  /// Whether the byte is ASCII that needs no escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): false
    default: byte >= 0x20 && byte < 0x7F
    }
  }

  private mutating func writeEscaped(_ value: String) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "<", ">", "&", "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

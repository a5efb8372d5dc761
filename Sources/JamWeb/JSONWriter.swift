import NIOCore

/// Writes JSON straight into a buffer, one value after another.
///
/// Texts are escaped so that they stay text even where somebody puts the JSON into markup: `<`, `>` and `&` come as escapes.
/// - Source: RFC 8259.
struct JSONWriter {
  private(set) var buffer: ByteBuffer
  private var needsComma = false

  init(_ buffer: ByteBuffer) { self.buffer = buffer }

  mutating func object(_ key: StaticString? = nil, _ content: (inout JSONWriter) -> Void) {
    nest(key, "{", "}", content)
  }

  mutating func array(_ key: StaticString? = nil, _ content: (inout JSONWriter) -> Void) {
    nest(key, "[", "]", content)
  }

  mutating func value(_ text: String, _ key: StaticString? = nil) {
    begin(key)
    write(text)
  }

  mutating func value(_ number: Int, _ key: StaticString? = nil) {
    begin(key)
    buffer.writeString(String(number))
  }

  /// JSON knows neither infinity nor NaN: they become null.
  mutating func value(_ number: Double, _ key: StaticString? = nil) {
    begin(key)
    if let whole = Int(exactly: number) {
      buffer.writeString(String(whole))
    } else {
      buffer.writeString(number.isFinite ? number.description : "null")
    }
  }

  mutating func value(_ truth: Bool, _ key: StaticString? = nil) {
    begin(key)
    buffer.writeStaticString(truth ? "true" : "false")
  }

  private mutating func nest(
    _ key: StaticString?, _ open: StaticString, _ close: StaticString, _ content: (inout JSONWriter) -> Void
  ) {
    begin(key)
    buffer.writeStaticString(open)
    needsComma = false
    content(&self)
    buffer.writeStaticString(close)
    needsComma = true
  }

  private mutating func begin(_ key: StaticString?) {
    if needsComma { buffer.writeStaticString(",") }
    needsComma = true
    guard let key else { return }
    buffer.writeStaticString("\"")
    buffer.writeStaticString(key)
    buffer.writeStaticString("\":")
  }

  private mutating func write(_ text: String) {
    buffer.writeStaticString("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": buffer.writeStaticString("\\\"")
      case "\\": buffer.writeStaticString("\\\\")
      case "<", ">", "&", "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}": writeEscape(scalar)
      case _ where scalar.isASCII: buffer.writeInteger(UInt8(truncatingIfNeeded: scalar.value))
      default: buffer.writeString(String(scalar))
      }
    }
    buffer.writeStaticString("\"")
  }

  private mutating func writeEscape(_ scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    buffer.writeStaticString("\\u")
    for _ in digits.utf8.count..<4 { buffer.writeStaticString("0") }
    buffer.writeString(digits)
  }
}

internal import JamCore

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
    JSONText.append(value, for: .markup, to: &text)
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
}

/// Texts as strings of JSON.
/// - Source: RFC 8259, clause 7.
public enum JSONText {
  /// The characters that get an escape. All three give the same text to a reader of JSON.
  public enum Escapes: Sendable {
    /// The characters that JSON requires: `"`, `\`, and those below U+0020.
    case required
    /// Also `<`, `>`, `&`, U+007F and the ends of lines in Unicode, so that the JSON is safe inside
    /// markup.
    case markup
    /// Also each character that a terminal or an editor does not show as itself. Such a character
    /// could move the cursor, turn the direction of the text, end the line, or be invisible.
    case terminal
  }

  public static func quoted(_ text: String, for escapes: Escapes) -> String {
    var quoted = ""
    append(text, for: escapes, to: &quoted)
    return quoted
  }

  /// Appends `text` in quotation marks to `json`.
  public static func append(_ text: String, for escapes: Escapes, to json: inout String) {
    json += "\""
    // Most texts need no escapes, and are appended in one step.
    if text.utf8.allSatisfy(isAlwaysPlain) {
      json += text
    } else {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": json += "\\\""
        case "\\": json += "\\\\"
        case "\n" where escapes == .terminal: json += "\\n"
        case "\r" where escapes == .terminal: json += "\\r"
        case "\t" where escapes == .terminal: json += "\\t"
        case _ where isPlain(scalar, escapes): json.unicodeScalars.append(scalar)
        default: json += escape(scalar)
        }
      }
    }
    json += "\""
  }

  /// Whether the byte is ASCII that never needs an escape.
  private static func isAlwaysPlain(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "<", ">", "&": false
    default: byte >= 0x20 && byte < 0x7F
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar, _ escapes: Escapes) -> Bool {
    guard scalar.value >= 0x20 else { return false }
    return switch escapes {
    case .required: true
    case .markup: !"<>&\u{7F}\u{2028}\u{2029}".unicodeScalars.contains(scalar)
    case .terminal:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      case .surrogate, .privateUse, .unassigned: false
      default: true
      }
    }
  }

  /// The escape of a character, which is two escapes beyond U+FFFF.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }.joined()
  }
}

extension String {
  /// The text as a string of JSON, in quotation marks, with the escapes that JSON requires.
  public var quotedJSON: String { JSONText.quoted(self, for: .required) }
}

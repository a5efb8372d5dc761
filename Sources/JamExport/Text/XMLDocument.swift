/// An XML document as it is written: elements with attributes, one on a line.
///
/// - Source: Extensible Markup Language 1.0, fifth edition, 2.2 (characters) and 2.4 (escapes).
struct XMLDocument {
  typealias Attributes = KeyValuePairs<String, String?>

  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  private var open: [String] = []

  /// An element with the content that `content` writes. An attribute without a value is left out.
  mutating func element(_ name: String, _ attributes: Attributes = [:], _ content: (inout XMLDocument) -> Void) {
    begin(name, attributes)
    text += ">\n"
    open.append(name)
    content(&self)
    open.removeLast()
    text += indentation + "</" + name + ">\n"
  }

  mutating func element(_ name: String, _ attributes: Attributes) {
    begin(name, attributes)
    text += "/>\n"
  }

  mutating func element(_ name: String, text content: String) {
    text += indentation + "<" + name + ">" + XMLDocument.escaped(content) + "</" + name + ">\n"
  }

  private var indentation: String { String(repeating: "  ", count: open.count) }

  private mutating func begin(_ name: String, _ attributes: Attributes) {
    text += indentation + "<" + name
    for (key, value) in attributes {
      if let value { text += " " + key + "=\"" + XMLDocument.escaped(value) + "\"" }
    }
  }

  /// `value` as an attribute or a text, on one line. Characters that XML does not allow become
  /// spaces.
  static func escaped(_ value: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in PlainText.line(value).unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      case "\u{fffe}", "\u{ffff}": escaped.append(" ")
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

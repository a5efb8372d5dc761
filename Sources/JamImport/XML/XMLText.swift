/// Characters of XML documents.
enum XMLText {
  /// Decodes UTF-8. Other bytes are read as Latin-1, which old programs write without stating it.
  static func characters(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Replaces the five entities of XML and numbered characters. Others stay as they are.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let text = characters(bytes)
    guard text.contains("&") else { return text }
    var decoded = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      decoded += rest[..<ampersand]
      rest = rest[ampersand...]
      guard let end = rest.prefix(12).firstIndex(of: ";"), let character = character(rest[..<end].dropFirst()) else {
        decoded += "&"
        rest = rest.dropFirst()
        continue
      }
      decoded.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return decoded + rest
  }

  private static func character(_ entity: Substring) -> Character? {
    switch entity {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard entity.first == "#" else { return nil }
      let digits = entity.dropFirst()
      let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return code.flatMap(Unicode.Scalar.init).map(Character.init)
    }
  }
}

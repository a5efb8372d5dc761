/// An element of an XML document. Attributes are dropped, because they do not matter in the formats
/// that are read here.
struct XMLElement: Hashable, Sendable {
  var name: String
  /// All text directly in it.
  var text = ""
  var children: [XMLElement] = []

  init(_ name: String) { self.name = name }

  /// The first child of that name.
  subscript(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The first child's text, without spaces around it; nil where there is no such child, or it is
  /// empty.
  func text(_ name: String) -> String? {
    guard let text = self[name]?.text else { return nil }
    let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// The first child's number; nil where its text is no finite number.
  func number(_ name: String) -> Double? {
    // Some programs write the comma of their user's language.
    text(name).flatMap { Double($0.replacing(",", with: ".")) }.flatMap { $0.isFinite ? $0 : nil }
  }
}

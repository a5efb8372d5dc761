/// The tokens of an SFZ file. Lines have no meaning, except that a value ends with its line.
enum SFZToken: Hashable {
  /// `<region>`: its name.
  case header(String)
  case unclosedHeader
  /// nil where it names no file.
  case include(String?)
  case define(name: String, value: String)
  /// Both as they are written, with `$names` in them.
  case opcode(name: String, value: String)
  /// Anything else.
  case word(String)
}

/// Reads a text without comments token by token.
/// - Source: sfzformat.com, "SFZ Syntax".
struct SFZTokens {
  private let text: [Unicode.Scalar]
  private var position = 0

  init(_ text: [Unicode.Scalar]) { self.text = text }

  /// - Parameter definitions: the present meaning of `$names`. A name may stand for an opcode, and
  ///   then ends a value.
  /// - Returns: nil at the end.
  mutating func next(_ definitions: SFZDefinitions) -> SFZToken? {
    while position < text.count, isBlank(position) { position += 1 }
    guard position < text.count else { return nil }
    if text[position] == "<" { return header() }
    if isDirective("#include", at: position) { return include() }
    if isDirective("#define", at: position) { return define() }
    return opcode(definitions)
  }

  private mutating func header() -> SFZToken {
    let start = position + 1
    while position < text.count, text[position] != ">" {
      guard !SFZText.isLineEnd(text[position]) else { return .unclosedHeader }
      position += 1
    }
    guard position < text.count else { return .unclosedHeader }
    defer { position += 1 }
    return .header(string(start, position))
  }

  private mutating func include() -> SFZToken {
    position += "#include".count
    skipSpaces()
    guard position < text.count, text[position] == "\"" else {
      let name = word(until: Self.isBlank)
      return .include(name.isEmpty ? nil : name)
    }
    position += 1
    let name = word { $0 == "\"" || SFZText.isLineEnd($0) }
    guard position < text.count, text[position] == "\"" else { return .include(nil) }
    position += 1
    return .include(name.isEmpty ? nil : name)
  }

  private mutating func define() -> SFZToken {
    position += "#define".count
    skipSpaces()
    let name = word(until: Self.isBlank)
    skipSpaces()
    return .define(name: name, value: word(until: Self.isBlank))
  }

  private mutating func opcode(_ definitions: SFZDefinitions) -> SFZToken {
    let start = position
    guard let name = nameBeforeEquals(at: position) else {
      // A word without a meaning is skipped.
      position += 1
      while position < text.count, !isBlank(position), text[position] != "<" { position += 1 }
      return .word(string(start, position))
    }
    position = name.equals + 1
    let tight = position
    skipSpaces()
    // The opcode has no value where spaces and then the next opcode follow it.
    if position > tight, begins(at: position, definitions) { return .opcode(name: name.text, value: "") }
    let first = position
    var end = position
    while position < text.count, text[position] != "<", !SFZText.isLineEnd(text[position]) {
      guard SFZText.isSpace(text[position]) else {
        position += 1
        end = position
        continue
      }
      // A value may hold spaces.
      skipSpaces()
      if begins(at: position, definitions) { break }
    }
    return .opcode(name: name.text, value: string(first, end))
  }

  /// Whether something other than the rest of a value begins there.
  private func begins(at position: Int, _ definitions: SFZDefinitions) -> Bool {
    guard position < text.count else { return true }
    if isDirective("#include", at: position) || isDirective("#define", at: position) { return true }
    if nameBeforeEquals(at: position) != nil { return true }
    guard text[position] == "$" else { return false }
    var end = position
    while end < text.count, !isBlank(end), text[end] != "<" { end += 1 }
    let word = string(position, end)
    let expanded = definitions.expanded(word)
    return expanded != word && expanded.unicodeScalars.contains { $0 == "=" || $0 == "<" }
  }

  /// A name with an equals sign behind it. Spaces may stand between the two.
  private func nameBeforeEquals(at start: Int) -> (text: String, equals: Int)? {
    var end = start
    while end < text.count, SFZText.isNamePart(text[end]) || text[end] == "$" { end += 1 }
    guard end > start else { return nil }
    var equals = end
    while equals < text.count, SFZText.isSpace(text[equals]) { equals += 1 }
    guard equals < text.count, text[equals] == "=" else { return nil }
    return (string(start, end), equals)
  }

  /// Whether the word at `position` is that directive.
  private func isDirective(_ name: String, at position: Int) -> Bool {
    guard text[position] == "#" else { return false }
    let end = position + name.count
    guard end <= text.count, string(position, end).lowercased() == name else { return false }
    return end == text.count || isBlank(end) || text[end] == "\""
  }

  private func isBlank(_ position: Int) -> Bool { Self.isBlank(text[position]) }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    SFZText.isSpace(scalar) || SFZText.isLineEnd(scalar)
  }

  private mutating func skipSpaces() {
    while position < text.count, SFZText.isSpace(text[position]) { position += 1 }
  }

  private mutating func word(until isEnd: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while position < text.count, !isEnd(text[position]) { position += 1 }
    return string(start, position)
  }

  private func string(_ start: Int, _ end: Int) -> String {
    var scalars = String.UnicodeScalarView()
    // In order: the text was read from its start on.
    scalars.append(contentsOf: text[start..<end])
    return String(scalars)
  }
}

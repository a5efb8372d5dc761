internal import JamKit

/// Reads the plain XML of other programs' files: elements and text. A document type with
/// definitions is refused, because its entities could grow without end.
/// - Source: XML 1.0, 5th edition.
struct XMLReader {
  private static let depth = 64
  private static let elements = 200_000

  private let bytes: [UInt8]
  private let file: String
  private var position = 0

  /// - Throws: `KitError` naming `file`, with the line in its text.
  static func read(_ bytes: [UInt8], of file: String) throws(KitError) -> XMLElement {
    var reader = XMLReader(bytes: bytes, file: file)
    return try reader.readDocument()
  }

  private init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  private mutating func readDocument() throws(KitError) -> XMLElement {
    // The open elements: the document, as an element without a name, and the elements open in it.
    var open = [XMLElement("")]
    var count = 0
    while position < bytes.count {
      let text = bytes[position...].prefix { $0 != UInt8(ascii: "<") }
      position += text.count
      open[open.count - 1].text += XMLText.decoded(text)
      guard position < bytes.count else { break }
      if skip("<!--") {
        _ = try take(to: "-->")
      } else if skip("<![CDATA[") {
        open[open.count - 1].text += XMLText.characters(try take(to: "]]>"))
      } else if skip("<?") {
        _ = try take(to: "?>")
      } else if skip("<!") {
        // A document type without definitions of its own is skipped.
        let type = try take(to: ">")
        guard type.starts(with: "DOCTYPE".utf8), !type.contains(UInt8(ascii: "[")) else {
          throw bad("a document type has no place here")
        }
      } else if skip("</") {
        let name = XMLText.characters(try take(to: ">")).split(whereSeparator: \.isWhitespace).first ?? ""
        guard open.count > 1, let closed = open.popLast(), closed.name == name else {
          throw bad("</\(name)> closes nothing")
        }
        open[open.count - 1].children.append(closed)
      } else {
        count += 1
        guard count <= Self.elements, open.count <= Self.depth else { throw bad("it is too large or too deep") }
        let (element, isEmpty) = try readTag()
        if isEmpty { open[open.count - 1].children.append(element) } else { open.append(element) }
      }
    }
    guard open.count == 1 else { throw bad("<\(open[open.count - 1].name)> is not closed") }
    guard let root = open[0].children.first else { throw bad("there is no element in it") }
    return root
  }

  /// `<name attribute="…">`, also as `<name/>`.
  private mutating func readTag() throws(KitError) -> (element: XMLElement, isEmpty: Bool) {
    position += 1
    let start = position
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
      position += 1
    }
    guard position < bytes.count else { throw bad("a tag is not closed") }
    // In order: `position` only moves on.
    var content = bytes[start..<position]
    position += 1
    let isEmpty = content.last == UInt8(ascii: "/")
    if isEmpty { content = content.dropLast() }
    guard let name = XMLText.characters(content).split(whereSeparator: \.isWhitespace).first else {
      throw bad("a tag has no name")
    }
    return (XMLElement(String(name)), isEmpty)
  }

  private mutating func skip(_ mark: String) -> Bool {
    guard bytes[position...].starts(with: mark.utf8) else { return false }
    position += mark.utf8.count
    return true
  }

  /// Everything up to `mark`, which is skipped.
  private mutating func take(to mark: String) throws(KitError) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count {
      if bytes[position...].starts(with: mark.utf8) {
        defer { position += mark.utf8.count }
        // In order: `position` only moves on.
        return bytes[start..<position]
      }
      position += 1
    }
    throw bad("\(mark) is missing")
  }

  private func bad(_ cause: String) -> KitError {
    let line = bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
    return KitError(file, .notXML(cause: "line \(line): \(cause)"))
  }
}

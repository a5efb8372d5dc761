internal import JamKit

/// Reads an SFZ file's headers and opcodes, with its includes and definitions.
/// - Source: sfzformat.com, "SFZ Syntax".
struct SFZParser {
  private static let includes = 64
  private static let regionLimit = 20_000

  private(set) var regions: [[String: String]] = []
  /// Headers that have no place in a kit, by name.
  private(set) var strangers: Set<String> = []

  private let files: ImportFiles
  private var definitions: [(name: String, value: String)] = []
  private var included = 0
  private var header = ""
  /// The opcodes that hold for what follows, by header: a region has all of them.
  private var levels: [String: [String: String]] = [:]
  private static let order = ["control", "global", "master", "group", "region"]

  init(_ files: ImportFiles) { self.files = files }

  /// - Throws: `KitError` where the file or one that it includes cannot be read.
  mutating func parse(_ file: String) throws(KitError) {
    try include(file, depth: 0)
    finishRegion()
  }

  private mutating func include(_ file: String, depth: Int) throws(KitError) {
    included += 1
    let shown = Files.joined(files.path, PadName.safe(file, atMost: 255, otherwise: "?", keepingSlashes: true))
    guard included <= Self.includes, depth < 8 else {
      throw KitError(shown, .notSFZ(cause: "it includes too many files"))
    }
    let text = XMLText.characters(try files.read(file).withoutByteOrderMark)
    guard !text.unicodeScalars.contains("\0") else { throw KitError(shown, .notSFZ(cause: "it is no text")) }
    for line in Self.withoutComments(text).split(whereSeparator: \.isNewline) {
      let line = line.drop(while: \.isWhitespace)
      if line.hasPrefix("#include") {
        let name = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard name.count >= 3 else { throw KitError(shown, .notSFZ(cause: "an #include names no file")) }
        try include(Self.path(String(name[1])), depth: depth + 1)
      } else if line.hasPrefix("#define") {
        let words = line.split(whereSeparator: \.isWhitespace)
        if words.count >= 3 { definitions.append((String(words[1]), String(words[2]))) }
      } else {
        try read(expanded(String(line)), of: shown)
      }
    }
  }

  /// Longer names first: `$KICK2` is not `$KICK` and a 2.
  private func expanded(_ line: String) -> String {
    guard line.contains("$") else { return line }
    return definitions.sorted { $0.name.count > $1.name.count }.reduce(line) { line, definition in
      // A definition that names itself would grow without end over many lines.
      line.count > 4_096 ? line : line.replacing(definition.name, with: definition.value)
    }
  }

  private mutating func read(_ line: String, of file: String) throws(KitError) {
    var rest = line[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first else { return }
      if first == "<" {
        guard let end = rest.firstIndex(of: ">") else { throw KitError(file, .notSFZ(cause: "a header is not closed")) }
        try open(rest[..<end].dropFirst().lowercased(), of: file)
        rest = rest[rest.index(after: end)...]
      } else if let equals = rest.firstIndex(of: "="), rest[..<equals].allSatisfy(Self.isNamePart) {
        let value = Self.value(rest[rest.index(after: equals)...])
        levels[header, default: [:]][rest[..<equals].lowercased()] = value.trimmingSpaces
        rest = value.base[value.endIndex...]
      } else {
        // A word that is nothing: on to the next one.
        rest = rest.drop { !$0.isWhitespace }
      }
    }
  }

  private mutating func open(_ name: String, of file: String) throws(KitError) {
    finishRegion()
    guard regions.count < Self.regionLimit else { throw KitError(file, .notSFZ(cause: "it has too many regions")) }
    header = name
    if let level = Self.order.firstIndex(of: name) {
      // <control> sets what follows without ending it.
      if level > 0 { for inner in Self.order[level...] { levels[inner] = nil } }
      levels[name, default: [:]]["", default: ""] = ""
    } else {
      strangers.insert(PadName.safe(name, atMost: 32, otherwise: "?"))
    }
  }

  private mutating func finishRegion() {
    guard header == "region" else { return }
    var region: [String: String] = [:]
    for level in Self.order { region.merge(levels[level] ?? [:]) { $1 } }
    region[""] = nil
    regions.append(region)
    levels["region"] = nil
    header = ""
  }

  /// A value may hold spaces: it ends at the next header, or at the next word with an equals sign.
  private static func value(_ rest: Substring) -> Substring {
    var end = rest.startIndex
    while end < rest.endIndex {
      if rest[end] == "<" { break }
      if rest[end].isWhitespace {
        let word = rest[end...].drop(while: \.isWhitespace)
        if let equals = word.firstIndex(of: "="), equals > word.startIndex, word[..<equals].allSatisfy(isNamePart) {
          break
        }
      }
      end = rest.index(after: end)
    }
    return rest[..<end]
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }

  /// Paths are written with either slash.
  static func path(_ path: String) -> String { path.replacing("\\", with: "/") }

  private static func withoutComments(_ text: String) -> String {
    var kept = ""
    var rest = text[...]
    while let start = rest.range(of: "/*") {
      kept += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].range(of: "*/") else {
        rest = ""
        break
      }
      rest = rest[end.upperBound...]
    }
    kept += rest
    return kept.split(whereSeparator: \.isNewline).map { line in
      line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
    }.joined(separator: "\n")
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Where `text` first occurs.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}

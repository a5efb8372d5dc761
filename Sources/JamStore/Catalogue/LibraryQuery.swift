internal import JamCore

/// A query for the library: words, all of which an item has to contain, and filters.
///
/// Only letters, digits and accents are parts of words; everything else separates words. So nothing
/// that somebody types can be more than a word for the database. The last letters of each word may
/// be missing.
/// Thread: any.
public struct LibraryQuery: Hashable, Sendable {
  /// The column in which a word has to be.
  enum Column: String, CaseIterable, Sendable { case name, theme, category, author }

  struct Word: Hashable, Sendable {
    /// Nil is any column.
    var column: Column?
    var text: String
  }

  private(set) var words: [Word] = []
  private(set) var kind: LibraryKind?
  /// In beats per minute.
  private(set) var tempo: ClosedRange<Double>?

  public enum Problem: Error, Hashable {
    case tooLong
    /// The filter as it was written.
    case badFilter(String)
  }

  static let mostWords = 16

  /// - Parameter text: words, and filters as `kind:block`, `tempo:120-130`, `theme:house`,
  ///   `category:kick`, `author:ann`. A filter without a value is ignored, because somebody may
  ///   still be typing it.
  public init(_ text: String) throws(Problem) {
    guard text.utf8.count <= SearchItem.mostBytes else { throw .tooLong }
    for part in text.split(whereSeparator: \.isWhitespace) {
      guard let colon = part.firstIndex(of: ":") else {
        add(part)
        continue
      }
      let value = part[part.index(after: colon)...]
      switch part[..<colon].lowercased() {
      case "kind" where value.isEmpty, "tempo" where value.isEmpty: break
      case "kind":
        // `blocks` is accepted for `block`.
        let word = value.lowercased()
        guard let kind = LibraryKind.allCases.first(where: { [$0.rawValue, $0.rawValue + "s"].contains(word) }) else {
          throw .badFilter(String(part))
        }
        self.kind = kind
      case "tempo":
        guard let range = LibraryQuery.tempos(value) else { throw .badFilter(String(part)) }
        tempo = range
      case let word:
        if let column = Column(rawValue: word) { add(value, in: column) } else { add(part) }
      }
    }
  }

  /// The tempos of a filter: `120` is all that round to 120, `120-130` all from 120 to 130, `120-`
  /// all from 120 on.
  private static func tempos(_ text: Substring) -> ClosedRange<Double>? {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let low = number(ends[0]) else { return nil }
    // The bounds are in order: `low` is at most 100,000.
    guard ends.count > 1 else { return low - 0.5...low + 0.5 }
    guard !ends[1].isEmpty else { return low...1_000_000 }
    guard let high = number(ends[1]) else { return nil }
    // The bounds are in order: the smaller one comes first.
    return min(low, high)...max(low, high)
  }

  private static func number(_ text: Substring) -> Double? {
    guard text.utf8.count <= 8, let number = Double(text), (0...100_000).contains(number) else { return nil }
    return number
  }

  private mutating func add(_ text: Substring, in column: Column? = nil) {
    let parts = text.unicodeScalars.split { !LibraryQuery.isOfWord($0) }
    for part in parts where words.count < LibraryQuery.mostWords && part.contains(where: \.isOfAnyWord) {
      words.append(Word(column: column, text: String(part)))
    }
  }

  /// Whether the index takes the scalar for a part of a word: letters, digits, and accents, which
  /// the index ignores.
  /// - Source: https://sqlite.org/fts5.html#unicode61_tokenizer
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: scalar.isOfAnyWord
    }
  }

  // MARK: The index's query language

  /// Queries for the index, from narrow to wide: each finds at least the items of the queries
  /// before it. Trying them in order gives the better matches first. Empty where there are no
  /// words.
  var matches: [String] {
    guard !words.isEmpty else { return [] }
    let whole = words.map { "\($0.prefix)\($0.quoted)" }.joined(separator: " AND ")
    let begun = words.map { "\($0.prefix)\($0.quoted) *" }.joined(separator: " AND ")
    let phrase = words.map(\.quoted).joined(separator: " + ")
    guard words.allSatisfy({ $0.column == nil }) else { return [whole, begun] }
    let inName = words.map { "name : \($0.quoted)" }.joined(separator: " AND ")
    let begunInName = words.map { "name : \($0.quoted) *" }.joined(separator: " AND ")
    return ["name : ^ \(phrase)", inName, begunInName, whole, begun]
  }

  /// The words as they may be in a name.
  var phrase: String { words.map(\.text).joined(separator: " ") }
}

extension LibraryQuery.Word {
  fileprivate var prefix: String { column.map { "\($0.rawValue) : " } ?? "" }
  /// A word contains no quotation mark. If one did, it would be doubled here.
  fileprivate var quoted: String {
    "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}

extension Unicode.Scalar {
  fileprivate var isOfAnyWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}

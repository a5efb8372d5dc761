import Foundation
import Testing

@testable import JamBench

@Suite("keys of a bench's rows")
struct BenchRecordKeyTests {
  private func keys(_ rows: [(name: String, key: String?)]) -> [String] {
    var report = BenchReport(name: "test", machine: "")
    report.rows = rows.map { BenchRow($0.name, key: $0.key, unit: "", values: [0]) }
    return report.keys
  }

  @Test("an indented row's key begins with the key of the row that it belongs to")
  func groups() {
    #expect(
      keys([("bursts", nil), ("  lost", nil), ("even", nil), ("  lost", nil), ("    twice", nil), ("  late", nil)])
        == ["bursts", "bursts / lost", "even", "even / lost", "even / lost / twice", "even / late"])
  }

  @Test("a key stands for a name that holds a figure of the run")
  func explicit() {
    #expect(keys([("28 kits read", "kits read"), ("  resident", nil)]) == ["kits read", "kits read / resident"])
  }

  @Test("no two keys are equal, whatever the names are")
  func unique() {
    #expect(keys([("lost", nil), ("lost", nil), ("lost", nil)]) == ["lost", "lost (2)", "lost (3)"])
  }

  /// Names that are made as a bench runs (`kind.name`) are not looked at here; the tests below ask their makers.
  @Test("the names that the benches' source holds give each row a key of its own")
  func source() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/JamBench")
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var all: [String: [String]] = [:]
    for case let file as URL in files where file.pathExtension == "swift" {
      let name = file.deletingPathExtension().lastPathComponent
      // The bench of sound is one report of many files.
      let bench = name.hasPrefix("SoundBench") ? "SoundBench" : name
      all[bench, default: []] += keys(Self.rows(in: try String(contentsOf: file, encoding: .utf8)))
    }
    #expect(all.values.reduce(0) { $0 + $1.count } > 60, "the rows are not found in the source any more")
    for (bench, keys) in all {
      let twice = keys.filter { key in key.hasSuffix(" (2)") || keys.count { $0 == key } > 1 }
      #expect(twice.isEmpty, "\(bench) has two rows of one key")
    }
  }

  @Test("kinds of voices and of notes, and figures of the page, have names of their own")
  func made() {
    #expect(Set(VoicesBench.Kind.allCases.map(\.name)).count == VoicesBench.Kind.allCases.count)
    #expect(Set(NotesBench.Kind.allCases.map(\.name)).count == NotesBench.Kind.allCases.count)
    let page = PageBench.figures.values.map(\.name)
    #expect(Set(page).count == page.count)
  }

  /// The name and the key of each `BenchRow` whose name is a literal; interpolations stay as they are written.
  static func rows(in source: String) -> [(name: String, key: String?)] {
    source.components(separatedBy: "BenchRow(").dropFirst().compactMap { call in
      var rest = Substring(call).drop { $0.isWhitespace }
      guard let name = literal(&rest) else { return nil }
      rest = rest.drop { $0 == "," || $0.isWhitespace }
      guard rest.hasPrefix("key:") else { return (name, nil) }
      rest = rest.dropFirst(4).drop { $0.isWhitespace }
      return (name, literal(&rest))
    }
  }

  /// Takes a string literal off the front of `text`; nil where there is none.
  private static func literal(_ text: inout Substring) -> String? {
    guard text.first == "\"" else { return nil }
    text.removeFirst()
    var content = ""
    // How many parentheses are open in an interpolation; texts in it hold none that are not closed.
    var depth = 0
    while let character = text.popFirst() {
      if depth == 0, character == "\"" { return content }
      if depth == 0, character == "\\", text.first == "(" {
        text.removeFirst()
        depth = 1
        content += "\\("
        continue
      }
      if depth > 0 { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
      content.append(character)
    }
    return nil
  }
}

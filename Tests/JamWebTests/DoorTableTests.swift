import Foundation
import JamWire
import Testing

@testable import JamWeb

/// The tables of doors in SECURITY.md, compared with the server's own lists. Whoever adds a door
/// answers the questions of the table.
@Suite struct DoorTableTests {
  /// The rows of the table whose first heading is `heading`, each in its cells.
  private static func rows(under heading: String) throws -> [[String]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(heading) |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The texts of a cell that stand between backticks.
  private static func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test("every door of HTTP has its row, and no row is left over") func http() throws {
    let router = Router.standard(backend: try TestBackend(), counters: WebCounters(), limits: .standard)
    let rows = try Self.rows(under: "door")
    let written = rows.compactMap { $0.first.flatMap { Self.quoted($0).first } }
    #expect(written.count == Set(written).count)
    #expect(Set(router.doors).subtracting(written) == [], "doors without a row")
    #expect(Set(written).subtracting(router.doors) == [], "rows without a door")
    for row in rows { #expect(row.count == 6 && row.allSatisfy { !$0.isEmpty }, "\(row)") }
  }

  @Test("every door of OSCQuery has its row, and no row is left over") func tree() throws {
    let router = Router.tree(backend: try TestBackend())
    let rows = try Self.rows(under: "door of OSCQuery")
    #expect(rows.compactMap { $0.first.flatMap { Self.quoted($0).first } } == router.doors)
    for row in rows { #expect(row.count == 6 && row.allSatisfy { !$0.isEmpty }, "\(row)") }
  }

  @Test("every family of commands has its place, and none is left over") func commands() throws {
    var families: [String: Set<String>] = [:]
    for entry in AddressTable.standard.entries where entry.access != .sent {
      guard let first = entry.template.split(separator: "/").first else { continue }
      families[entry.section.rawValue, default: []].insert("/\(first)")
    }
    let rows = try Self.rows(under: "commands")
    for row in rows { #expect(row.count == 4 && row.allSatisfy { !$0.isEmpty }, "\(row)") }
    #expect(Set(rows.compactMap(\.first)) == Set(families.keys))
    for row in rows where row.count == 4 {
      #expect(Set(Self.quoted(row[1])) == families[row[0]], "\(row[0])")
    }
  }
}

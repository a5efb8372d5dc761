import Foundation
@testable import JamCore
import Testing

@Suite("Protocol/chords.md") struct ChordDocumentTests {
  private static let rows: [[String]] = {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = (try? String(contentsOfFile: root + "/Protocol/chords.md", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }()

  private func listed(_ first: String) -> [String]? { ChordDocumentTests.rows.first { $0.first == first } }

  @Test("it lists every type, with words that are read as that type")
  func types() throws {
    for type in ChordType.allCases {
      let row = try #require(listed(type == .major ? "(none)" : "`\(type.suffix)`"), "\(type)")
      #expect(row[1].split(separator: " ").count == type.intervals.count, "\(type)")
      guard row.count > 2 else { continue }
      for word in row[2].split(separator: "`") where word != " " {
        #expect(ChordType(written: word) == type, "\(word)")
      }
    }
  }

  @Test("it lists every scale with its notes, every layout, and every shipped progression")
  func others() throws {
    for scale in Scale.allCases {
      let notes = try #require(listed("`\(scale.word)`"), "\(scale)")[1].split(separator: " ")
      #expect(notes.count == scale.steps.count)
    }
    for layout in PadLayout.allCases { #expect(listed("`\(layout.word)`") != nil, "\(layout)") }
    for shipped in ShippedProgression.all {
      let row = try #require(listed(shipped.name), "\(shipped.name)")
      #expect(row.dropFirst() == [shipped.style.word, shipped.mood.word, "`\(shipped.progression.text)`"])
    }
  }
}

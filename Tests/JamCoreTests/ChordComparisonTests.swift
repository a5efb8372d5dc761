@testable import JamCore
import Testing

/// Our chords beside pychord's and music21's. What was decided where they disagree is in Protocol/chords.md.
@Suite("Chords beside two libraries") struct ChordComparisonTests {
  private static func rows(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { $0.split(separator: ";").map { $0.trimmingPrefix(" ").description.trimmed } }
  }

  private static func type(_ word: String) -> ChordType? { word == "major" ? .major : ChordType(written: word) }
  private static func numbers(_ text: String) -> [Int] { text.split(separator: " ").compactMap { Int($0) } }

  @Test("29 types have the notes that both libraries give them; a thirteenth has no eleventh")
  func formulas() throws {
    let rows = ChordComparisonTests.rows(ChordComparison.formulas)
    #expect(rows.compactMap { ChordComparisonTests.type($0[0]) } == ChordType.allCases)
    for row in rows {
      let type = try #require(ChordComparisonTests.type(row[0]))
      for library in row.dropFirst() {
        let eleventh = type == .thirteenth || type == .major13 ? [5] : []
        #expect((type.intervals + eleventh).sorted() == ChordComparisonTests.numbers(library), "\(type)")
      }
    }
  }

  /// A library's name for a chord, with semitones above our root, as one of ours: `9 m7/0`. nil of what we have no type for.
  private static func chord(_ name: Substring, on root: Int) -> ChordName? {
    var parts = name.split(separator: " ", maxSplits: 1)[...]
    guard let place = parts.popFirst().flatMap({ Int($0.trimmed) }) else { return nil }
    let rest = (parts.first ?? "").trimmed
    let slash = rest.lastIndex(of: "/")
    let word = slash.map { String(rest[..<$0]) } ?? rest
    let bass = slash.flatMap { Int(rest[rest.index(after: $0)...]) }
    let type: ChordType? =
      switch word {
      case "power": .power
      case "m7-5": .halfDiminished
      case "7+": .augmented7
      case "add2": .added9
      case "madd2": .minorAdded9
      case "7add1": .flatNine
      case "7add3": .sharpNine
      default: ChordType(written: word)
      }
    if slash != nil, bass == nil { return nil }
    return type.map { ChordName(root: PitchClass(root + place), type: $0, bass: bass.map { PitchClass(root + $0) }) }
  }

  /// Type, inversion, and what we call it in C, where neither library says so.
  private static let decided = [
    "C7sus4 1: C7sus4/F", "Cm11 1: Ebmaj13", "C13 0: C13", "C13 1: C13/E", "C13 2: C13/G", "C13 3: C13/Bb",
    "C13 4: C13/D", "C13 5: C13/A",
    "Cmaj13 0: Cmaj13",
  ]

  @Test(
    "on twelve roots in all inversions a name of ours is pychord's or music21's first, but for those that are decided otherwise"
  )
  func names() throws {
    let rows = ChordComparisonTests.rows(ChordComparison.names)
    #expect(rows.count == ChordType.allCases.reduce(0) { $0 + $1.intervals.count })
    var disagreements: [String] = []
    for row in rows {
      for root in 0..<12 {
        let ours = ChordName.readings(of: ChordComparisonTests.numbers(row[2]).map { 40 + root + $0 })
        let best = try #require(ours.first)
        let bass = (40 + root) % 12
        let pychord = row[3].split(separator: ",").map { ChordComparisonTests.chord($0, on: bass) }
        let music21 = ChordComparisonTests.chord(Substring(row[4]), on: bass)
        // Whatever a library says is among our readings.
        for theirs in (pychord + [music21]).compactMap({ $0 }) { #expect(ours.contains(theirs), "\(row) \(root)") }
        if pychord.first != best, music21 != best, root == 8 {
          disagreements.append("C\(row[0]) \(row[1]): \(best.text(in: MusicalKey()))")
        }
      }
    }
    #expect(disagreements == ChordComparisonTests.decided)
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}

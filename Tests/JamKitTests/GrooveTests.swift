import JamCore
import Testing

@testable import JamKit

/// Grooves as music: in time, in key, and the same for the same roll.
@Suite struct GrooveTests {
  private static let sixteenth: Int64 = 250_000

  private func groove(
    _ roll: UInt64, _ mood: GrooveMood = .any, _ key: MusicalKey = MusicalKey(),
    change: (inout Groove.Wish) -> Void = { _ in }
  ) -> Groove {
    var wish = Groove.Wish()
    wish.mood = mood
    wish.key = key
    change(&wish)
    return Groove(wish, roll: roll)
  }

  private func line(_ groove: Groove, _ part: GroovePart) throws -> Groove.Line {
    try #require(groove.lines.first { $0.part == part })
  }

  private func shipped(_ name: String) throws -> ShippedProgression {
    try #require(ShippedProgression.all.first { $0.name == name })
  }

  @Test(
    "each line is whole bars of sixteenths, in order, and begins with a sound in its first bar",
    arguments: 0..<60 as Range<UInt64>)
  func time(roll: UInt64) throws {
    let groove = groove(roll)
    #expect(groove.lines.map(\.part) == GroovePart.allCases)
    for line in groove.lines {
      #expect(line.length > .zero && line.length.microBeats % (16 * Self.sixteenth) == 0)
      #expect(
        line.hits.contains { $0.position < Beats(4) }, "\(line.part) is silent in its first bar")
      #expect(
        line.hits.allSatisfy {
          $0.position < line.length && $0.position.microBeats % Self.sixteenth == 0
        })
      #expect(zip(line.hits, line.hits.dropFirst()).allSatisfy { $0.position <= $1.position })
      #expect(
        line.hits.allSatisfy { hit in
          hit.length.map { $0 > .zero && hit.position + $0 <= line.length } ?? true
        })
    }
  }

  @Test("the drums have a kick, a backbeat and hats or cymbals", arguments: 0..<60 as Range<UInt64>)
  func drums(roll: UInt64) throws {
    let categories = try line(groove(roll), .drums).hits.compactMap { hit -> String? in
      if case .drum(let category, _) = hit.sound { category } else { nil }
    }
    #expect(categories.contains("kick"))
    #expect(!Set(categories).isDisjoint(with: ["snare", "clap", "percussion", "hat"]))
    #expect(!Set(categories).isDisjoint(with: ["hat", "cymbal"]))
  }

  @Test(
    "bass and chords follow the progression in the key: roots or fifths, and the chord's own notes",
    arguments: 0..<80 as Range<UInt64>)
  func harmony(roll: UInt64) throws {
    let keys = [
      MusicalKey(), MusicalKey(root: .a, scale: .minor), MusicalKey(root: .eFlat, scale: .major),
    ]
    let key = keys[Int(roll % 3)]
    let groove = groove(roll, .any, key)
    let progression = try shipped(groove.progression).progression
    let sounding = progression.sounding(in: key)
    for part in [GroovePart.bass, .chords] {
      let line = try line(groove, part)
      #expect(line.theme == groove.progression && line.length >= progression.length)
      for hit in line.hits {
        guard case .note(let note) = hit.sound, hit.position < progression.length else { continue }
        let chord = sounding[progression.place(at: hit.position).index]
        let above = PitchClass(note - chord.root.number).number
        let allowed =
          part == .bass
          ? [0, 6, 7, 8, PitchClass((chord.bass ?? chord.root).number - chord.root.number).number]
          : chord.intervals
        #expect(allowed.contains(above), "\(part) plays \(note) over \(chord.name(in: key))")
      }
    }
  }

  @Test("the bass lies low, its roots within an octave, and the chords lie above it")
  func register() throws {
    for roll in 0..<40 as Range<UInt64> {
      let groove = groove(roll) { $0.lowestBass = 40 }
      let bass = try line(groove, .bass).hits.compactMap {
        if case .note(let note) = $0.sound { note } else { nil }
      }
      let chords = try line(groove, .chords).hits.compactMap {
        if case .note(let note) = $0.sound { note } else { nil }
      }
      #expect(bass.allSatisfy { (35..<64).contains($0) })
      #expect(chords.allSatisfy { (55..<80).contains($0) })
    }
  }

  @Test("the same roll is the same groove, and rolls are many grooves")
  func rolls() {
    #expect((0..<20 as Range<UInt64>).allSatisfy { groove($0) == groove($0) })
    #expect(Set((0..<100 as Range<UInt64>).map { groove($0) }).count > 50)
  }

  @Test("a mood takes progressions of that mood", arguments: GrooveMood.allCases)
  func moods(mood: GrooveMood) throws {
    for roll in 0..<30 as Range<UInt64> {
      let shipped = try shipped(groove(roll, mood).progression)
      #expect(mood.ofProgressions.map { $0 == shipped.mood } ?? true)
    }
  }

  @Test("a tempo that stays takes styles near it", arguments: [76, 90, 124] as [Float])
  func tempo(bpm: Float) {
    for roll in 0..<30 as Range<UInt64> {
      let usual = groove(roll) { $0.bpm = bpm }.bpm
      #expect(max(bpm, usual) / min(bpm, usual) <= 1.2)
    }
  }

  @Test("a tempo far from all styles has a groove too", arguments: [20, 300] as [Float])
  func strangeTempo(bpm: Float) {
    #expect(groove(1) { $0.bpm = bpm }.lines.allSatisfy { !$0.hits.isEmpty })
  }

  @Test("the progression that others play is kept, and one's own last one does not come again")
  func others() {
    for roll in 0..<30 as Range<UInt64> {
      #expect(groove(roll) { $0.progression = "Anthem" }.progression == "Anthem")
      let first = groove(roll)
      let next = groove(roll) { $0.others = Set(first.lines.map(\.theme)) }
      #expect(next.progression != first.progression)
    }
  }

  @Test("in other signatures all lines are whole bars", arguments: [6, 10, 12, 14, 20])
  func signatures(steps: Int) {
    for roll in 0..<20 as Range<UInt64> {
      for line in groove(roll, change: { $0.stepsPerBar = steps }).lines {
        #expect(line.length.microBeats % (Int64(steps) * Self.sixteenth) == 0)
        #expect(line.hits.allSatisfy { $0.position < line.length })
        #expect(zip(line.hits, line.hits.dropFirst()).allSatisfy { $0.position <= $1.position })
      }
    }
  }

  @Test(
    "every style names blocks and figures that there are",
    arguments: ShippedProgression.Style.allCases)
  func styles(style: ShippedProgression.Style) {
    let facts = GrooveStyle.of(style)
    #expect(facts.drums.allSatisfy { name in ReadyMadeBlocks.all.contains { $0.name == name } })
    #expect(facts.bass.allSatisfy { $0.count == 16 && $0.allSatisfy { "R58-.".contains($0) } })
    #expect(facts.chords.allSatisfy { $0.count == 16 && $0.allSatisfy { "Xx-.".contains($0) } })
    #expect(!facts.bassInstruments.isEmpty && !facts.chordInstruments.isEmpty && facts.bpm > 60)
  }

  @Test("a figure's note is not held over a chord that begins")
  func figure() {
    let figure = GrooveFigure("X-------........")
    let notes = figure.notes(steps: 32, perBar: 16, starts: [0, 4, 16], again: "x")
    #expect(
      notes == [
        GrooveFigure.Note(mark: "X", step: 0, length: 4),
        GrooveFigure.Note(mark: "x", step: 4, length: 4),
        GrooveFigure.Note(mark: "X", step: 16, length: 8),
      ])
  }
}

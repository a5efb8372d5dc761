@testable import JamCore
import Testing

@Suite("Chord names") struct ChordNameTests {
  private static let pianoTypes = ChordType.allCases.prefix(11)

  /// In close position, from that inversion's bass up.
  private static func notes(_ type: ChordType, on root: Int, inversion: Int) -> [Int] {
    Voicings.voice(type.intervals.map { 48 + root + $0 }, inversion: inversion, spread: .close)
  }

  @Test("29 types, no two of the same name or notes")
  func types() {
    #expect(ChordType.allCases.count == 29)
    #expect(Set(ChordType.allCases.map(\.suffix)).count == 29)
    #expect(Set(ChordType.allCases.map(\.mask)).count == 29)
    for (word, type) in [
      ("maj", ChordType.major), ("Δ", .major7), ("Δ9", .major9), ("M7", .major7), ("m7", .minor7),
      ("m(maj7)", .minorMajor7),
    ] {
      #expect(ChordType(written: word) == type)
    }
    for word in ["x", "7b5b9", "M77", " ", "mm"] { #expect(ChordType(written: word) == nil) }
    for type in ChordType.allCases {
      #expect(ChordType(written: type.suffix) == type)
      #expect(type.intervals == type.intervals.sorted() && type.intervals.first == 0)
    }
  }

  @Test("11 types × 12 roots × all inversions are named right, in every spread")
  func piano() {
    // Chords that share their notes: the bass decides, and without it the plainer one, as here.
    var count = 0
    for type in ChordNameTests.pianoTypes {
      for root in 0..<12 {
        for inversion in type.intervals.indices {
          for spread in [ChordSpread.close, .wide] {
            let close = ChordNameTests.notes(type, on: root, inversion: inversion)
            let notes = Voicings.voice(close, inversion: 0, spread: spread)
            let bass = PitchClass(notes[0])
            let readings = ChordName.readings(of: notes)
            let meant = ChordName(root: PitchClass(root), type: type, bass: bass.number == root ? nil : bass)
            #expect(readings.contains(meant), "\(type) \(root) \(inversion)")
            let best: ChordName? =
              switch type {
              // The same from each of their notes: the lowest is the root.
              case .augmented, .diminished7: ChordName(root: bass, type: type, bass: nil)
              // Csus2 over G is Gsus4, and Csus4 over F is Fsus2.
              case .suspended2 where inversion == 2: ChordName(root: bass, type: .suspended4, bass: nil)
              case .suspended4 where inversion == 1: ChordName(root: bass, type: .suspended2, bass: nil)
              // Over D, Csus2 is Gsus4 as well, which is the more frequent chord.
              case .suspended2 where inversion == 1:
                ChordName(root: PitchClass(root + 7), type: .suspended4, bass: bass)
              // Am7 over C is C6.
              case .minor7 where inversion == 1: ChordName(root: bass, type: .sixth, bass: nil)
              case .halfDiminished where inversion == 1: ChordName(root: bass, type: .minor6, bass: nil)
              default: meant
              }
            #expect(readings.first == best, "\(type) \(root) \(inversion) \(spread): \(readings)")
            count += 1
          }
        }
      }
    }
    #expect(count == (3 * 6 + 4 * 5) * 12 * 2)
  }

  @Test(
    "names as musicians write them in the key",
    arguments: [
      ([52, 55, 60], "C", "C/E"),
      ([57, 60, 64], "C", "Am"),
      ([48, 52, 57], "C", "Am/C"),
      ([48, 52, 57, 55], "C", "C6"),
      ([57, 60, 64, 67], "C", "Am7"),
      ([46, 50, 53], "C", "Bb"),
      ([56, 60, 63], "C", "Ab"),
      ([54, 57, 60], "C", "F#dim"),
      // The third of a chord is written so in every key.
      ([54, 57, 60, 62], "F", "D7/F#"),
      ([56, 59, 62, 64], "F", "E7/G#"),
      ([61, 65, 68], "Ab", "Db"),
      ([61, 65, 68], "E", "C#"),
      ([54, 58, 61], "Gb", "Gb"),
      ([54, 58, 61], "B", "F#"),
      ([48, 52, 58], "C", "C7"),
      ([48, 52, 55, 58, 63], "C", "C7#9"),
      ([48, 52, 55, 58, 62, 69], "C", "C13"),
      // Over a bass that is none of its notes.
      ([54, 60, 64, 67], "C", "C/F#"),
      ([48, 55], "C", "C5"),
    ] as [([Int], String, String)])
  func names(notes: [Int], root: String, name: String) throws {
    let key = MusicalKey(root: try #require(KeyRoot(rawValue: root)))
    #expect(ChordName.readings(of: notes).first?.text(in: key) == name)
  }

  @Test("nothing and one note have no name, however often it sounds")
  func nothing() {
    for notes in [[], [60], [60, 72], [0, 12, 24, 127 / 12 * 12]] { #expect(ChordName.readings(of: notes).isEmpty) }
    #expect(Interval.name(of: [60]) == nil)
    #expect(Interval.name(of: [60, 63]) == "minor 3rd")
    #expect(Interval.name(of: [72, 60]) == "octave")
  }

  @Test("any set of notes is named or not, and every reading's root sounds")
  func anything() {
    for mask in 0..<4096 {
      let notes = (0..<12).filter { mask >> $0 & 1 == 1 }.map { 60 + $0 }
      let readings = ChordName.readings(of: notes)
      #expect(Set(readings).count == readings.count)
      for reading in readings { #expect(notes.contains(60 + reading.root.number)) }
    }
  }

  @Test("a diminished chord that leads to a note has the letter below that one's")
  func leadingChords() {
    func name(_ notes: [Int], _ root: KeyRoot, _ scale: Scale) -> String? {
      ChordName.readings(of: notes).first?.text(in: MusicalKey(root: root, scale: scale))
    }
    for (root, scale, note, expected) in [
      (KeyRoot.a, Scale.minor, 68, "G#dim7"), (.d, .minor, 61, "C#dim7"), (.e, .minor, 63, "D#dim7"),
      (.b, .minor, 70, "A#dim7"),
      (.c, .major, 66, "F#dim7"), (.c, .major, 61, "C#dim7"), (.eFlat, .major, 66, "F#dim7"), (.c, .major, 59, "Bdim7"),
    ] {
      #expect(name([note, note + 3, note + 6, note + 9], root, scale) == expected)
    }
    #expect(name([68, 71, 74], .a, .minor) == "G#dim")
  }

  @Test("black keys outside the scale have the sign that lies nearer")
  func spelling() {
    let names = { (key: MusicalKey) in (0..<12).map { key.name(of: PitchClass($0)) }.joined(separator: " ") }
    #expect(names(MusicalKey(root: .c)) == "C C# D Eb E F F# G Ab A Bb B")
    #expect(names(MusicalKey(root: .e)) == "C C# D D# E F F# G G# A A# B")
    #expect(names(MusicalKey(root: .f)) == "C Db D Eb E F F# G Ab A Bb B")
    #expect(names(MusicalKey(root: .d, scale: .minor)) == "C C# D Eb E F F# G Ab A Bb B")
    #expect(names(MusicalKey(root: .a, scale: .minor)) == "C C# D Eb E F F# G G# A Bb B")
    #expect(names(MusicalKey(root: .eFlat)) == "C Db D Eb E F Gb G Ab A Bb B")
  }
}

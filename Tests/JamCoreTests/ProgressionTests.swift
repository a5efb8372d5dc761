@testable import JamCore
import Testing

@Suite("Progressions") struct ProgressionTests {
  private static let cMajor = MusicalKey(root: .c, scale: .major)
  private static let cMinor = MusicalKey(root: .c, scale: .minor)

  private static func names(_ text: String, _ key: MusicalKey) throws -> String {
    try Progression(name: "", text: text).sounding(in: key).map { $0.name(in: key) }.joined(separator: " ")
  }

  @Test(
    "chords by degree, numeral and note sound in the key",
    arguments: [
      ("I V vi IV", MusicalKey(root: .c), "C G Am F"),
      ("I V vi IV", MusicalKey(root: .eFlat), "Eb Bb Cm Ab"),
      ("I–V–vi–IV", MusicalKey(root: .fSharp), "F# C# D#m B"),
      ("ii7 V7 Imaj7", MusicalKey(root: .c), "Dm7 G7 Cmaj7"),
      ("IIm7, V7, Imaj7", MusicalKey(root: .bFlat), "Cm7 F7 Bbmaj7"),
      ("1 5 6 4", MusicalKey(root: .c), "C G Am F"),
      ("1 5 6 4", MusicalKey(root: .c, scale: .minor), "Cm Gm Ab Fm"),
      ("17 2 49 5sus4 1maj", MusicalKey(root: .c), "Cmaj7 Dm Fmaj9 Gsus4 C"),
      ("1 3 5", MusicalKey(root: .c, scale: .harmonicMinor), "Cm Ebaug G"),
      ("C Am F G", MusicalKey(root: .fSharp), "C Am F G"),
      ("C/E F#m7b5/C Db Bb6/9/D", MusicalKey(root: .c), "C/E F#m7b5/C Db Bb6/9/D"),
      ("C♯m A♭maj7", MusicalKey(root: .c), "C#m Abmaj7"),
      // Minor: numerals count on the minor scale, signs on the major one; the leading note has the diminished chord.
      ("i VI III VII", MusicalKey(root: .a, scale: .minor), "Am F C G"),
      ("i bVI bIII bVII", MusicalKey(root: .a, scale: .minor), "Am F C G"),
      ("i vii°7 V7 iiø7", MusicalKey(root: .c, scale: .minor), "Cm Bdim7 G7 Dm7b5"),
      // Written by their degrees, whatever the key calls the note.
      ("vii°7 V7/vi bVI bII #IVdim", MusicalKey(root: .a), "G#dim7 C#7 F Bb D#dim"),
      ("vii°7 i viø7", MusicalKey(root: .a, scale: .minor), "G#dim7 Am F#m7b5"),
      ("bVI bII bVII", MusicalKey(root: .gFlat), "D G Fb"),
      ("i IV", MusicalKey(root: .d, scale: .dorian), "Dm G"),
      ("I bVII IV", MusicalKey(root: .g, scale: .mixolydian), "G F C"),
      // The relative key where the room's scale has the other third, so that the notes are the scale's.
      ("I V vi IV", MusicalKey(root: .a, scale: .minor), "C G Am F"),
      ("i VI III VII", MusicalKey(root: .c, scale: .major), "Am F C G"),
      ("i iv", MusicalKey(root: .g, scale: .majorPentatonic), "Em Am"),
      // A blues has both.
      ("I7 IV7 V7", MusicalKey(root: .a, scale: .blues), "A7 D7 E7"),
      ("I V/V V7/ii vii°7/V", MusicalKey(root: .c), "C D A7 F#dim7"),
      ("I/3 V7/4 I/5 IV/b7", MusicalKey(root: .f), "F/A C7/Bb F/C Bb/Eb"),
      ("I^1 V7^3 I^2", MusicalKey(root: .d), "D/F# A7/G D/A"),
      ("IIIm7 iiim7 iii7", MusicalKey(root: .c), "Em7 Em7 Em7"),
      (
        "imaj7 i6 iadd9 i9 i11 idim7 im7b5 isus4 i5", MusicalKey(root: .c, scale: .minor),
        "Cm(maj7) Cm6 Cm(add9) Cm9 Cm11 Cdim7 Cm7b5 Csus4 C5"
      ),
      (
        "I+ IΔ IM7 I7sus I69 I6/9 I7#9 I13", MusicalKey(root: .c),
        "Caug Cmaj7 Cmaj7 C7sus4 C6/9 C6/9 C7#9 C13"
      ),
    ] as [(String, MusicalKey, String)])
  func chords(text: String, key: MusicalKey, sounds: String) throws {
    let names = try ProgressionTests.names(text, key)
    #expect(names == sounds)
  }

  @Test(
    "lengths are told, shared in bars, or whole bars",
    arguments: [
      ("I V", 4, [4.0, 4]),
      ("I V", 3, [3, 3]),
      ("I:2 V:0.5 vi:1.25", 4, [2, 0.5, 1.25]),
      ("| I V | vi | IV:3 I |", 4, [2, 2, 4, 3, 1]),
      ("| I % | % |", 4, [2, 2, 4]),
      ("I:8 %", 4, [8, 4]),
      ("| I ii iii |", 4, [1.333333, 1.333333, 1.333334]),
    ] as [(String, Int, [Double])])
  func lengths(text: String, beatsPerBar: Int, beats: [Double]) throws {
    let progression = try Progression(name: "", text: text, beatsPerBar: beatsPerBar)
    #expect(progression.chords.map(\.length) == beats.map { Beats(nearest: $0) })
    #expect(progression.length == Beats(nearest: beats.reduce(0, +)))
    #expect(try Progression(name: "", text: progression.text) == progression)
  }

  @Test(
    "what is no progression says where and why",
    arguments: [
      ("", .empty),
      (" | , ", .empty),
      ("I H IV", .notAChord("H", place: 2)),
      ("c am", .notAChord("c", place: 1)),
      ("I 8", .notAChord("8", place: 2)),
      ("1564", .unknownType("564", of: "1564", place: 1)),
      ("Vi", .unknownType("i", of: "Vi", place: 1)),
      ("C Amx7", .unknownType("mx7", of: "Amx7", place: 2)),
      ("vmaj9#11", .unknownType("maj9#11", of: "vmaj9#11", place: 1)),
      ("C/H", .badBass("H", of: "C/H", place: 1)),
      ("C/3", .badBass("3", of: "C/3", place: 1)),
      ("I/9", .badBass("9", of: "I/9", place: 1)),
      ("I^3", .badInversion("3", of: "I^3", place: 1)),
      ("I^", .badInversion("", of: "I^", place: 1)),
      ("I^-1", .badInversion("", of: "I^", place: 1)),
      ("I:0", .badLength("0", of: "I:0", place: 1)),
      ("I:65", .badLength("65", of: "I:65", place: 1)),
      ("I:1e3", .badLength("1e3", of: "I:1e3", place: 1)),
      ("I:nan", .badLength("nan", of: "I:nan", place: 1)),
      ("I:99999999999999999999", .badLength("99999999999999999999", of: "I:99999999999999999999", place: 1)),
      ("C V", .degreesAndNotes("V", "C")),
      ("ii Am", .degreesAndNotes("ii", "Am")),
      ("% I", .nothingToRepeat(place: 1)),
      ("| I:4 V |", .barOverfull(1)),
      (String(repeating: "I ", count: 65), .tooMany(most: 64)),
      (String(repeating: " ", count: 1025), .tooLong(most: 1024)),
    ] as [(String, Progression.Fault)])
  func faults(text: String, fault: Progression.Fault) {
    #expect(throws: fault) { try Progression(name: "", text: text) }
  }

  @Test("every chord that can be written is read again as it was, on all roots and with every type")
  func roundTrip() throws {
    var heads = ["1", "27", "39", "4maj", "5maj6", "6dom7", "7sus4"]
    for root in ["I", "bII", "#IV", "VII", "i", "bvi", "vii"] {
      for type in ChordType.allCases { heads.append(root + type.suffix) }
    }
    for root in ["C", "F#", "Bb", "Cb", "E#"] { for type in ChordType.allCases { heads.append(root + type.suffix) } }
    var count = 0
    for head in heads {
      for tail in [
        "", "^1", ":1.5", head.first?.isUppercase == true && NoteName(String(head.prefix(1))) != nil ? "/F#" : "/b3",
      ] {
        // Small letters are minor, and no augmented chord is.
        guard let progression = try? Progression(name: "", text: head + tail) else { continue }
        #expect(
          try Progression(name: "", text: progression.text) == progression, "\(head + tail) → \(progression.text)")
        count += 1
      }
    }
    #expect(count > 1300)
  }

  @Test("random text is refused or read, and what was read is read again as it was")
  func random() throws {
    var random = TestRandom(seed: 7)
    let pieces = [
      "I", "V", "v", "i", "b", "#", "C", "F", "m", "7", "maj7", "/", "^", ":", "1", "2", ".5", "|", " ", "%", "dim",
      "sus4", "6/9", "é", "9",
    ]
    var read = 0
    for _ in 0..<20_000 {
      let text = (0...random.below(8)).map { _ in pieces[random.below(pieces.count)] }.joined()
      guard let progression = try? Progression(name: "", text: text) else { continue }
      read += 1
      #expect(try Progression(name: "", text: progression.text) == progression, "\(text) → \(progression.text)")
      for key in [ProgressionTests.cMajor, MusicalKey(root: .g, scale: .minorPentatonic)] {
        let voicing = ProgressionVoicing(progression, in: key)
        #expect(voicing.chords.allSatisfy { $0.notes.count > 1 && $0.notes.allSatisfy((24...96).contains) }, "\(text)")
      }
    }
    #expect(read > 500)
  }

  @Test("a place in time finds its chord, around the end and before the start too")
  func places() throws {
    let progression = try Progression(name: "", text: "I:2 V:1 vi:0.5 IV")
    for (beat, index, since) in [
      (0.0, 0, 0.0), (1.999999, 0, 1.999999), (2, 1, 0), (3, 2, 0), (3.5, 3, 0), (7.499999, 3, 3.999999), (7.5, 0, 0),
      (-0.5, 3, 3.5), (-7.5, 0, 0),
      (7_500_000_002, 1, 0),
    ] {
      let place = progression.place(at: Beats(nearest: beat))
      #expect(place.index == index && place.since == Beats(nearest: since), "\(beat)")
    }
    for index in progression.chords.indices {
      #expect(progression.place(at: progression.start(of: index)).index == index)
    }
  }

  // MARK: Shipped

  @Test("the shipped ones are all readable, named once, and there is one for each style and each mood")
  func shipped() {
    #expect(ShippedProgression.all.count == ShippedProgression.rows.count)
    #expect(ShippedProgression.all.count >= 24)
    #expect(Set(ShippedProgression.all.map(\.name)).count == ShippedProgression.all.count)
    #expect(Set(ShippedProgression.all.map { $0.progression.text }).count == ShippedProgression.all.count)
    for style in ShippedProgression.Style.allCases {
      #expect(ShippedProgression.all.count { $0.style == style } >= 2, "\(style)")
    }
    for mood in ShippedProgression.Mood.allCases {
      #expect(ShippedProgression.all.count { $0.mood == mood } >= 5, "\(mood)")
    }
    for shipped in ShippedProgression.all {
      // Whole bars of four beats: loops of them meet.
      #expect(shipped.progression.length.microBeats % 4_000_000 == 0, "\(shipped.name)")
      #expect(shipped.progression.chords.allSatisfy { $0.isRelative }, "\(shipped.name)")
    }
  }

  @Test("in every key a shipped one is itself, so many semitones away")
  func transposed() {
    for shipped in ShippedProgression.all {
      for scale in [Scale.major, .minor] {
        let inC = shipped.progression.sounding(in: MusicalKey(root: .c, scale: scale))
        for root in KeyRoot.allCases {
          let there = shipped.progression.sounding(in: MusicalKey(root: root, scale: scale))
          #expect(there.map(\.intervals) == inC.map(\.intervals))
          #expect(
            there.map(\.root) == inC.map { PitchClass($0.root.number + root.pitch.number) }, "\(shipped.name) \(root)")
          #expect(there.map(\.bass) == inC.map { $0.bass.map { PitchClass($0.number + root.pitch.number) } })
        }
      }
    }
  }

  // MARK: Voices

  @Test(
    "a chord sounds with its notes and no others, its bass lowest, in range, whatever the key, the scale and the spread"
  )
  func notes() {
    for shipped in ShippedProgression.all {
      for root in [KeyRoot.c, .fSharp, .b] {
        for scale in Scale.allCases {
          for (place, spread) in ChordSpread.allCases.enumerated() {
            var settings = ProgressionVoicing.Settings()
            settings.spread = spread
            settings.hasBass = place % 2 == 0
            let key = MusicalKey(root: root, scale: scale)
            for chord in ProgressionVoicing(shipped.progression, in: key, settings).chords {
              let sounding = chord.chord
              let wanted = Set(
                sounding.intervals.map { PitchClass(sounding.root.number + $0) } + [sounding.bass].compactMap { $0 })
              let isRight =
                Set(chord.notes.map { PitchClass($0) }) == wanted
                && (!settings.hasBass || PitchClass(chord.notes[0]) == sounding.bass ?? sounding.root)
                && zip(chord.notes, chord.notes.dropFirst()).allSatisfy { $0 < $1 }
                && chord.notes.allSatisfy((24...96).contains)
              #expect(isRight, "\(shipped.name) \(key) \(spread) \(sounding.name(in: key)) \(chord.notes)")
            }
          }
        }
      }
    }
  }

  @Test("from chord to chord the upper voices move by two semitones on average, and none by more than a fifth")
  func voiceLeading() {
    var (sum, count) = (0, 0)
    for shipped in ShippedProgression.all {
      let chords = ProgressionVoicing(shipped.progression, in: ProgressionTests.cMajor).chords.map {
        $0.notes.dropFirst()
      }
      for (before, after) in zip(chords, chords.dropFirst()) {
        for note in after {
          let way = before.map { abs($0 - note) }.min() ?? 0
          #expect(way <= 7, "\(shipped.name) \(before) \(after)")
          (sum, count) = (sum + way, count + 1)
        }
      }
    }
    #expect(Double(sum) / Double(count) < 2)
  }

  @Test("four chords as they lie under the hands")
  func voiced() throws {
    let progression = try Progression(name: "", text: "I V vi IV")
    let voicing = ProgressionVoicing(progression, in: ProgressionTests.cMajor)
    #expect(
      voicing.chords.map(\.notes) == [[36, 52, 55, 60], [43, 50, 55, 59], [45, 52, 57, 60], [41, 53, 57, 60]])
    let sounding = voicing.sounding(at: Beats(21))
    #expect(sounding.index == 1 && sounding.since == Beats(1) && sounding.chord == voicing.chords[1])
    // An inversion that is asked for is the bass, or without one the chord itself.
    var settings = ProgressionVoicing.Settings()
    let inverted = try Progression(name: "", text: "I^1 V7^3")
    #expect(ProgressionVoicing(inverted, in: ProgressionTests.cMajor, settings).chords.map { $0.notes[0] } == [40, 41])
    settings.hasBass = false
    #expect(
      ProgressionVoicing(inverted, in: ProgressionTests.cMajor, settings).chords.map(\.notes) == [
        [52, 55, 60], [53, 55, 59, 62],
      ])
  }

  @Test("an arpeggiator that is handed the chords plays their notes, and none of the chord before")
  func arpeggiated() throws {
    let velocity = try #require(Velocity(1))
    let voicing = ProgressionVoicing(try Progression(name: "", text: "I V vi IV"), in: ProgressionTests.cMajor)
    for mode in ArpeggioMode.allCases where mode != .off {
      var arpeggio = Arpeggio()
      arpeggio.mode = mode
      for step in 0..<64 {
        let (index, chord, since) = voicing.sounding(at: Beats(microBeats: Int64(step) * 250_000))
        if since == .zero {
          arpeggio.releaseAll()
          for note in chord.notes { _ = arpeggio.press(note, velocity) }
        }
        let played = arpeggio.next(seed: 3).map(\.note)
        #expect(!played.isEmpty && Set(played).isSubset(of: chord.notes), "\(mode) \(index)")
      }
    }
  }
}

import JamCore
import Testing

@Suite("Keys and scales") struct MusicalKeyTests {
  @Test("scales rise from 0 within an octave; no two are the same, but for one that two cultures name")
  func scales() {
    for scale in Scale.allCases {
      let steps = scale.steps
      #expect(steps.first == 0 && zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 }, "\(scale)")
      #expect((steps.last ?? 12) < 12, "\(scale)")
    }
    #expect(Scale.allCases.count >= 32)
    #expect(Set(Scale.allCases.map(\.steps)).count == Scale.allCases.count)
    #expect(Set(Scale.allCases.map(\.word)).count == Scale.allCases.count)
  }

  @Test("keys and scales are known by what musicians write: any case, either sign, and their other names")
  func written() {
    for scale in Scale.allCases {
      #expect(Scale(written: scale.word) == scale && Scale(written: scale.word.uppercased()) == scale, "\(scale)")
    }
    let others: [(String, Scale)] = [
      ("Dorian", .dorian), ("aeolian", .minor), ("Natural Minor", .minor), ("ionian", .major),
      ("dorian ♭2", .dorianFlat2),
      ("harmonic-minor", .harmonicMinor), ("super locrian", .altered), ("whole tone", .wholeTone),
      ("pentatonic minor", .minorPentatonic), ("blues minor", .blues), ("Hirajōshi", .hirajoshi), ("m", .minor),
      ("half-whole diminished", .halfWhole), ("dorian mode", .dorian), ("Major Scale", .major),
      ("hijaz", .phrygianDominant),
    ]
    for (text, scale) in others { #expect(Scale(written: text) == scale, "\(text)") }
    for root in KeyRoot.allCases { #expect(KeyRoot(written: root.word) == root) }
    let roots: [(String, KeyRoot)] = [
      ("eb", .eFlat), ("E♭", .eFlat), ("f♯", .fSharp), ("Cb", .b), ("E#", .f), ("B#", .c), ("fb", .e), (" g ", .g),
      ("b", .b), ("bb", .bFlat),
    ]
    for (text, root) in roots { #expect(KeyRoot(written: text) == root, "\(text)") }
    for text in ["", "h", "C##", "Cm", "#", "major"] { #expect(KeyRoot(written: text) == nil, "\(text)") }
    for text in ["", "b2", "no scale"] { #expect(Scale(written: text) == nil, "\(text)") }
  }

  @Test(
    "notes are written as the key has them",
    arguments: [
      (MusicalKey(root: .c, scale: .major), "C D E F G A B"),
      (MusicalKey(root: .d, scale: .major), "D E F# G A B C#"),
      (MusicalKey(root: .eFlat, scale: .major), "Eb F G Ab Bb C D"),
      (MusicalKey(root: .fSharp, scale: .major), "F# G# A# B C# D# E#"),
      (MusicalKey(root: .gFlat, scale: .major), "Gb Ab Bb Cb Db Eb F"),
      (MusicalKey(root: .a, scale: .minor), "A B C D E F G"),
      (MusicalKey(root: .c, scale: .minor), "C D Eb F G Ab Bb"),
      (MusicalKey(root: .e, scale: .harmonicMinor), "E F# G A B C D#"),
      (MusicalKey(root: .d, scale: .dorian), "D E F G A B C"),
      (MusicalKey(root: .a, scale: .minorPentatonic), "A C D E G"),
      (MusicalKey(root: .e, scale: .blues), "E G A Bb B D"),
      // F double sharp would be right, and is written as G.
      (MusicalKey(root: .gSharp, scale: .harmonicMinor), "G# A# B C# D# E G"),
    ])
  func names(key: MusicalKey, written: String) { #expect(key.names.joined(separator: " ") == written) }

  @Test("every root sounds as it is written, and every name of every key is the note that it stands for")
  func pitches() {
    for root in KeyRoot.allCases {
      #expect(PitchClass(key: root.word) == root.pitch)
      for scale in Scale.allCases {
        let key = MusicalKey(root: root, scale: scale)
        #expect(key.names.map { PitchClass(key: $0) } == key.pitches, "\(root) \(scale)")
        #expect(key.contains(root.pitch))
      }
    }
    #expect(!MusicalKey(root: .c, scale: .major).contains(KeyRoot.fSharp.pitch))
  }
}

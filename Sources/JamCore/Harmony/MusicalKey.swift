/// The key of a room: a first note, as musicians write it, and a scale on that note.
public struct MusicalKey: Hashable, Sendable {
  public var root = KeyRoot.c
  public var scale = Scale.major

  public init(root: KeyRoot = .c, scale: Scale = .major) {
    self.root = root
    self.scale = scale
  }

  /// The notes of the scale, from the first note on.
  public var pitches: [PitchClass] { scale.steps.map { PitchClass(root.pitch.number + $0) } }

  public func contains(_ pitch: PitchClass) -> Bool { pitches.contains(pitch) }

  /// The names of the notes in this key, from the first note on: `D E F# G A B C#`. A note that
  /// would need two signs gets the name of the plainer note that sounds the same.
  public var names: [String] {
    scale.degrees.map { degree in
      let pitch = PitchClass(root.pitch.number + degree.semitones)
      return NoteName(letter: root.letter + degree.number - 1, sounding: pitch)?.text ?? pitch.name
    }
  }
}

/// The first note of a key, as musicians write it. C# and Db are two roots, though they sound the
/// same.
public enum KeyRoot: String, SettingWord {
  case c = "C"
  case cSharp = "C#"
  case dFlat = "Db"
  case d = "D"
  case dSharp = "D#"
  case eFlat = "Eb"
  case e = "E"
  case f = "F"
  case fSharp = "F#"
  case gFlat = "Gb"
  case g = "G"
  case gSharp = "G#"
  case aFlat = "Ab"
  case a = "A"
  case aSharp = "A#"
  case bFlat = "Bb"
  case b = "B"

  /// A note by its letter in any case, with a sharp or a flat in either writing. C flat, F flat,
  /// E sharp and B sharp are the plainer notes that sound the same.
  public init?(written text: String) {
    var rest = Substring(text.filter { !$0.isWhitespace })
    guard let letter = rest.popFirst() else { return nil }
    var name = Substring(letter.uppercased() + rest)
    guard let note = NoteName(takenFrom: &name), name.isEmpty else { return nil }
    guard let root = KeyRoot(rawValue: note.text) ?? KeyRoot.allCases.first(where: { $0.pitch == note.pitch })
    else { return nil }
    self = root
  }

  public var pitch: PitchClass { PitchClass(PitchClass.naturals[letter].number + sign) }

  /// The place of its letter among `PitchClass.naturals`.
  var letter: Int { PitchClass.naturals.firstIndex { $0.letter == rawValue.unicodeScalars.first } ?? 0 }
  private var sign: Int { rawValue.hasSuffix("#") ? 1 : rawValue.hasSuffix("b") ? -1 : 0 }
}

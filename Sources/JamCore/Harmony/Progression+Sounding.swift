/// A progression in a key.
extension Progression {
  /// All chords as they sound in that key.
  public func sounding(in key: MusicalKey) -> [SoundingChord] {
    let home = Home(of: self, in: key)
    return chords.map { chord in
      let (root, writtenRoot) = home.root(of: chord)
      let (intervals, type) = home.notes(of: chord, on: root)
      var (bass, writtenBass) = home.bass(of: chord)
      if bass == nil, let inversion = chord.inversion {
        bass = PitchClass(root.number + intervals[min(max(0, inversion), intervals.count - 1)])
      }
      return SoundingChord(
        root: root, intervals: intervals, type: type, bass: bass == root ? nil : bass, writtenRoot: writtenRoot,
        writtenBass: writtenBass)
    }
  }

  /// Whether the progression is in minor: it has a minor chord on I, and no other kind of chord on
  /// I.
  fileprivate var isMinor: Bool {
    var isMinor = false
    for case .numeral(let numeral, of: nil) in chords.map(\.root) where numeral.number == 1 && numeral.sign == 0 {
      guard numeral.isMinor else { return false }
      isMinor = true
    }
    return isMinor
  }
}

/// The note from which a progression's numerals count.
private struct Home {
  let key: MusicalKey
  let isMinor: Bool
  /// The first note, and its letter's place.
  let pitch: PitchClass
  let letter: Int

  /// A progression in major starts from the relative major of a minor key, and a progression in
  /// minor from the relative minor of a major key. Its notes are then notes of the scale. A blues
  /// has both thirds, so a blues key is never changed.
  init(of progression: Progression, in key: MusicalKey) {
    self.key = key
    isMinor = progression.isMinor
    let steps = key.scale.steps
    let isRelative =
      key.scale != .blues && steps.contains(3) != steps.contains(4) && steps.contains(3) != progression.isMinor
    pitch = isRelative ? PitchClass(key.root.pitch.number + (isMinor ? 9 : 3)) : key.root.pitch
    letter = isRelative ? key.root.letter + (isMinor ? 5 : 2) : key.root.letter
  }

  func root(of chord: ProgressionChord) -> (PitchClass, NoteName?) {
    switch chord.root {
    case .degree(let number): return (PitchClass(key.note(number - 1, from: 0)), nil)
    case .note(let note): return (note.pitch, note)
    case .numeral(let numeral, of: let target?):
      // The other chord counts as the first chord of a major key.
      let base = semitones(target.number, sign: target.sign, isMinor: isMinor)
      let root = PitchClass(
        pitch.number + base + semitones(numeral.number, sign: numeral.sign, isMinor: false))
      return (root, NoteName(letter: letter + target.number + numeral.number - 2, sounding: root))
    case .numeral(let numeral, of: nil):
      // In minor, the diminished chord stands on the raised seventh (the leading note), and the
      // half-diminished chord on the sixth of melodic minor.
      let isRaised =
        numeral.number >= 6
        && [.type(.diminished), .type(.diminished7), .type(.halfDiminished)].contains(chord.quality)
      let above = semitones(numeral.number, sign: numeral.sign, isMinor: isMinor && !isRaised)
      let root = PitchClass(pitch.number + above)
      return (root, NoteName(letter: letter + numeral.number - 1, sounding: root))
    }
  }

  /// The bass that the chord names, and the name in the chord's text.
  func bass(of chord: ProgressionChord) -> (PitchClass?, NoteName?) {
    switch (chord.bass, chord.root) {
    case (nil, _): return (nil, nil)
    case (.note(let note), _): return (note.pitch, note)
    case (.degree(let number, sign: 0), .degree): return (PitchClass(key.note(number - 1, from: 0)), nil)
    case (.degree(let number, let sign), _):
      return (PitchClass(pitch.number + semitones(number, sign: sign, isMinor: isMinor)), nil)
    }
  }

  /// Semitones above the root, and the type with exactly these semitones.
  func notes(of chord: ProgressionChord, on root: PitchClass) -> ([Int], ChordType?) {
    switch (chord.quality, chord.root) {
    case (.type(let type), _): return (type.intervals, type)
    case (.ofScale(let count), .degree(let number)):
      let mask = key.chord(on: number - 1, size: count, from: 0).reduce(UInt16(0)) {
        $0 | 1 << UInt16(PitchClass($1 - root.number).number)
      }
      return ((0..<12).filter { mask >> UInt16($0) & 1 == 1 }, ChordType.allCases.first { $0.mask == mask })
    case (.ofScale, _): preconditionFailure("a chord of the scale stands on its degree")
    }
  }

  private static let minorSemitones = [0, 2, 3, 5, 7, 8, 10]

  /// A degree in semitones above the first note. A sign counts from the major scale, in minor too:
  /// bVI is the minor scale's VI.
  private func semitones(_ number: Int, sign: Int, isMinor: Bool) -> Int {
    isMinor && sign == 0 ? Home.minorSemitones[number - 1] : PitchClass.naturals[number - 1].number + sign
  }
}

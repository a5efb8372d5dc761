/// The name of several notes that sound together.
public struct ChordName: Hashable, Sendable {
  public let root: PitchClass
  public let type: ChordType
  /// The lowest note, where it differs from the root.
  public let bass: PitchClass?

  /// The name as musicians write it in that key: `F#m7/A`.
  public func text(in key: MusicalKey) -> String {
    let rootName = key.name(ofRoot: root, of: type)
    guard let bass else { return rootName + type.suffix }
    return rootName + type.suffix + "/" + (ChordName.bass(bass, of: type, on: rootName) ?? key.name(of: bass))
  }

  /// The name of the bass within the chord: the third of E7 is G# in every key.
  /// - Returns: nil where the bass is not one of the chord's notes, or would need two signs.
  static func bass(_ bass: PitchClass, of type: ChordType, on root: String) -> String? {
    guard let root = NoteName(root) else { return nil }
    return type.letter(of: PitchClass(bass.number - root.pitch.number).number).flatMap {
      NoteName(letter: root.letter + $0, sounding: bass)?.text
    }
  }

  /// Each type with its notes as bits, and with the notes without the fifth, where players may omit
  /// the fifth.
  private static let shapes = ChordType.allCases.map { (type: $0, mask: $0.mask, withoutFifth: $0.maskWithoutFifth) }

  /// All readings of the notes, the best first. Fewer than two different notes have no reading, and
  /// neither have notes that form no chord.
  ///
  /// Chords with all their notes come before chords without a fifth: C E A is Am/C. Next, a reading
  /// whose root is the lowest note comes before the others. Last, the plainer type comes first.
  /// - Parameter notes: MIDI's numbers, in any order.
  public static func readings(of notes: [Int]) -> [ChordName] {
    guard let lowest = notes.min() else { return [] }
    let mask = notes.reduce(UInt16(0)) { $0 | 1 << UInt16(PitchClass($1).number) }
    guard mask.nonzeroBitCount > 1 else { return [] }
    let bass = PitchClass(lowest)
    var found: [(cost: Int, name: ChordName)] = []
    for root in 0..<12 where mask >> UInt16(root) & 1 == 1 {
      let relative = rotated(mask, down: root)
      for shape in shapes {
        let isWhole = relative == shape.mask
        guard isWhole || relative == shape.withoutFifth else { continue }
        let isInRoot = root == bass.number
        let name = ChordName(root: PitchClass(root), type: shape.type, bass: isInRoot ? nil : bass)
        found.append(((isWhole ? 0 : 200) + (isInRoot ? 0 : 100) + shape.type.rawValue, name))
      }
    }
    if mask.nonzeroBitCount > 3 {
      // A chord over a bass that is not one of its notes. It comes after the readings that name all
      // notes.
      let upper = mask & ~(1 << UInt16(bass.number))
      for root in 0..<12 where upper >> UInt16(root) & 1 == 1 {
        for shape in shapes where rotated(upper, down: root) == shape.mask {
          found.append((400 + shape.type.rawValue, ChordName(root: PitchClass(root), type: shape.type, bass: bass)))
        }
      }
    }
    return found.sorted { ($0.cost, $0.name.root.number) < ($1.cost, $1.name.root.number) }.map(\.name)
  }

  /// The notes within an octave, counted from `root`.
  private static func rotated(_ mask: UInt16, down root: Int) -> UInt16 {
    (mask >> UInt16(root) | mask << UInt16(12 - root)) & 0xFFF
  }
}

extension MusicalKey {
  /// The note with its octave; C4 is the middle C.
  public func noteName(_ note: Int) -> String {
    let name = name(of: PitchClass(note))
    // B# is written with the octave of the C below it, and Cb with that of the C above it.
    let sign = NoteName(name)?.sign ?? 0
    return "\(name)\((note - sign + 120) / 12 - 11)"
  }

  /// How the root of a chord is written in this key. A diminished chord on a note outside the scale
  /// leads to the note above it. It has the letter below that one's: G#dim7 in A minor.
  func name(ofRoot root: PitchClass, of type: ChordType) -> String {
    guard [.diminished, .diminished7, .halfDiminished].contains(type), !contains(root),
      let target = NoteName(name(of: PitchClass(root.number + 1))),
      let leading = NoteName(letter: target.letter - 1, sounding: root)
    else { return name(of: root) }
    return leading.text
  }

  /// The name of the note in this key. A note of the scale has the scale's name. A black key
  /// outside the scale takes the sign that is nearer to the scale's notes in the circle of fifths:
  /// Bb and F# in C major.
  public func name(of pitch: PitchClass) -> String {
    let names = names
    if let place = pitches.firstIndex(of: pitch) { return names[place] }
    if let natural = PitchClass.naturals.first(where: { $0.number == pitch.number }) { return "\(natural.letter)" }
    // In minor, the note that leads to the first note is written as the seventh: G# in A minor.
    if pitch == PitchClass(root.pitch.number + 11), scale.steps.contains(3), !scale.steps.contains(4),
      let leading = NoteName(letter: root.letter + 6, sounding: pitch)
    {
      return leading.text
    }
    // Sums replace means: the distance is multiplied by the number of the scale's notes, so that
    // integers suffice.
    let scale = names.compactMap { NoteName($0)?.fifths }
    let sum = scale.reduce(0, +)
    func distance(_ note: NoteName) -> Int { abs(note.fifths * scale.count - sum) }
    let written = PitchClass.naturals.indices.compactMap { NoteName(letter: $0, sounding: pitch) }
    return written.min { (distance($0), $0.sign) < (distance($1), $1.sign) }?.text ?? pitch.name
  }
}

/// Two notes that form no chord, named by their distance.
public enum Interval {
  private static let names = [
    "octave", "minor 2nd", "major 2nd", "minor 3rd", "major 3rd", "4th", "tritone", "5th", "minor 6th", "major 6th",
    "minor 7th", "major 7th",
  ]

  /// - Returns: nil unless there are exactly two notes.
  public static func name(of notes: [Int]) -> String? {
    let sorted = Set(notes).sorted()
    guard sorted.count == 2 else { return nil }
    return names[(sorted[1] - sorted[0]) % 12]
  }
}

/// What several notes that sound together are called.
public struct ChordName: Hashable, Sendable {
  public let root: PitchClass
  public let type: ChordType
  /// The lowest note, where it is not the root.
  public let bass: PitchClass?

  /// As musicians write it in that key: `F#m7/A`.
  public func text(in key: MusicalKey) -> String {
    key.name(of: root) + type.suffix + (bass.map { "/" + key.name(of: $0) } ?? "")
  }

  /// All readings of the notes, the best first; none of less than two different notes, or of what is no chord.
  ///
  /// The bass decides: a reading whose root is the lowest note comes before all others. Then the plainer type does.
  /// - Parameter notes: MIDI's numbers, in any order.
  public static func readings(of notes: [Int]) -> [ChordName] {
    guard let lowest = notes.min() else { return [] }
    let mask = notes.reduce(UInt16(0)) { $0 | 1 << UInt16(PitchClass($1).number) }
    guard mask.nonzeroBitCount > 1 else { return [] }
    let bass = PitchClass(lowest)
    var found: [(cost: Int, name: ChordName)] = []
    for root in 0..<12 where mask >> UInt16(root) & 1 == 1 {
      let relative = rotated(mask, down: root)
      for type in ChordType.allCases {
        let isWhole = relative == type.mask
        guard isWhole || relative == type.maskWithoutFifth else { continue }
        let isInRoot = root == bass.number
        let name = ChordName(root: PitchClass(root), type: type, bass: isInRoot ? nil : bass)
        found.append(((isInRoot ? 0 : 100) + (isWhole ? 0 : 50) + type.rawValue, name))
      }
    }
    if found.isEmpty, mask.nonzeroBitCount > 3 {
      // A chord over a bass that is none of its notes.
      let upper = mask & ~(1 << UInt16(bass.number))
      for root in 0..<12 where upper >> UInt16(root) & 1 == 1 {
        for type in ChordType.allCases where rotated(upper, down: root) == type.mask {
          found.append((type.rawValue, ChordName(root: PitchClass(root), type: type, bass: bass)))
        }
      }
    }
    return found.sorted { ($0.cost, $0.name.root.number) < ($1.cost, $1.name.root.number) }.map(\.name)
  }

  /// The notes within an octave as seen from `root`.
  private static func rotated(_ mask: UInt16, down root: Int) -> UInt16 {
    (mask >> UInt16(root) | mask << UInt16(12 - root)) & 0xFFF
  }
}

extension MusicalKey {
  /// How the note is written in this key: as its scale has it, else with the signs that the key has.
  public func name(of pitch: PitchClass) -> String {
    if let place = pitches.firstIndex(of: pitch) { return names[place] }
    return hasFlats ? MusicalKey.flatNames[pitch.number] : pitch.name
  }

  private var hasFlats: Bool { names.contains { $0.hasSuffix("b") } || root == .f }
  private static let flatNames = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]
}

/// Two notes by their distance, where they are no chord.
public enum Interval {
  private static let names = [
    "octave", "minor 2nd", "major 2nd", "minor 3rd", "major 3rd", "4th", "tritone", "5th", "minor 6th", "major 6th",
    "minor 7th", "major 7th",
  ]

  /// - Returns: nil of one note, or of more than two.
  public static func name(of notes: [Int]) -> String? {
    let sorted = Set(notes).sorted()
    guard sorted.count == 2 else { return nil }
    return names[(sorted[1] - sorted[0]) % 12]
  }
}

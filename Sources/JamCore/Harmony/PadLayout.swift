/// The assignment of the sixteen pads: the kit's sounds, or notes of the room's key.
public enum PadLayout: String, SettingWord {
  /// The kit.
  case drums
  /// Notes of the scale; the next row is a third higher.
  case thirds
  /// Notes of the scale; the next row is a fourth higher.
  case fourths
  /// A row for each of the degrees I, IV, V and VI, with root, third, fifth and octave of its
  /// chord.
  case degrees
  /// A chord of the scale on each pad: eight triads, then the same eight with sevenths.
  case chords
  /// All notes.
  case chromatic

  private static let rows = 4
  private static let rowDegrees = [0, 3, 4, 5]

  /// The notes that a pad plays, from the lowest. The list is empty for drums. Notes beyond 0…127
  /// are left out.
  /// - Parameter base: a C, as `MusicalKey.note(_:from:)` takes it.
  public func notes(of pad: Pad, in key: MusicalKey, from base: Int) -> [Int] {
    let (row, column) = (pad.index / PadLayout.rows, pad.index % PadLayout.rows)
    let notes: [Int] =
      switch self {
      case .drums: []
      case .thirds: [key.note(column + 2 * row, from: base)]
      case .fourths: [key.note(column + 3 * row, from: base)]
      case .degrees:
        [key.note(PadLayout.rowDegrees[row % PadLayout.rows] + [0, 2, 4, key.scale.steps.count][column], from: base)]
      case .chords: key.chord(on: pad.index % 8, size: pad.index < 8 ? 3 : 4, from: base)
      case .chromatic: [base + key.root.pitch.number + pad.index]
      }
    return notes.filter { Pad(key: $0) != nil }
  }
}

/// What sixteen pads play: the kit's sounds, or notes of the room's key.
public enum PadLayout: String, CaseIterable, Sendable {
  /// The kit.
  case drums
  /// The scale: a row further is a third higher.
  case thirds
  /// The scale: a row further is a fourth higher.
  case fourths
  /// A row for each of the degrees I, IV, V and VI: root, third, fifth and octave of its chord.
  case degrees
  /// A chord of the scale on each: eight triads, and the same with sevenths.
  case chords
  /// All notes.
  case chromatic

  public var word: String { rawValue }

  private static let rows = 4
  private static let rowDegrees = [0, 3, 4, 5]

  /// The notes that a pad plays, from the lowest; none are drums.
  /// - Parameter base: a C, as `MusicalKey.note(_:from:)` takes it. Notes beyond 0…127 are left out.
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

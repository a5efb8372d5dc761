/// A progression's chords as notes in a key. The notes of each chord lie as near as possible to the
/// notes of the chord before.
///
/// The notes are computed when the progression or the key changes. Asking for the chord of a beat
/// only costs the search for that chord.
/// Thread: any.
public struct ProgressionVoicing: Hashable, Sendable {
  /// How the notes of the chords are placed.
  public struct Settings: Hashable, Sendable {
    public var spread = ChordSpread.close
    /// Whether the root, or the bass after the slash, also sounds below all other notes.
    public var hasBass = true
    /// The lowest note of the chords above the bass. All notes stay within two octaves of it.
    public var lowest = 48

    public static let lowestRange = 24...84
    static let extent = 24

    public init() {}
  }

  /// A chord, and its notes from the lowest.
  public struct Chord: Hashable, Sendable {
    public let chord: SoundingChord
    public let notes: [Int]
  }

  public let progression: Progression
  public let key: MusicalKey
  public let chords: [Chord]

  public init(_ progression: Progression, in key: MusicalKey, _ settings: Settings = Settings()) {
    self.progression = progression
    self.key = key
    var before: [Int] = []
    var made: [Chord] = []
    for (chord, sounding) in zip(progression.chords, progression.sounding(in: key)) {
      let upper = ProgressionVoicing.upper(
        sounding, inversion: settings.hasBass ? nil : chord.inversion, near: before, settings)
      before = upper
      var notes = Voicings.voice(upper, inversion: 0, spread: settings.spread)
      if settings.hasBass || sounding.bass != nil && chord.inversion == nil {
        notes =
          [
            ProgressionVoicing.note(
              sounding.bass ?? sounding.root, below: min(settings.lowest, notes.first ?? settings.lowest))
          ] + notes
      }
      made.append(Chord(chord: sounding, notes: notes.filter { (0..<Pad.keyCount).contains($0) }))
    }
    chords = made
  }

  /// The chord at that beat after the progression's start. The progression repeats.
  public func sounding(at beat: Beats) -> (index: Int, chord: Chord, since: Beats) {
    let place = progression.place(at: beat)
    return (place.index, chords[place.index], place.since)
  }

  /// The notes without the bass: in the wanted inversion, or as near as possible to the chord
  /// before.
  private static func upper(_ chord: SoundingChord, inversion: Int?, near before: [Int], _ settings: Settings) -> [Int]
  {
    // In a chord of five notes or more, only the bass plays the root.
    let intervals = settings.hasBass && chord.intervals.count > 4 ? Array(chord.intervals.dropFirst()) : chord.intervals
    let first = settings.lowest + PitchClass(chord.root.number - settings.lowest).number
    let root = intervals.map { first + $0 }
    if let inversion {
      let turned = Voicings.voice(root, inversion: inversion, spread: .close)
      return (turned.first ?? 0) - 12 >= settings.lowest ? turned.map { $0 - 12 } : turned
    }
    // Two octaves have room for any chord of one octave.
    let range = settings.lowest...settings.lowest + Settings.extent
    guard before.isEmpty else { return Voicings.nearest(root, to: before, within: range) }
    // The first chord lies around the middle of the range.
    let middle = [settings.lowest + 5, settings.lowest + 9, settings.lowest + 12]
    return Voicings.nearest(root, to: middle, within: range)
  }

  /// The highest note of that pitch class below `note`.
  private static func note(_ pitch: PitchClass, below note: Int) -> Int {
    note - 1 - PitchClass(note - 1 - pitch.number).number
  }
}

/// A progression's chords as notes in a key: each lies as near as can be to the one before.
///
/// Made when the progression or the key changes; asking what sounds costs no more than finding the chord.
/// Thread: any.
public struct ProgressionVoicing: Hashable, Sendable {
  /// How the chords lie.
  public struct Settings: Hashable, Sendable {
    public var spread = ChordSpread.close
    /// The root, or what stands behind the slash, below all others.
    public var hasBass = true
    /// The lowest note of the chords above the bass; they stay within two octaves of it.
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

  /// What sounds at that beat since the progression's start. It begins anew at the end.
  public func sounding(at beat: Beats) -> (index: Int, chord: Chord, since: Beats) {
    let place = progression.place(at: beat)
    return (place.index, chords[place.index], place.since)
  }

  /// The notes without the bass: in the inversion that is asked for, else as near as can be to the chord before.
  private static func upper(_ chord: SoundingChord, inversion: Int?, near before: [Int], _ settings: Settings) -> [Int]
  {
    // Of five notes and more the bass has the root alone.
    let intervals = settings.hasBass && chord.intervals.count > 4 ? Array(chord.intervals.dropFirst()) : chord.intervals
    let first = settings.lowest + PitchClass(chord.root.number - settings.lowest).number
    let root = intervals.map { first + $0 }
    if let inversion {
      let turned = Voicings.voice(root, inversion: inversion, spread: .close)
      return (turned.first ?? 0) - 12 >= settings.lowest ? turned.map { $0 - 12 } : turned
    }
    // In order: two octaves hold any chord of one.
    let range = settings.lowest...settings.lowest + Settings.extent
    guard before.isEmpty else { return Voicings.nearest(root, to: before, within: range) }
    // The first lies around the middle.
    let middle = [settings.lowest + 5, settings.lowest + 9, settings.lowest + 12]
    return Voicings.nearest(root, to: middle, within: range)
  }

  /// The highest such note below that one.
  private static func note(_ pitch: PitchClass, below note: Int) -> Int {
    note - 1 - PitchClass(note - 1 - pitch.number).number
  }
}

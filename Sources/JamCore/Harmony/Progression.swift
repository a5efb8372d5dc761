/// Chords one after the other, each for its length, that begin anew at the end.
///
/// Degrees follow the key. Thread: any.
public struct Progression: Hashable, Sendable {
  /// Chords at most.
  public static let most = 64

  public let name: String
  /// 1…64.
  public let chords: [ProgressionChord]

  /// - Precondition: there is a chord.
  init(name: String, chords: [ProgressionChord]) {
    precondition(!chords.isEmpty)
    self.name = name
    self.chords = chords
  }

  /// Of all chords.
  public var length: Beats { chords.reduce(.zero) { $0 + $1.length } }

  /// The chord of that time, and how long ago it began. It begins anew at the end; beats below 0 count back from the end.
  public func place(at beat: Beats) -> (index: Int, since: Beats) {
    let length = length.microBeats
    var rest = beat.microBeats % length
    if rest < 0 { rest += length }
    for (index, chord) in chords.enumerated() {
      if rest < chord.length.microBeats { return (index, Beats(microBeats: rest)) }
      rest -= chord.length.microBeats
    }
    return (0, .zero)
  }

  /// When the chord begins, within the progression.
  public func start(of index: Int) -> Beats { chords.prefix(max(0, index)).reduce(.zero) { $0 + $1.length } }

  // MARK: In a key

  /// Whether it is in minor: it has a minor chord on I, and no other one there.
  var isMinor: Bool {
    var isMinor = false
    for case .numeral(let numeral, of: nil) in chords.map(\.root) where numeral.number == 1 && numeral.sign == 0 {
      guard numeral.isMinor else { return false }
      isMinor = true
    }
    return isMinor
  }

  /// The first note in that key. A progression in major is played in the relative major of a minor key, and the other way round: so its
  /// notes are the scale's. A blues has both thirds.
  func home(in key: MusicalKey) -> PitchClass {
    let steps = key.scale.steps
    guard key.scale != .blues, steps.contains(3) != steps.contains(4), steps.contains(3) != isMinor else {
      return key.root.pitch
    }
    return PitchClass(key.root.pitch.number + (isMinor ? 9 : 3))
  }

  /// All chords as they sound in that key.
  public func sounding(in key: MusicalKey) -> [SoundingChord] {
    let home = home(in: key)
    return chords.map { sounding($0, in: key, home: home) }
  }

  private func sounding(_ chord: ProgressionChord, in key: MusicalKey, home: PitchClass) -> SoundingChord {
    let root: PitchClass
    var written: NoteName?
    switch chord.root {
    case .degree(let number): root = PitchClass(key.note(number - 1, from: 0))
    case .numeral(let numeral, of: let target):
      let isRaised =
        chord.quality == .type(.diminished) || chord.quality == .type(.diminished7)
        || chord.quality == .type(.halfDiminished)
      if let target {
        // As if the other chord were the key's first, in major.
        let base = Progression.semitones(target.number, sign: target.sign, isMinor: isMinor)
        root = PitchClass(
          home.number + base + Progression.semitones(numeral.number, sign: numeral.sign, isMinor: false))
      } else {
        // The leading note bears the diminished chord of minor, and the sixth of melodic minor the half-diminished one.
        let isMinor = isMinor && !(isRaised && numeral.number >= 6)
        root = PitchClass(home.number + Progression.semitones(numeral.number, sign: numeral.sign, isMinor: isMinor))
      }
    case .note(let note): (root, written) = (note.pitch, note)
    }
    var bass: PitchClass?
    var writtenBass: NoteName?
    switch chord.bass {
    case nil: break
    case .note(let note): (bass, writtenBass) = (note.pitch, note)
    case .degree(let number, let sign):
      if case .degree = chord.root, sign == 0 {
        bass = PitchClass(key.note(number - 1, from: 0))
      } else {
        bass = PitchClass(home.number + Progression.semitones(number, sign: sign, isMinor: isMinor))
      }
    }
    let intervals: [Int]
    let type: ChordType?
    switch chord.quality {
    case .type(let known): (intervals, type) = (known.intervals, known)
    case .ofScale(let count):
      guard case .degree(let number) = chord.root else {
        preconditionFailure("a chord of the scale stands on its degree")
      }
      let mask = key.chord(on: number - 1, size: count, from: 0).reduce(UInt16(0)) {
        $0 | 1 << UInt16(PitchClass($1 - root.number).number)
      }
      intervals = (0..<12).filter { mask >> UInt16($0) & 1 == 1 }
      type = ChordType.allCases.first { $0.mask == mask }
    }
    if bass == nil, let inversion = chord.inversion {
      bass = PitchClass(root.number + intervals[min(max(0, inversion), intervals.count - 1)])
    }
    return SoundingChord(
      root: root, intervals: intervals, type: type, bass: bass == root ? nil : bass, writtenRoot: written,
      writtenBass: writtenBass)
  }

  private static let minorSemitones = [0, 2, 3, 5, 7, 8, 10]

  /// A degree above the first note. A sign counts from the major scale in minor too: bVI is the minor scale's VI.
  private static func semitones(_ number: Int, sign: Int, isMinor: Bool) -> Int {
    isMinor && sign == 0 ? minorSemitones[number - 1] : PitchClass.naturals[number - 1].number + sign
  }
}

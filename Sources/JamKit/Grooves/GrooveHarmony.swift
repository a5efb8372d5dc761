internal import JamCore

/// A progression as steps of bars, and the bass and chords that follow it.
struct GrooveHarmony {
  private struct Chord {
    /// In steps, from the beginning.
    var start: Int
    /// The notes of the chord, from the lowest, without the bass.
    var notes: [Int]
    /// The lowest note of the bass.
    var root: Int
    /// The fifth of the chord, above `root` or below.
    var fifth: Int
  }

  private let chords: [Chord]
  private let steps: Int
  private let stepsPerBar: Int

  /// - Parameters:
  ///   - stepsPerBar: at least 1. A chord of four beats lasts one bar.
  ///   - lowestBass: the lowest root of the bass, a MIDI note. All roots lie in the octave above.
  init(_ progression: Progression, in key: MusicalKey, stepsPerBar: Int, lowestBass: Int) {
    var settings = ProgressionVoicing.Settings()
    settings.hasBass = false
    settings.lowest = 55
    let voicing = ProgressionVoicing(progression, in: key, settings)
    var start = 0
    var chords: [Chord] = []
    for (chord, voiced) in zip(progression.chords, voicing.chords) {
      let sounding = voiced.chord
      let root = sounding.bass ?? sounding.root
      let low = lowestBass + PitchClass(root.number - lowestBass).number
      chords.append(
        Chord(
          start: start, notes: voiced.notes.filter { $0 >= settings.lowest }, root: low,
          fifth: sounding.bass == nil
            ? GrooveHarmony.fifth(of: sounding, on: low, above: lowestBass) : low))
      // Four beats are sixteen steps of a usual bar.
      start += max(1, Int(chord.length.microBeats / 250_000) * stepsPerBar / 16)
    }
    self.chords = chords
    self.stepsPerBar = stepsPerBar
    // A whole number of bars: all parts begin their rounds on bar lines.
    steps = max(1, (start + stepsPerBar - 1) / stepsPerBar) * stepsPerBar
  }

  /// The fifth lies below a high root.
  private static func fifth(of chord: SoundingChord, on root: Int, above lowest: Int) -> Int {
    let above = [7, 6, 8].first { chord.intervals.contains($0) } ?? 0
    return root > lowest + 6 && above > 0 ? root + above - 12 : root + above
  }

  private static let step = Beats(microBeats: 250_000)
  /// A note ends a little before the next one begins.
  private static let gap = Beats(microBeats: 40_000)

  // MARK: Parts

  func bass(_ figure: GrooveFigure, theme: String, instruments: [String]) -> Groove.Line {
    let hits = notes(of: figure, again: "R").compactMap { note, chord -> Groove.Hit? in
      let pitch =
        switch note.mark {
        case "5": chord.fifth
        case "8": chord.root + 12
        default: chord.root
        }
      return hit(note, .note(pitch), loud: note.step % stepsPerBar == 0 ? 0.9 : 0.8)
    }
    return Groove.Line(
      part: .bass, theme: theme, length: length, hits: hits, instruments: instruments)
  }

  func chords(_ figure: GrooveFigure, theme: String, instruments: [String]) -> Groove.Line {
    let hits = notes(of: figure, again: "x").flatMap { note, chord in
      chord.notes.compactMap { hit(note, .note($0), loud: note.mark == "x" ? 0.5 : 0.65) }
    }
    return Groove.Line(
      part: .chords, theme: theme, length: length, hits: hits, instruments: instruments)
  }

  private var length: Beats { GrooveHarmony.step * steps }

  /// The figure's notes, each with the chord that sounds then.
  private func notes(of figure: GrooveFigure, again: Character) -> [(GrooveFigure.Note, Chord)] {
    let starts = chords.map(\.start)
    let notes = figure.notes(steps: steps, perBar: stepsPerBar, starts: starts, again: again)
    return notes.compactMap { note in
      chords.last { $0.start <= note.step }.map { (note, $0) }
    }
  }

  private func hit(_ note: GrooveFigure.Note, _ sound: Groove.Sound, loud: Float) -> Groove.Hit? {
    Velocity(loud).map {
      Groove.Hit(
        position: GrooveHarmony.step * note.step, velocity: $0,
        length: GrooveHarmony.step * note.length - GrooveHarmony.gap, sound: sound)
    }
  }
}

/// How the notes of a chord lie.
public enum ChordSpread: String, SettingWord {
  /// The notes lie as near together as possible.
  case close
  /// The second note moves up an octave.
  case open
  /// The second note from the top moves down an octave.
  case drop2 = "drop 2"
  /// Every second note moves up an octave. In chords of three notes the lowest also moves down an
  /// octave.
  case wide
}

extension MusicalKey {
  /// A note of the scale.
  /// - Parameters:
  ///   - degree: 0 is the first note. Other degrees count on through the octaves, also downwards.
  ///   - base: a C. The first note of the scale is the lowest one at or above that C.
  public func note(_ degree: Int, from base: Int) -> Int {
    let steps = scale.steps
    let octave = (degree >= 0 ? degree : degree - steps.count + 1) / steps.count
    return base + root.pitch.number + steps[degree - octave * steps.count] + 12 * octave
  }

  /// The nearest note of the scale; of two equally near notes the lower one.
  public func nearest(to note: Int) -> Int {
    for distance in 0..<12 {
      if contains(PitchClass(note - distance)), note - distance >= 0 { return note - distance }
      if contains(PitchClass(note + distance)), note + distance <= 127 { return note + distance }
    }
    return note
  }

  /// The degree of a note of the scale, as `note(_:from:)` counts; nil for a note outside the
  /// scale.
  public func degree(of note: Int, from base: Int) -> Int? {
    let above = note - base - root.pitch.number
    let octave = (above >= 0 ? above : above - 11) / 12
    return scale.steps.firstIndex(of: above - octave * 12).map { $0 + octave * scale.steps.count }
  }

  /// A chord of the scale in thirds of the scale, from its root up.
  /// - Parameter size: 3 is a triad, 4 adds the seventh.
  public func chord(on degree: Int, size: Int, from base: Int) -> [Int] {
    Range(from: 0, to: size).map { note(degree + 2 * $0, from: base) }
  }
}

/// Chords as players lay them out on a keyboard.
public enum Voicings {
  /// - Parameters:
  ///   - notes: sorted from the lowest to the highest.
  ///   - inversion: how many of the lowest notes move up an octave.
  public static func voice(_ notes: [Int], inversion: Int, spread: ChordSpread) -> [Int] {
    guard notes.count > 1 else { return notes }
    var voiced = notes
    for _ in Range(from: 0, to: min(inversion, notes.count - 1)) { voiced.append(voiced.removeFirst() + 12) }
    switch spread {
    case .close: break
    case .open: voiced[1] += 12
    case .drop2: voiced[voiced.count - 2] -= 12
    case .wide:
      for place in stride(from: 1, to: voiced.count, by: 2) { voiced[place] += 12 }
      // Without this step a wide chord of three notes would equal the open chord.
      if voiced.count == 3 { voiced[0] -= 12 }
    }
    return voiced.sorted()
  }

  /// The inversion and octave of the chord whose notes lie nearest to the notes before: common
  /// notes stay, and the other notes move the shortest way.
  public static func nearest(_ notes: [Int], to before: [Int], within range: ClosedRange<Int> = 36...96) -> [Int] {
    guard !before.isEmpty, notes.count > 1 else { return notes }
    var best = (cost: Int.max, notes: notes)
    for inversion in notes.indices {
      for octave in -2...2 {
        let candidate = voice(notes, inversion: inversion, spread: .close).map { $0 + 12 * octave }
        guard candidate.allSatisfy(range.contains) else { continue }
        let moved = candidate.reduce(0) { sum, note in sum + (before.map { abs($0 - note) }.min() ?? 0) }
        let lost = before.reduce(0) { sum, note in sum + (candidate.map { abs($0 - note) }.min() ?? 0) }
        if moved + lost < best.cost { best = (moved + lost, candidate) }
      }
    }
    return best.notes
  }
}

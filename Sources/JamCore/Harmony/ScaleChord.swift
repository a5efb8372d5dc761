/// How the notes of a chord lie.
public enum ChordSpread: String, CaseIterable, Sendable {
  /// As near as can be.
  case close
  /// The second note an octave higher.
  case open
  /// The second from above an octave lower.
  case drop2 = "drop 2"
  /// Every second note an octave higher; of three notes the lowest an octave lower, too.
  case wide
}

extension MusicalKey {
  /// A note of the scale.
  /// - Parameters:
  ///   - degree: 0 is the first; any other counts on through the octaves, also downwards.
  ///   - base: where the first note of the scale lies: the lowest at or above that C.
  public func note(_ degree: Int, from base: Int) -> Int {
    let steps = scale.steps
    let octave = (degree >= 0 ? degree : degree - steps.count + 1) / steps.count
    return base + root.pitch.number + steps[degree - octave * steps.count] + 12 * octave
  }

  /// The scale's note that is nearest; of two the lower.
  public func nearest(to note: Int) -> Int {
    for distance in 0..<12 {
      if contains(PitchClass(note - distance)), note - distance >= 0 { return note - distance }
      if contains(PitchClass(note + distance)), note + distance <= 127 { return note + distance }
    }
    return note
  }

  /// The place of a note of the scale, as `note(_:from:)` counts; nil of one outside it.
  public func degree(of note: Int, from base: Int) -> Int? {
    let above = note - base - root.pitch.number
    let octave = (above >= 0 ? above : above - 11) / 12
    return scale.steps.firstIndex(of: above - octave * 12).map { $0 + octave * scale.steps.count }
  }

  /// A chord of the scale in thirds of the scale, from its root up.
  /// - Parameter size: 3 is a triad, 4 has the seventh.
  public func chord(on degree: Int, size: Int, from base: Int) -> [Int] {
    Range(from: 0, to: size).map { note(degree + 2 * $0, from: base) }
  }
}

/// Chords as they lie under the hands.
public enum Voicings {
  /// - Parameters:
  ///   - notes: from the lowest to the highest.
  ///   - inversion: so many notes go an octave up, from below.
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
      // Of three notes that alone is the open chord.
      if voiced.count == 3 { voiced[0] -= 12 }
    }
    return voiced.sorted()
  }

  /// The inversion and octave of the chord whose notes lie nearest to those before: what stays stays, the rest goes the shortest way.
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

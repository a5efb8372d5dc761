internal import JamCore

extension Sound {
  /// Frames at which hits begin, in order, 60 ms apart at least. Each is the first frame of an attack in any band, so that a hat
  /// over a ringing cymbal is found as well as a kick; a sound that begins at once has its first hit at 0.
  package func hits() -> [Int] {
    let gap = OnsetDetector.gapMilliseconds * rate / 1_000
    let detector = OnsetDetector(self)
    let first = detector.onsets().first ?? detector.soundings().first?.lowerBound
    guard let first else { return [] }
    let attacks = AttackFinder(self).attacks().map(\.frame)
    // An onset is told in steps of 2.5 ms, and up to two of them early.
    let exact = attacks.first { $0 >= first - gap / 4 && $0 <= first + gap / 4 }
    var hits = [exact ?? first]
    for attack in attacks where attack - (hits.last ?? 0) >= gap { hits.append(attack) }
    return hits
  }
}

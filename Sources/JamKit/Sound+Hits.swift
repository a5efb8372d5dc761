internal import JamCore

extension Sound {
  /// Frames at which hits begin, in order, at least 60 ms apart. Each is the first frame of an
  /// attack in any band, so that a hat over a ringing cymbal is found as well as a kick. A sound
  /// that begins at once has its first hit at 0.
  package func hits() -> [Int] {
    let gap = OnsetDetector.gapMilliseconds * rate / 1_000
    let detector = OnsetDetector(self)
    let first = detector.onsets().first ?? detector.soundings().first?.lowerBound
    guard let first else { return [] }
    let attacks = AttackFinder(self).attacks().map(\.frame)
    // An onset is only known in steps of 2.5 ms, and may be up to two steps early. An attack near
    // it is exact.
    let exact = attacks.first { $0 >= first - gap / 4 && $0 <= first + gap / 4 }
    var hits = [exact ?? first]
    for attack in attacks where attack - (hits.last ?? 0) >= gap { hits.append(attack) }
    return hits
  }
}

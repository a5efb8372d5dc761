internal import JamCore

extension Sound {
  /// Frames at which hits begin, in order: those that an ear would call hits, each on its first frame.
  package func hits() -> [Int] {
    let exact = AttackFinder(self).attacks().map(\.frame)
    let reach = OnsetDetector.gapMilliseconds * rate / 2_000
    var hits: [Int] = []
    for onset in OnsetDetector(self).onsets() {
      // An onset is told in steps of 2.5 ms, and up to two of them early.
      let near = exact.filter { $0 >= onset - reach / 4 && $0 <= onset + reach }
      let hit = near.min { abs($0 - onset) < abs($1 - onset) } ?? onset
      if hit > hits.last ?? -1 { hits.append(hit) }
    }
    return hits
  }
}

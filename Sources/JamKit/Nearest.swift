internal import JamCore

/// The candidate that differs from `word` by the fewest letters; nil where none is within a third of its length, or two
/// letters (so that a swap is found) where it has four at least.
public func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let limit = word.count < 4 ? 1 : max(2, word.count / 3)
  let wanted = EditDistance(from: word)
  var best: (distance: Int, word: String)?
  for candidate in candidates {
    let distance = wanted.to(candidate)
    guard distance <= limit else { continue }
    if best.map({ (distance, candidate) < $0 }) ?? true { best = (distance, candidate) }
  }
  return best?.word
}

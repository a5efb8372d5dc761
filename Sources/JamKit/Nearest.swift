/// The candidate that differs from `word` by the fewest letters; nil where none is within a third of its length, or two
/// letters (so that a swap is found) where it has four at least.
public func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let limit = word.count < 4 ? 1 : max(2, word.count / 3)
  return candidates.map { (distance: editDistance(word, $0), word: $0) }
    .filter { $0.distance <= limit }
    .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
}

/// Insertions, deletions and replacements that lead from `a` to `b`. Only the first 64 letters count.
private func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.prefix(64))
  let b = Array(b.prefix(64))
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var corner = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let above = row[j + 1]
      row[j + 1] = x == y ? corner : min(corner, above, row[j]) + 1
      corner = above
    }
  }
  return row[b.count]
}

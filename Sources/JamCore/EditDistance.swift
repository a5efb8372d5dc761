/// How many insertions, removals and exchanges of letters turn one word into another (Levenshtein).
///
/// The word's table is made once. Then each letter of another word costs some operations on one
/// machine word. Only the first 64 letters count. A letter is a Unicode scalar.
/// Thread: any.
/// - Source: G. Myers, "A Fast Bit-Vector Algorithm for Approximate String Matching", JACM 46
///   (1999), in the form of H. Hyyrö (2003).
public struct EditDistance: Sendable {
  /// For each ASCII code: bit i is set where letter i of the word has that code.
  private var ascii = [UInt64](repeating: 0, count: 128)
  private var others: [Unicode.Scalar: UInt64] = [:]
  /// The word's letters, 64 at most.
  public let count: Int

  public init(from word: String) {
    var count = 0
    for scalar in word.unicodeScalars.prefix(EditDistance.most) {
      if scalar.isASCII {
        ascii[Int(scalar.value)] |= 1 << UInt64(count)
      } else {
        others[scalar, default: 0] |= 1 << UInt64(count)
      }
      count += 1
    }
    self.count = count
  }

  /// The distance to `other`.
  public func to(_ other: String) -> Int {
    guard count > 0 else { return other.unicodeScalars.prefix(EditDistance.most).count }
    var distance = count
    let last: UInt64 = 1 << UInt64(count - 1)
    // One column of the table of distances: the rows where the distance grows, and where it
    // shrinks.
    var up = UInt64.max
    var down = UInt64.zero
    for scalar in other.unicodeScalars.prefix(EditDistance.most) {
      let equal = scalar.isASCII ? ascii[Int(scalar.value)] : others[scalar] ?? 0
      let vertical = equal | down
      let horizontal = (((equal & up) &+ up) ^ up) | equal
      var right = down | ~(horizontal | up)
      var left = up & horizontal
      if right & last != 0 { distance += 1 }
      if left & last != 0 { distance -= 1 }
      right = right << 1 | 1
      left <<= 1
      up = left | ~(vertical | right)
      down = right & vertical
    }
    return distance
  }

  private static let most = 64
}

/// The candidate that differs from `word` by the fewest letters; nil where none is near enough. A
/// word of up to three letters may differ by one letter. A longer word may differ by a third of its
/// length and at least by two letters, so that two exchanged letters are found.
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

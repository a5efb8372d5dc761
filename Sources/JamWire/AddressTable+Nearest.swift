extension AddressTable {
  /// The known address that is most like `address`, where one is near enough to be meant.
  func nearest(to address: String) -> String? {
    // Longer ones are no slip of the finger, and the search must stay cheap.
    guard address.utf8.count <= 64 else { return nil }
    let wanted = Array(address.utf8)
    var best: (address: String, distance: Int)?
    let candidates = concrete.filter { entries[$0.value.entry].access != .sent }.keys.sorted()
    for candidate in candidates {
      let limit = (best?.distance ?? max(2, wanted.count / 3) + 1) - 1
      guard limit >= 0 else { break }
      let other = Array(candidate.utf8)
      if abs(other.count - wanted.count) > limit { continue }
      let distance = AddressTable.distance(wanted, other)
      if distance <= limit { best = (candidate, distance) }
    }
    return best?.address
  }

  /// Insertions, removals and exchanges that lead from one to the other (Levenshtein).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for i in 0..<a.count {
      var corner = row[0]
      row[0] = i + 1
      for j in 0..<b.count {
        let exchange = corner + (a[i] == b[j] ? 0 : 1)
        corner = row[j + 1]
        row[j + 1] = min(exchange, corner + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}

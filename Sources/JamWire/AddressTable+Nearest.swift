internal import JamCore

extension AddressTable {
  /// The known address that is most like `address`, where one is near enough to be meant.
  ///
  /// It costs some tens of microseconds: who answers strangers limits how often it is asked.
  public func nearest(to address: String) -> String? {
    // Longer ones are no slip of the finger, and the search must stay cheap.
    let count = address.utf8.count
    guard count <= 64 else { return nil }
    let wanted = EditDistance(from: address)
    var best: (distance: Int, address: String)?
    let limit = max(2, count / 3)
    // Two words are at least as far apart as their lengths: the nearest lengths come first.
    for difference in 0...limit {
      if let best, difference > best.distance { break }
      for length in Set([count - difference, count + difference]) where lookalikes.indices.contains(length) {
        for candidate in lookalikes[length] {
          let distance = wanted.to(candidate)
          guard distance <= limit else { continue }
          if best.map({ (distance, candidate) < $0 }) ?? true { best = (distance, candidate) }
        }
      }
    }
    return best?.address
  }
}

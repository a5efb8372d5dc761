internal import JamCore

extension AddressTable {
  /// The known address that is most similar to `address`; nil where none is near enough.
  ///
  /// A call costs some tens of microseconds. A caller that answers strangers must limit the number
  /// of calls.
  public func nearest(to address: String) -> String? {
    // A longer address is not a typing error, and the search must stay cheap.
    let count = address.utf8.count
    guard count <= 64 else { return nil }
    if address.hasPrefix(AddressTable.sharePrefix) {
      let whole = String(address.dropFirst(AddressTable.sharePrefix.count - 1))
      guard !whole.hasPrefix(AddressTable.sharePrefix), let near = nearest(to: whole) else {
        return nil
      }
      let share = AddressTable.sharePrefix + near.dropFirst()
      return (try? resolve(share)) == nil ? nil : share
    }
    let wanted = EditDistance(from: address)
    var best: (distance: Int, address: String)?
    let limit = max(2, count / 3)
    // The distance of two words is at least the difference of their lengths, so the nearest lengths
    // come first.
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

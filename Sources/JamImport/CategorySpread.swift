internal import JamKit

/// Which sounds of a source get pads where it has more of them than a kit has pads.
enum CategorySpread {
  /// The places of `categories` in the order in which they get pads: the first of each category, then the second of each, and so on. A
  /// hat and a clap come before the twelfth kick. What has no category stands alone, so that names that say nothing keep their order.
  static func order(_ categories: [PadCategory]) -> [Int] {
    var counts: [PadCategory: Int] = [:]
    let turns = categories.map { category -> Int in
      defer { counts[category, default: 0] += 1 }
      return counts[category, default: 0]
    }
    return categories.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
  }
}

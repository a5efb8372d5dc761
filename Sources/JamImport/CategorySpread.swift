internal import JamKit

/// Chooses the sounds that get pads where a source has more sounds than a kit has pads.
enum CategorySpread {
  /// The indices of `categories` in the order in which they get pads: the first of each category,
  /// then the second of each, and so on. So a hat and a clap come before the twelfth kick. Sounds
  /// without a category are in `other` together, so they keep their order.
  static func order(_ categories: [PadCategory]) -> [Int] {
    var counts: [PadCategory: Int] = [:]
    let turns = categories.map { category -> Int in
      defer { counts[category, default: 0] += 1 }
      return counts[category, default: 0]
    }
    return categories.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
  }
}

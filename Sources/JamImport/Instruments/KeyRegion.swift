/// Where a source has one recorded note: at which keys and velocities, and how far from the note that was recorded.
struct KeyRegion {
  var keys: ClosedRange<Int>
  /// The note that was recorded, and by how many semitones it is tuned up.
  var center: Int
  var tuning: Double
  /// 0…1.
  var low: Double
  var high: Double
  /// dB.
  var gain: Double
  /// Its turn, where several take turns.
  var turn: Int
  /// Whether it takes turns with others for the same velocities; else only the first of those sounds.
  var takesTurns: Bool
  /// ms; nil where the source says nothing.
  var release: Double?
  /// What the source calls it.
  var name: String
}

/// Keys that have the same regions.
struct KeySegment: Equatable {
  var keys: ClosedRange<Int>
  /// Which ones.
  var regions: [Int]
}

extension [KeyRegion] {
  /// The keys from the lowest to the highest, cut wherever a region begins or ends.
  var segments: [KeySegment] {
    var segments: [KeySegment] = []
    for key in 0...127 {
      let here = indices.filter { self[$0].keys.contains(key) }
      guard !here.isEmpty else { continue }
      if let last = segments.last, last.regions == here, last.keys.upperBound == key - 1 {
        // In order: the key is the next one.
        segments[segments.count - 1].keys = last.keys.lowerBound...key
      } else {
        segments.append(KeySegment(keys: key...key, regions: here))
      }
    }
    return segments
  }
}

extension [KeySegment] {
  /// So many of them at most, spread evenly. Keys of one that is left out go to the nearer of its neighbours.
  func thinned(to most: Int) -> [KeySegment] {
    guard count > most, most > 1 else { return Array(prefix(most)) }
    let kept = (0..<most).map { ($0 * (count - 1) + (most - 1) / 2) / (most - 1) }
    return kept.indices.map { place in
      var segment = self[kept[place]]
      let low =
        place == 0 ? self[0].keys.lowerBound : KeySegment.boundary(self[kept[place - 1]], self[kept[place]]) + 1
      let high =
        place == most - 1
        ? self[count - 1].keys.upperBound : KeySegment.boundary(self[kept[place]], self[kept[place + 1]])
      // In order: each neighbour's keys lie beyond the boundary.
      segment.keys = low...high
      return segment
    }
  }
}

extension KeySegment {
  /// The highest key of the lower one.
  fileprivate static func boundary(_ lower: KeySegment, _ upper: KeySegment) -> Int {
    (lower.keys.upperBound + upper.keys.lowerBound - 1) / 2
  }
}

/// One recorded note of a source: its keys and velocities, and its distance from the recorded
/// pitch.
struct KeyRegion {
  var keys: ClosedRange<Int>
  /// The note that was recorded, and the semitones by which it is tuned up.
  var center: Int
  var tuning: Double
  /// 0…1.
  var low: Double
  var high: Double
  /// dB.
  var gain: Double
  /// Its turn, where several regions take turns.
  var turn: Int
  /// Whether it takes turns with others for the same velocities. Otherwise only the first of them
  /// sounds.
  var takesTurns: Bool
  /// ms; nil where the source states none.
  var release: Double?
  /// The name that the source gives it.
  var name: String
}

/// Keys that have the same regions.
struct KeySegment: Equatable {
  var keys: ClosedRange<Int>
  /// The indices of these regions.
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
  /// At most `most` segments, spread evenly. The keys of a segment that is left out go to the
  /// nearer of its neighbours.
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
  /// The highest key of the lower segment.
  fileprivate static func boundary(_ lower: KeySegment, _ upper: KeySegment) -> Int {
    (lower.keys.upperBound + upper.keys.lowerBound - 1) / 2
  }
}

internal import JamCore

/// The parts of a groove on a player's lanes. The blocks say what they are, so undo, projects and
/// a restart bring a groove back with its lanes.
extension Looper {
  /// The lane of the part, from 0; nil where there is none.
  func lane(of part: GroovePart) -> Int? { lanes.firstIndex { $0.slot(of: part) != nil } }

  /// The parts that are there, whether they sound or rest.
  var grooveParts: [GroovePart] { GroovePart.allCases.filter { lane(of: $0) != nil } }

  /// Whether a part of its groove sounds, or will.
  var hasSoundingGroove: Bool {
    lanes.contains { $0.playing != nil && $0.groove.parts != 0 }
  }

  /// Lanes that hold nothing, and are to hold nothing, from 0.
  var freeLanes: [Int] { lanes.indices.filter { lanes[$0].isEmpty && lanes[$0].coming == nil } }

  /// The block of the part; nil where there is none.
  func groove(_ part: GroovePart) -> Block? {
    guard let lane = lane(of: part), let slot = lanes[lane].slot(of: part) else { return nil }
    return lanes[lane].slots[slot]?.block
  }
}

extension LaneEdit {
  /// Whether blocks of the same names lie in the same slots. All grooves have the same names: a
  /// groove's block is told by its number.
  func hasBlocks(of others: [LaneSlot?]) -> Bool {
    zip(slots, others).allSatisfy { own, other in
      own?.block.name == other?.block.name && (own?.part == nil || own?.id == other?.id)
    }
  }
}

internal import JamCore

/// The parts of a groove in a lane.
struct LaneGroove: Equatable, Sendable {
  /// A bit for each part.
  private(set) var parts: UInt8 = 0
  /// The number of the block that was put last.
  private(set) var newest: UInt64 = 0

  init() {}

  init(of slots: [LaneSlot?]) {
    for case let slot? in slots {
      guard let part = slot.part else { continue }
      parts |= LaneGroove.bit(of: part)
      newest = max(newest, slot.id)
    }
  }

  private static func bit(of part: GroovePart) -> UInt8 {
    switch part {
    case .drums: 1
    case .bass: 2
    case .chords: 4
    }
  }
}

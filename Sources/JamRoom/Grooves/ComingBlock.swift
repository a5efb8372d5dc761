internal import JamCore

/// A block that takes its place on a lane on the bar line for which the lane waits.
struct ComingBlock: Equatable, Sendable {
  var slot: LaneSlot
  /// Its slot, from 0.
  var place: Int
}

extension Lane {
  /// A block of a groove takes its place: on `line` if the lane plays or is about to, else at once.
  /// - Parameters:
  ///   - place: the slot, from 0.
  ///   - plays: whether the lane goes round from `line` on, where it rests now.
  mutating func bring(_ slot: LaneSlot, to place: Int, plays: Bool, on line: Beats) {
    guard isPlaying || waiting != nil else {
      slots[place] = slot
      if plays { waiting = WaitingAction(action: .loop, line: line) }
      return
    }
    coming = ComingBlock(slot: slot, place: place)
    if waiting == nil { waiting = WaitingAction(action: .loop, line: line) }
  }

  /// The block that comes is on the lane, from `beat` on.
  /// - Returns: whether there was one.
  mutating func takeComing(at beat: Beats) -> Bool {
    guard let coming else { return false }
    self.coming = nil
    slots[coming.place] = coming.slot
    compile(at: beat)
    return true
  }

  /// How the lane is once the block that comes is there.
  var editWithComing: LaneEdit {
    var edit = LaneEdit(self)
    if let coming { edit.slots[coming.place] = coming.slot }
    return edit
  }

  /// The slot of a groove's part, from 0.
  func slot(of part: GroovePart) -> Int? { slots.firstIndex { $0?.part == part } }

  /// The progression that the lane's only block plays; nil for every other lane.
  var progression: String? {
    let held = slots.compactMap { $0 }
    guard held.count == 1, let part = held[0].part, part != .drums else { return nil }
    return held[0].block.theme
  }
}

internal import JamCore
internal import JamEngine

/// One block alone, round and round on its player's cue.
extension RoomState {
  func checkFocus(on number: Int, slot: Int, by id: PlayerID) throws(Refusal) {
    guard slot > 0 else { return }
    guard loopers[id].lanes[number - 1].slots[slot - 1] != nil else {
      throw .slotEmpty(lane: number, slot: slot, .focus)
    }
    try checkFocus(by: id)
  }

  /// One block alone, round and round on the player's cue. Whoever stops the lane, its own loop or the transport hears the room again.
  /// - Parameter slot: 0 ends it.
  mutating func focus(on number: Int, slot: Int, by id: PlayerID, at moment: Moment) {
    guard slot > 0 else { return endFocus(of: id, at: effectFrame(moment)) }
    guard let block = loopers[id].lanes[number - 1].slots[slot - 1]?.block else { return }
    focus(on: block, lane: number, slot: slot, by: id, at: moment)
  }

  func checkPreviewBlock(_ name: String, by id: PlayerID) throws(Refusal) {
    guard !name.isEmpty else { return }
    try library.blocks.require(name, for: roster[id].name)
    try checkFocus(by: id)
  }

  /// - Parameter name: empty ends it.
  mutating func previewBlock(_ name: String, by id: PlayerID, at moment: Moment) {
    guard !name.isEmpty else { return endFocus(of: id, at: effectFrame(moment)) }
    guard let block = library.blocks.find(name, for: roster[id].name) else { return }
    focus(on: block, lane: 0, slot: 0, by: id, at: moment)
  }

  private func checkFocus(by id: PlayerID) throws(Refusal) {
    _ = try openCue(of: id)
    guard clock.isPlaying else { throw .transportStands }
  }

  private mutating func focus(on block: Block, lane: Int, slot: Int, by id: PlayerID, at moment: Moment) {
    let frame = effectFrame(moment)
    let origin = clock.view.barLine(atOrBefore: clock.view.beat(at: frame))
    loopers[id].focus = Focus(lane: lane, slot: slot, block: block, origin: origin, row: LaneRow(length: block.length))
    orderFocus(of: id, at: frame)
    updateCue(of: id, at: frame)
    for lane in loopers[id].lanes.indices { tell(.laneFocus(lane + 1), of: id) }
    planLoop(of: id)
  }

  /// The sounds of the block that is focused on; until they are there, what was heard of it before goes on.
  private mutating func orderFocus(of id: PlayerID, at frame: Frames) {
    guard let block = loopers[id].focus?.block else { return }
    order(voicedHits(of: block, for: id), for: .focus, of: id, at: frame) { state, order in
      state.loopers[id].focus?.order = order.number
    }
  }

  /// The block that is focused on is another by now.
  mutating func refocus(on block: Block, of id: PlayerID, at frame: Frames) {
    loopers[id].focus?.block = block
    orderFocus(of: id, at: frame)
    planLoop(of: id)
  }

  /// The focus goes with its block where that was moved, stays on the slot where another lies there, and ends where none does.
  mutating func followFocus(on number: Int, of id: PlayerID, from before: [LaneSlot?], at frame: Frames) {
    guard let focus = loopers[id].focus, focus.lane == number else { return }
    let slots = loopers[id].lanes[number - 1].slots
    let held = before[focus.slot - 1]?.id
    if let slot = slots.firstIndex(where: { $0 != nil && $0?.id == held }) {
      guard slot + 1 != focus.slot else { return }
      loopers[id].focus?.slot = slot + 1
      tell(.laneFocus(number), of: id)
    } else if let block = slots[focus.slot - 1]?.block {
      refocus(on: block, of: id, at: frame)
    } else {
      endFocus(of: id, at: frame)
    }
  }

  mutating func endFocus(of id: PlayerID, at frame: Frames) {
    guard let focus = loopers[id].focus else { return }
    loopers[id].focus = nil
    updateCue(of: id, at: frame)
    if focus.lane > 0 { tell(.laneFocus(focus.lane), of: id) }
    planLoop(of: id)
  }
}

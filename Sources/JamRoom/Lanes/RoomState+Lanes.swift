internal import JamCore
internal import JamEngine

/// Lanes: rows of blocks that follow each other without a gap, once or round and round.
extension RoomState {
  func checkLane(_ number: Int, _ action: LaneAction, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let lane = loopers[id].lanes[number - 1]
    guard !lane.isEmpty else { throw .laneEmpty(number) }
    if action.isPlaying, !lane.isPlaying, !clock.isPlaying { try checkPlay(by: id) }
  }

  mutating func lane(_ number: Int, _ action: LaneAction, by id: PlayerID, at moment: Moment) {
    let frame = effectFrame(moment)
    let command = LogAction.command(.lane(number, action))
    if action == .clear {
      return change([number], of: id, .lane(number, .clear), at: frame) { $0[number - 1].clear() }
    }
    let isPlaying = loopers[id].lanes[number - 1].isPlaying
    // A bar-line action starts a transport that stands, at bar 1.
    if !isPlaying, !clock.isPlaying, action != .stop { play(by: id, at: moment) }
    let line = clock.isPlaying ? clock.barLine(atOrAfter: frame) : .zero
    loopers[id].lanes[number - 1].order(action, on: line)
    commit(command, by: id, at: frame)
    tellLane(number, of: id)
    if action == .stop, loopers[id].focus?.lane == number { endFocus(of: id, at: frame) }
    planLoop(of: id)
  }

  func checkPut(_ name: String, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    if !name.isEmpty { try library.blocks.require(name, for: roster[id].name) }
  }

  /// - Parameter name: empty takes the block away.
  mutating func put(_ name: String, on number: Int, slot: Int, by id: PlayerID, at frame: Frames) {
    let command = Command.set(.laneSlot(number, slot), .text(name))
    let block = name.isEmpty ? nil : library.blocks.find(name, for: roster[id].name)
    guard block != nil || name.isEmpty && loopers[id].lanes[number - 1].slots[slot - 1] != nil else { return }
    library.blocks.slotsPut += 1
    let held = block.map { LaneSlot(id: library.blocks.slotsPut, block: $0.onLane) }
    if let block { use(.block, libraryID(of: block), by: id) }
    change([number], of: id, command, at: frame) { $0[number - 1].slots[slot - 1] = held }
  }

  func checkMoveSlot(_ number: Int, from: Int, by id: PlayerID) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    guard loopers[id].lanes[number - 1].slots[from - 1] != nil else {
      throw .slotEmpty(lane: number, slot: from, .move)
    }
  }

  mutating func moveSlot(_ number: Int, from: Int, to: Int, isSwap: Bool, by id: PlayerID, at frame: Frames) {
    let command =
      isSwap ? Command.swapSlots(lane: number, from, to) : Command.moveSlot(lane: number, from: from, to: to)
    guard from != to else { return }
    change([number], of: id, command, at: frame) { lanes in
      if isSwap { return lanes[number - 1].slots.swapAt(from - 1, to - 1) }
      let moved = lanes[number - 1].slots.remove(at: from - 1)
      lanes[number - 1].slots.insert(moved, at: to - 1)
    }
  }

  /// Moves to a slot of another lane, replacing its block. One edit: an undo restores both lanes.
  mutating func moveSlot(from: (lane: Int, slot: Int), to: (lane: Int, slot: Int), by id: PlayerID, at frame: Frames) {
    let command = Command.moveSlot(lane: from.lane, from: from.slot, to: to.slot, toLane: to.lane)
    guard let held = loopers[id].lanes[from.lane - 1].slots[from.slot - 1] else { return }
    // The focus goes with its block.
    if let focus = loopers[id].focus, (focus.lane, focus.slot) == from {
      loopers[id].focus?.lane = to.lane
      loopers[id].focus?.slot = to.slot
      for place in [from, to] { tell(.laneFocus(place.lane), of: id) }
    }
    change([from.lane, to.lane], of: id, command, at: frame) { lanes in
      lanes[from.lane - 1].slots[from.slot - 1] = nil
      lanes[to.lane - 1].slots[to.slot - 1] = held
    }
  }

  /// One edit, of as many lanes as it takes.
  private mutating func change(
    _ numbers: [Int], of id: PlayerID, _ command: Command, at frame: Frames,
    _ body: (inout [Lane]) -> Void
  ) {
    let before = numbers.map { LaneEdit(loopers[id].lanes[$0 - 1]) }
    for number in numbers { loopers[id].lanes[number - 1].giveUpComing() }
    body(&loopers[id].lanes)
    let changes = zip(numbers, before).map { number, before in
      LaneChange(number: number, before: before, after: LaneEdit(loopers[id].lanes[number - 1]))
    }
    remember(.lanes(changes), of: id, at: frame)
    commit(.command(command), by: id, at: frame)
    for change in changes { settle(change.number, of: id, from: change.before.slots, at: frame) }
  }

  /// The lane's slots are others than they were.
  mutating func settle(_ number: Int, of id: PlayerID, from before: [LaneSlot?], at frame: Frames) {
    loopers[id].lanes[number - 1].follow(from: before)
    orderSounds(ofLane: number, of: id, at: frame)
    compile(number - 1, of: id, at: frame)
    tellLane(number, of: id, from: before)
    followFocus(on: number, of: id, from: before, at: frame)
    planLoop(of: id)
  }

  /// A lane that stopped because its last block was taken away goes on from the next bar line.
  mutating func restore(_ edit: LaneEdit, on number: Int, of id: PlayerID, _ command: Command, at frame: Frames) {
    let before = loopers[id].lanes[number - 1].slots
    let line = clock.isPlaying ? clock.barLine(atOrAfter: frame) : nil
    loopers[id].lanes[number - 1].restore(edit, line: line)
    commit(.command(command), by: id, at: frame)
    settle(number, of: id, from: before, at: frame)
  }

}

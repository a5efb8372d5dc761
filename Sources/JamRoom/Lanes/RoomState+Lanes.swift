internal import JamCore
internal import JamEngine

/// Lanes: rows of blocks that follow each other without a gap, once or round and round.
extension RoomState {
  // MARK: Commands

  mutating func lane(
    _ number: Int, _ action: LaneAction, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let frame = effectFrame(moment)
    let command = LogAction.command(.lane(number, action))
    let lane = roster[id].lanes[number - 1]
    guard !lane.isEmpty else {
      throw .laneEmpty(number)
    }
    switch action {
    case .clear:
      return change([number], of: id, .lane(number, .clear), at: frame, &effects) { lanes in
        lanes[number - 1].waiting = nil
        for index in lanes[number - 1].slots.indices { lanes[number - 1].slots[index] = nil }
      }
    case .play where lane.isPlaying, .loop where lane.isPlaying:
      roster[id].lanes[number - 1].isLooped = action == .loop
      roster[id].lanes[number - 1].waiting = nil
    case .play, .loop, .stop:
      // A bar-line action starts a transport that stands, at bar 1.
      if !clock.isPlaying && action != .stop { try play(by: id, at: moment, &effects) }
      let line = clock.isPlaying ? clock.view.barLine(atOrAfter: clock.view.beat(at: frame)) : .zero
      let waits = lane.isPlaying || action != .stop
      roster[id].lanes[number - 1].waiting = waits ? WaitingAction(action: action, line: line) : nil
    }
    commit(command, by: roster[id].name, at: frame, &effects)
    tellLane(number, of: id, &effects)
    if action == .stop, roster[id].focus?.lane == number { endFocus(of: id, at: frame, &effects) }
    planLoop(of: id)
  }

  /// - Parameter name: empty takes the block away.
  mutating func put(
    _ name: String, on number: Int, slot: Int, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let command = Command.set(.laneSlot(number, slot), .text(name))
    let block = name.isEmpty ? nil : try blocks.find(name, for: roster[id].name)
    if block == nil && roster[id].lanes[number - 1].slots[slot - 1] == nil { return }
    blocks.slotsPut += 1
    let held = block.map { LaneSlot(id: blocks.slotsPut, block: $0) }
    change([number], of: id, command, at: frame, &effects) { $0[number - 1].slots[slot - 1] = held }
  }

  mutating func moveSlot(
    _ number: Int, from: Int, to: Int, isSwap: Bool, by id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let command =
      isSwap ? Command.swapSlots(lane: number, from, to) : Command.moveSlot(lane: number, from: from, to: to)
    guard roster[id].lanes[number - 1].slots[from - 1] != nil else {
      throw .slotEmpty(lane: number, slot: from, .move)
    }
    guard from != to else { return }
    change([number], of: id, command, at: frame, &effects) { lanes in
      if isSwap { return lanes[number - 1].slots.swapAt(from - 1, to - 1) }
      let moved = lanes[number - 1].slots.remove(at: from - 1)
      lanes[number - 1].slots.insert(moved, at: to - 1)
    }
  }

  /// To a slot of another lane, where it takes the place of what lies there. One edit: an undo brings both lanes back.
  mutating func moveSlot(
    from: (lane: Int, slot: Int), to: (lane: Int, slot: Int), by id: PlayerID, at frame: Frames,
    _ effects: inout [Effect]
  ) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    let command = Command.moveSlot(lane: from.lane, from: from.slot, to: to.slot, toLane: to.lane)
    guard let held = roster[id].lanes[from.lane - 1].slots[from.slot - 1] else {
      throw .slotEmpty(lane: from.lane, slot: from.slot, .move)
    }
    // The focus goes with its block.
    if let focus = roster[id].focus, (focus.lane, focus.slot) == from {
      roster[id].focus?.lane = to.lane
      roster[id].focus?.slot = to.slot
      for place in [from, to] { tell(.laneFocus(place.lane), of: id, &effects) }
    }
    change([from.lane, to.lane], of: id, command, at: frame, &effects) { lanes in
      lanes[from.lane - 1].slots[from.slot - 1] = nil
      lanes[to.lane - 1].slots[to.slot - 1] = held
    }
  }

  /// One edit, of as many lanes as it takes.
  private mutating func change(
    _ numbers: [Int], of id: PlayerID, _ command: Command, at frame: Frames, _ effects: inout [Effect],
    _ body: (inout [Lane]) -> Void
  ) {
    let before = numbers.map { LaneEdit(roster[id].lanes[$0 - 1]) }
    body(&roster[id].lanes)
    let changes = zip(numbers, before).map { number, before in
      LaneChange(number: number, before: before, after: LaneEdit(roster[id].lanes[number - 1]))
    }
    remember(.lanes(changes), of: id, at: frame)
    commit(.command(command), by: roster[id].name, at: frame, &effects)
    for change in changes { settle(change.number, of: id, from: change.before.slots, at: frame, &effects) }
  }

  /// The lane's slots are others than they were.
  private mutating func settle(
    _ number: Int, of id: PlayerID, from before: [LaneSlot?], at frame: Frames, _ effects: inout [Effect]
  ) {
    roster[id].lanes[number - 1].follow(from: before)
    let slots = roster[id].lanes[number - 1].slots
    for (slot, held) in slots.enumerated() where held?.hits.isEmpty == true {
      orderSounds(for: number - 1, slot, of: id, at: frame, &effects)
    }
    compile(number - 1, of: id, at: frame)
    for slot in slots.indices where before[slot]?.block.name != slots[slot]?.block.name {
      tell(.laneSlot(number, slot + 1), of: id, &effects)
    }
    tellLane(number, of: id, &effects)
    followFocus(on: number, of: id, from: before, at: frame, &effects)
    planLoop(of: id)
  }

  mutating func compile(_ lane: Int, of id: PlayerID, at frame: Frames) {
    roster[id].lanes[lane].compile(at: clock.view.beat(at: frame))
  }

  /// A lane that stopped because its last block was taken away goes on from the next bar line.
  mutating func restore(
    _ edit: LaneEdit, on number: Int, of id: PlayerID, _ command: Command, at frame: Frames,
    _ effects: inout [Effect]
  ) {
    let before = roster[id].lanes[number - 1].slots
    if let action = edit.playing, roster[id].lanes[number - 1].isEmpty, clock.isPlaying {
      let line = clock.view.barLine(atOrAfter: clock.view.beat(at: frame))
      roster[id].lanes[number - 1].waiting = WaitingAction(action: action, line: line)
    }
    // What lies there already stays as it is: its block, and its sounds, may have been read since.
    roster[id].lanes[number - 1].slots = edit.slots.map { held in
      before.first { $0 != nil && $0?.id == held?.id } ?? held
    }
    if roster[id].lanes[number - 1].isEmpty { roster[id].lanes[number - 1].waiting = nil }
    commit(.command(command), by: roster[id].name, at: frame, &effects)
    settle(number, of: id, from: before, at: frame, &effects)
  }

  // MARK: Sounds

  /// From 0.
  mutating func orderSounds(
    for lane: Int, _ slot: Int, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let block = roster[id].lanes[lane].slots[slot]?.block else { return }
    order(voicedHits(of: block, for: id), for: .lane(lane), of: id, at: frame, &effects) { state, order in
      state.roster[id].lanes[lane].slots[slot]?.order = order.number
    }
  }

  private func voicedHits(of block: Block, for id: PlayerID) -> [VoicedHit] {
    var turns = [Int](repeating: 0, count: Pad.count)
    return zip(block.hits, voicings(of: block, for: id)).compactMap { hit, voicing in
      guard let voicing else { return nil }
      defer { turns[voicing.pad.index] += 1 }
      // What is held while it sounds needs an end.
      return VoicedHit(
        position: hit.position, velocity: hit.velocity,
        length: hit.length ?? (voicing.settings.mode.isHeld ? Track.step : nil),
        voicing: voicing, turn: turns[voicing.pad.index], isStep: hit.isStep)
    }
  }

  /// The sounds of a slot's block are there: each hit has its number, and the log says how it sounds.
  mutating func fill(
    _ lane: Int, _ order: SoundsOrder, _ sounds: [VoicedSound: PlayablePad], at frame: Frames,
    _ effects: inout [Effect]
  ) {
    let id = order.player
    guard let slot = roster[id].lanes[lane].slots.firstIndex(where: { $0?.order == order.number }) else { return }
    var hits: [LoopHit] = []
    for hit in order.hits {
      guard let sound = sounds[hit.voicing.sound] else { continue }
      commit(
        .command(.define(hit.voicing, hit.velocity, turn: hit.turn)), by: roster[id].name, at: frame, &effects)
      hits.append(loopHit(hit, sound, number: tally.sequence, by: id))
    }
    roster[id].lanes[lane].slots[slot]?.hits = hits
    roster[id].lanes[lane].slots[slot]?.order = 0
    compile(lane, of: id, at: frame)
    planLoop(of: id)
  }

  // MARK: Playing

  /// Carries out what lanes wait for on `beat`.
  mutating func turnLanes(of id: PlayerID, at beat: Beats, _ effects: inout [Effect]) {
    for lane in roster[id].lanes.indices where roster[id].lanes[lane].nextTurn == beat {
      if let waiting = roster[id].lanes[lane].waiting, waiting.line == beat {
        let action = waiting.action
        roster[id].lanes[lane].waiting = nil
        do throws(Refusal) {
          switch action {
          case .play, .loop:
            // A lock may have come meanwhile.
            try roster.requireUnlocked(.loops, id)
            roster[id].lanes[lane].start(action, at: beat)
          case .stop, .clear: roster[id].lanes[lane].stop()
          }
        } catch {
          effects.append(.tell(.refused(.lane(lane + 1, action), error), .player(id)))
        }
      } else {
        roster[id].lanes[lane].goOn(at: beat)
      }
      tellLane(lane + 1, of: id, &effects)
    }
  }

  /// What waits to play does not begin.
  mutating func giveUpLanes(of id: PlayerID, _ effects: inout [Effect]) {
    forgetLanes(of: id, &effects) { $0 == .play || $0 == .loop }
    planLoop(of: id)
  }

  /// The transport stopped: what waited for a bar line is forgotten.
  mutating func stopLanes(of id: PlayerID, _ effects: inout [Effect]) {
    forgetLanes(of: id, &effects) { _ in true }
  }

  private mutating func forgetLanes(of id: PlayerID, _ effects: inout [Effect], where isMeant: (LaneAction) -> Bool) {
    for lane in roster[id].lanes.indices
    where roster[id].lanes[lane].waiting.map({ isMeant($0.action) }) == true {
      roster[id].lanes[lane].waiting = nil
      tellLane(lane + 1, of: id, &effects)
    }
  }

  /// The transport started at bar 1: lanes that play begin there.
  mutating func startLanes(of id: PlayerID) {
    for lane in roster[id].lanes.indices where roster[id].lanes[lane].isPlaying {
      let isLooped = roster[id].lanes[lane].isLooped
      roster[id].lanes[lane].start(isLooped ? .loop : .play, at: .zero)
    }
  }

  // MARK: Focus

  /// One block alone, round and round on the player's cue. Whoever stops the lane, its own loop or the transport hears the room again.
  /// - Parameter slot: 0 ends it.
  mutating func focus(
    on number: Int, slot: Int, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    guard slot > 0 else { return endFocus(of: id, at: effectFrame(moment), &effects) }
    guard let block = roster[id].lanes[number - 1].slots[slot - 1]?.block else {
      throw .slotEmpty(lane: number, slot: slot, .focus)
    }
    try focus(on: block, lane: number, slot: slot, by: id, at: moment, &effects)
  }

  /// - Parameter name: empty ends it.
  mutating func previewBlock(_ name: String, by id: PlayerID, at moment: Moment, _ effects: inout [Effect])
    throws(Refusal)
  {
    guard !name.isEmpty else { return endFocus(of: id, at: effectFrame(moment), &effects) }
    try focus(on: blocks.find(name, for: roster[id].name), lane: 0, slot: 0, by: id, at: moment, &effects)
  }

  private mutating func focus(
    on block: Block, lane: Int, slot: Int, by id: PlayerID, at moment: Moment, _ effects: inout [Effect]
  ) throws(Refusal) {
    _ = try openCue(of: id)
    guard clock.isPlaying else {
      throw .transportStands
    }
    let frame = effectFrame(moment)
    let origin = clock.view.barLine(atOrBefore: clock.view.beat(at: frame))
    roster[id].focus = Focus(lane: lane, slot: slot, block: block, origin: origin, row: Row(length: block.length))
    orderFocus(of: id, at: frame, &effects)
    updateCue(of: id, at: frame, &effects)
    for lane in roster[id].lanes.indices { tell(.laneFocus(lane + 1), of: id, &effects) }
    planLoop(of: id)
  }

  /// The sounds of the block that is focused on; until they are there, what was heard of it before goes on.
  private mutating func orderFocus(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard let block = roster[id].focus?.block else { return }
    order(voicedHits(of: block, for: id), for: .focus, of: id, at: frame, &effects) { state, order in
      state.roster[id].focus?.order = order.number
    }
  }

  /// The block that is focused on is another by now.
  mutating func refocus(on block: Block, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    roster[id].focus?.block = block
    orderFocus(of: id, at: frame, &effects)
    planLoop(of: id)
  }

  /// The focus goes with its block where that was moved, stays on the slot where another lies there, and ends where none does.
  private mutating func followFocus(
    on number: Int, of id: PlayerID, from before: [LaneSlot?], at frame: Frames, _ effects: inout [Effect]
  ) {
    guard let focus = roster[id].focus, focus.lane == number else { return }
    let slots = roster[id].lanes[number - 1].slots
    let held = before[focus.slot - 1]?.id
    if let slot = slots.firstIndex(where: { $0 != nil && $0?.id == held }) {
      guard slot + 1 != focus.slot else { return }
      roster[id].focus?.slot = slot + 1
      tell(.laneFocus(number), of: id, &effects)
    } else if let block = slots[focus.slot - 1]?.block {
      refocus(on: block, of: id, at: frame, &effects)
    } else {
      endFocus(of: id, at: frame, &effects)
    }
  }

  mutating func fillFocus(_ order: SoundsOrder, _ sounds: [VoicedSound: PlayablePad], at frame: Frames) {
    guard roster[order.player].focus?.order == order.number else { return }
    let number = tally.sequence + 1
    let hits = order.hits.compactMap { hit in
      sounds[hit.voicing.sound].map { loopHit(hit, $0, number: number, by: order.player) }
    }
    let length = roster[order.player].focus?.block.length ?? .zero
    roster[order.player].focus?.row.set(hits, length: length)
    planLoop(of: order.player)
  }

  mutating func endFocus(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard let focus = roster[id].focus else { return }
    roster[id].focus = nil
    updateCue(of: id, at: frame, &effects)
    if focus.lane > 0 { tell(.laneFocus(focus.lane), of: id, &effects) }
    planLoop(of: id)
  }

  // MARK: Telling

  func laneValue(_ setting: Setting, _ player: Player) -> SettingValue? {
    switch setting {
    case .laneSlot(let lane, let slot): .text(player.lanes[lane - 1].slots[slot - 1]?.block.name ?? "")
    case .laneState(let lane): .text(player.lanes[lane - 1].state)
    case .lanePlaying(let lane): .integer(Int32(player.lanes[lane - 1].current))
    case .laneFocus(let lane): .integer(player.focus?.lane == lane ? Int32(player.focus?.slot ?? 0) : 0)
    default: nil
    }
  }

  /// What there is to tell of the lanes, the empty ones too: who missed a change may show something still.
  func laneSettings(of id: PlayerID) -> [Setting] {
    roster[id].lanes.indices.flatMap { lane -> [Setting] in
      (1...limits.slotsPerLane).map { .laneSlot(lane + 1, $0) }
        + [.laneState(lane + 1), .lanePlaying(lane + 1), .laneFocus(lane + 1)]
    }
  }

  func tellLane(_ number: Int, of id: PlayerID, _ effects: inout [Effect]) {
    tell(.laneState(number), of: id, &effects)
    tell(.lanePlaying(number), of: id, &effects)
  }
}

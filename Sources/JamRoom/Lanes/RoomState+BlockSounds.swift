internal import JamCore
internal import JamEngine
internal import JamKit

/// The sounds of blocks: which pads they are on in a player's hands, and reading them in.
extension RoomState {
  /// The pads of a block's hits in the player's hands, and their sound; nil where the kit has none.
  func voicings(of block: Block, for id: PlayerID) -> [Voicing?] {
    let pads = hands[id].pads
    let categories = pads.map { $0.sound == nil ? nil : $0.description?.category ?? "other" }
    let places = ReadyMadeBlocks.pads(for: block, among: categories)
    return block.hits.map { hit in
      if case .voicing(let voicing) = hit.sound { return voicing }
      return places[hit.sound].flatMap { Pad($0 + 1) }.map { voicing(of: $0, of: id) }
    }
  }

  /// The sound of a voicing, where it is in memory.
  func sound(of voiced: VoicedSound) -> PlayablePad? {
    guard voiced.stretch == 1 else { return nil }
    return switch voiced.sample {
    case .pad(let pad, let kit): library.loaded[kit]?.plain(pad)
    case .own: library.ownSounds.first { $0.id == voiced.sample }.map { PlayablePad($0.sound) }
    case .patch(let patch): PlayablePad(patch)
    case .nothing: nil
    }
  }

  /// Orders sounds for hits; `place` keeps the order's number. At once, if all are in memory.
  mutating func order(
    _ hits: [VoicedHit], for purpose: SoundsOrder.Purpose, of id: PlayerID, at frame: Frames,
    place: (inout RoomState, SoundsOrder) -> Void = { _, _ in }
  ) {
    library.blocks.soundOrders += 1
    let order = SoundsOrder(
      number: library.blocks.soundOrders, player: id, name: roster[id].name, hits: hits, purpose: purpose)
    place(&self, order)
    var sounds: [VoicedSound: PlayablePad] = [:]
    for wanted in order.wanted {
      guard let sound = sound(of: wanted) else { return outbox.append(.loadSounds(order)) }
      sounds[wanted] = sound
    }
    soundsArrived(order, sounds, reason: nil, at: frame)
  }

  /// The sounds were read; missing ones are left out and told. Thread: whoever steps the state.
  mutating func soundsArrived(
    _ order: SoundsOrder, _ sounds: [VoicedSound: PlayablePad], reason: Refusal?, at frame: Frames
  ) {
    guard roster.plays(order.name, in: order.player) else { return }
    let frame = notBeforeAdvanced(frame)
    if let reason {
      outbox.append(
        .tell(.refused(order.command, reason), .player(order.player)))
    }
    switch order.purpose {
    case .define(let sequence):
      guard let hit = order.hits.first, let sound = sounds[hit.voicing.sound] else { return }
      queue.played[UInt32(truncatingIfNeeded: sequence)] = LoopHit(hit, sound, number: sequence, by: order.player)
    case .lane(let lane): fill(lane, order, sounds, at: frame)
    case .focus:
      schedule.advance(to: frame)
      fillFocus(order, sounds, at: frame)
    case .back:
      let now = clock.view.beat(at: notBeforeAdvanced(.zero))
      loopers[order.player].bringBack(sounds, of: order.player, at: now)
      planLoop(of: order.player)
    }
  }

  /// From 0.
  mutating func orderSounds(
    for lane: Int, _ slot: Int, of id: PlayerID, at frame: Frames
  ) {
    guard let block = loopers[id].lanes[lane].slots[slot]?.block else { return }
    order(voicedHits(of: block, for: id), for: .lane(lane), of: id, at: frame) { state, order in
      state.loopers[id].lanes[lane].slots[slot]?.order = order.number
    }
  }

  /// Orders the sounds of the block that comes on the lane's bar line.
  /// - Parameter lane: from 0.
  mutating func orderSounds(ofComingOn lane: Int, of id: PlayerID, at frame: Frames) {
    guard let block = loopers[id].lanes[lane].coming?.slot.block else { return }
    order(voicedHits(of: block, for: id), for: .lane(lane), of: id, at: frame) { state, order in
      state.loopers[id].lanes[lane].coming?.slot.order = order.number
    }
  }

  /// Orders the sounds of the lane's blocks that have none yet.
  /// - Parameter number: from 1.
  mutating func orderSounds(ofLane number: Int, of id: PlayerID, at frame: Frames) {
    let slots = loopers[id].lanes[number - 1].slots
    for (slot, held) in slots.enumerated() where held?.hits.isEmpty == true {
      orderSounds(for: number - 1, slot, of: id, at: frame)
    }
  }

  func voicedHits(of block: Block, for id: PlayerID) -> [VoicedHit] {
    var turns = [Int](repeating: 0, count: Pad.placeCount)
    return zip(block.hits, voicings(of: block, for: id)).compactMap { hit, voicing in
      guard let voicing else { return nil }
      defer { turns[voicing.pad.index] += 1 }
      // A voice that is held while it sounds needs an end.
      return VoicedHit(
        position: hit.position, velocity: hit.velocity,
        length: hit.length ?? (voicing.settings.mode.isHeld ? Track.step : nil),
        voicing: voicing, turn: turns[voicing.pad.index], isStep: hit.isStep, moves: hit.moves)
    }
  }

  /// The sounds of a slot's block are there: each hit gets its number, and the log says its sound.
  mutating func fill(
    _ lane: Int, _ order: SoundsOrder, _ sounds: [VoicedSound: PlayablePad], at frame: Frames
  ) {
    let id = order.player
    let slot = loopers[id].lanes[lane].slots.firstIndex { $0?.order == order.number }
    let isComing = loopers[id].lanes[lane].coming?.slot.order == order.number
    guard slot != nil || isComing else { return }
    var hits: [LoopHit] = []
    for hit in order.hits {
      // A sound that cannot be had is silent; its hit stays as it was.
      let sound = sounds[hit.voicing.sound] ?? .away(turn: hit.turn)
      commit(
        .command(.define(hit.voicing, hit.velocity, turn: hit.turn)), by: id, at: frame)
      hits.append(LoopHit(hit, sound, number: session.tally.sequence, by: id))
    }
    guard let slot else {
      loopers[id].lanes[lane].coming?.slot.hits = hits
      loopers[id].lanes[lane].coming?.slot.order = 0
      return
    }
    loopers[id].lanes[lane].slots[slot]?.hits = hits
    loopers[id].lanes[lane].slots[slot]?.order = 0
    compile(lane, of: id, at: frame)
    planLoop(of: id)
  }

  private mutating func fillFocus(_ order: SoundsOrder, _ sounds: [VoicedSound: PlayablePad], at frame: Frames) {
    guard loopers[order.player].focus?.order == order.number else { return }
    let number = session.tally.sequence + 1
    let hits = order.hits.compactMap { hit in
      sounds[hit.voicing.sound].map { LoopHit(hit, $0, number: number, by: order.player) }
    }
    let length = loopers[order.player].focus?.block.length ?? .zero
    loopers[order.player].focus?.row.set(hits, length: length)
    planLoop(of: order.player)
  }

  /// The lane's slots are others from `frame` on: none of their hits comes before.
  mutating func compile(_ lane: Int, of id: PlayerID, at frame: Frames) {
    schedule.advance(to: frame)
    loopers[id].lanes[lane].compile(at: clock.view.beat(at: frame))
  }
}

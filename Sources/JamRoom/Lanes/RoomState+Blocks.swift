public import JamCore
internal import JamEngine
internal import JamKit

/// Building blocks: bars that players keep, beside the ready-made ones.
extension RoomState {
  // MARK: Finding

  func checkListBlocks(of owner: PlayerName, for id: PlayerID) throws(Refusal) {
    if owner != roster[id].name { try roster.requireHost(id, for: .listBlocks) }
    guard library.blocks.all.contains(where: { $0.owner == owner }) else { throw .noBlocksOf(owner) }
  }

  func checkListHits(of name: String, for id: PlayerID) throws(Refusal) {
    if block(name, for: id) == nil { try library.blocks.require(name, for: roster[id].name) }
  }

  /// The hits of a block on the player's pads; nil where there is no such block.
  func hitEvents(ofBlock name: String, for id: PlayerID) -> [Event]? {
    guard let block = block(name, for: id) else { return nil }
    return zip(block.hits, voicings(of: block, for: id)).map { hit, voicing in
      .blockHit(
        block: name, pad: voicing?.pad, beat: Float(hit.position.value), velocity: hit.velocity,
        length: Float(hit.length?.value ?? 0), category: category(of: hit.sound))
    }
  }

  /// A block of the player's list, or a part of the groove that it steers, which no list has.
  private func block(_ name: String, for id: PlayerID) -> Block? {
    if let listed = library.blocks.find(name, for: roster[id].name) { return listed }
    let part = GroovePart.allCases.first { $0.blockName == name }
    return part.flatMap { steeredBlock(of: $0, for: id) }
  }

  /// The category that a block's hit asks for, or that of the sound that it keeps; empty without
  /// one.
  private func category(of sound: BlockSound) -> String {
    switch sound {
    case .category(let category, _): category
    case .voicing(let voicing): library.category(of: voicing.sample) ?? ""
    }
  }

  // MARK: Keeping

  func checkSaveBlock(
    _ name: String, layer number: Int, from: Int, bars: Int?, by id: PlayerID, at frame: Frames
  ) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    try library.blocks.checkName(name, limits)
    if number != 0 { _ = try loopers[id].loop.layer(number) }
    try self.bars(of: id, layer: number, from: from, bars).check(limits)
    if !library.blocks.has(name, of: roster[id].name) { try requireShare(of: id, at: frame) }
  }

  /// - Parameters:
  ///   - layer: 0 is all that are not muted.
  ///   - from: the first bar, from 1.
  ///   - bars: nil is all from there on.
  mutating func saveBlock(_ name: String, layer number: Int, from: Int, bars: Int?, by id: PlayerID, at frame: Frames) {
    let bars = self.bars(of: id, layer: number, from: from, bars)
    guard var block = bars.block(name, of: roster[id].name, limits) else { return }
    block.bpm = clock.bpm(at: clock.view.beat(at: frame))
    keep(block, by: id, at: frame)
  }

  private func bars(of id: PlayerID, layer: Int, from: Int, _ bars: Int?) -> LoopBars {
    let loop = loopers[id].loop
    return LoopBars(
      of: loop, layer: layer, from: from, bars, bar: clock.view.signature(at: loop.origin).signature.barLength)
  }

  func checkCopyBlock(_ name: String, to copy: String, by id: PlayerID, at frame: Frames) throws(Refusal) {
    try library.blocks.checkName(copy, limits)
    try library.blocks.require(name, for: roster[id].name)
    guard !library.blocks.has(copy, of: roster[id].name) else { throw .blockNameTaken(copy) }
    try requireShare(of: id, at: frame)
  }

  mutating func copyBlock(_ name: String, to copy: String, by id: PlayerID, at frame: Frames) {
    let owner = roster[id].name
    guard let block = library.blocks.find(name, for: owner) else { return }
    var own = Block(name: copy, owner: owner, length: block.length, hits: block.hits)
    own.bpm = block.bpm
    keep(own, by: id, at: frame)
  }

  func checkBring(_ brought: Block, for id: PlayerID?, from sender: String, at frame: Frames) throws(Refusal) {
    try library.blocks.checkName(brought.name, limits)
    if let id {
      try roster.requirePlaying(id)
      try roster.requireUnlocked(.loops, id)
    }
    guard !library.blocks.has(brought.name, of: owner(of: brought, for: id)) else {
      throw .blockNameTaken(brought.name)
    }
    if let id {
      try requireShare(of: id, at: frame)
    } else {
      try library.blocks.requirePlace(for: sender, at: frame.seconds, limits)
    }
  }

  /// A block that came as a file. A block that is here already stays as it is.
  /// - Parameters:
  ///   - id: the new owner; nil shares it under the owner named in it, or under `nobodyKnown`.
  ///   - sender: the key of the quota for saving.
  mutating func bring(_ brought: Block, for id: PlayerID?, from sender: String, at frame: Frames) -> BlockID {
    let owner = owner(of: brought, for: id)
    var block = brought
    block.theme = ""
    block.owner = owner
    block.isShared = id == nil
    if let id {
      keep(block, by: id, at: frame)
    } else {
      _ = library.blocks.quota.take(by: sender, at: frame.seconds)
      library.blocks.all.append(block)
      outbox.append(.keepBlock(block, for: nil))
      outbox.append(.tell(.blockItem(block), .everybody))
    }
    return BlockID(room: library.blocks.room, owner: owner, name: block.name)
  }

  private func owner(of brought: Block, for id: PlayerID?) -> PlayerName {
    id.map { roster[$0].name } ?? brought.owner ?? RoomState.nobodyKnown
  }

  /// The owner of a block that came without a name.
  public static let nobodyKnown = PlayerName("brought-along")!

  /// One of the same name and owner is replaced, on lanes too.
  private mutating func keep(_ block: Block, by id: PlayerID, at frame: Frames) {
    let (block, isNew) = library.blocks.save(block)
    if isNew, !roster[id].isHost { _ = library.blocks.quota.take(by: roster[id].saver, at: frame.seconds) }
    outbox.append(.keepBlock(block, for: id))
    announce(block, by: id)
    if !isNew { blockChanged(block, at: frame) }
  }

  /// A new block has a place in the room, and its player may save one more.
  private func requireShare(of id: PlayerID, at frame: Frames) throws(Refusal) {
    try library.blocks.requirePlace(for: roster[id].isHost ? nil : roster[id].saver, at: frame.seconds, limits)
  }

  mutating func announce(_ block: Block, by id: PlayerID) {
    outbox.append(.tell(.blockItem(block), block.isShared ? .everybody : .player(id)))
  }

  /// A block that its owner, or a host, may change.
  @discardableResult
  func requireOwnBlock(_ name: String, for deed: Refusal.BlockDeed, by id: PlayerID) throws(Refusal) -> Block {
    try library.blocks.requireOwn(name, for: deed, by: roster[id].name, isHost: roster.actsAsHost(id))
  }

  mutating func shareBlock(_ name: String, by id: PlayerID) {
    guard let place = library.blocks.place(of: name, for: roster[id].name) else { return }
    library.blocks.all[place].isShared = true
    let block = library.blocks.all[place]
    outbox.append(.keepBlock(block, for: id))
    announce(block, by: id)
  }

  func checkDeleteBlock(_ name: String, of owner: PlayerName?, by id: PlayerID) throws(Refusal) {
    if let owner, owner != roster[id].name {
      try roster.requireHost(id, for: .deleteBlock)
      guard library.blocks.has(name, of: owner) else { throw .noSuchBlockOf(owner, name) }
    } else {
      try requireOwnBlock(name, for: .delete, by: id)
    }
  }

  /// Lanes that it lies on go on with it.
  /// - Parameter owner: for hosts; nil is the player's own block, or the shared one of that name.
  mutating func deleteBlock(_ name: String, of owner: PlayerName?, by id: PlayerID) {
    guard let block = library.blocks.remove(name, of: owner, by: roster[id].name) else { return }
    outbox.append(.removeBlock(block))
    guard !block.isShared else { return outbox.append(.tell(.blockGone(name), .everybody)) }
    outbox.append(.tell(.blockGone(name), .player(id)))
    // The other owner, if there is one here.
    for player in roster.people where player.name == block.owner && player.id != id {
      outbox.append(.tell(.blockGone(name), .player(player.id)))
    }
  }

  /// The owner has a new name. Its blocks go along, except names that another has saved there.
  mutating func renameBlocks(of old: PlayerName, to new: PlayerName, by id: PlayerID) {
    let renamed = library.blocks.rename(old, to: new)
    for (before, after) in renamed {
      outbox.append(.removeBlock(before))
      outbox.append(.keepBlock(after, for: id))
      func goAlong(_ block: inout Block) {
        if before.isSame(as: block) { block.owner = new }
      }
      for player in roster.occupied {
        loopers[player].changeBlocks(goAlong)
        desks[player].history.amendSlots { goAlong(&$0.block) }
      }
    }
  }

  /// The block could not be written: it is there until the server ends.
  mutating func blockNotKept(_ block: Block, for id: PlayerID?, reason: Refusal) {
    // Once is enough: it is the same for every block and every edit.
    guard let id, roster.here(id) != nil, !desks[id].knowsWhatIsNotKept else { return }
    desks[id].knowsWhatIsNotKept = true
    let command = Command.saveBlock(block.name, layer: 0, from: 1, bars: nil)
    outbox.append(.tell(.refused(command, reason), .player(id)))
  }

  // MARK: Editing

  func checkSetBlockStep(_ name: String, _ place: StepPlace, to velocity: Velocity?, by id: PlayerID) throws(Refusal) {
    let block = try requireOwnBlock(name, for: .change, by: id)
    let count = Int((block.length.microBeats + Track.step.microBeats - 1) / Track.step.microBeats)
    guard place.step <= count else {
      throw .blockStepPastEnd(name, step: place.step, count: count)
    }
    guard velocity == nil || hands[id][place.pad].sound != nil else { throw .padEmpty(place.pad) }
    let hits = hits(of: block, with: place, velocity, by: id)
    guard hits.count <= limits.hitsPerBlock else { throw .blockFull(hits: limits.hitsPerBlock) }
    guard !hits.isEmpty else { throw .lastHitOfBlock }
  }

  /// Puts a hit into the block, as the player's pad sounds now; it replaces the pad's hit there.
  /// - Parameters:
  ///   - step: a sixteenth, from 1.
  ///   - velocity: nil clears it.
  mutating func setBlockStep(
    _ name: String, _ place: StepPlace, to velocity: Velocity?, by id: PlayerID, at frame: Frames
  ) {
    guard let index = library.blocks.place(of: name, for: roster[id].name) else { return }
    library.blocks.all[index].hits = hits(of: library.blocks.all[index], with: place, velocity, by: id)
    let block = library.blocks.all[index]
    outbox.append(.keepBlock(block, for: id))
    announce(block, by: id)
    blockChanged(block, at: frame)
  }

  private func hits(of block: Block, with place: StepPlace, _ velocity: Velocity?, by id: PlayerID) -> [BlockHit] {
    let position = Track.step * (place.step - 1)
    let half = Beats(microBeats: Track.step.microBeats / 2)
    let kept = zip(block.hits, voicings(of: block, for: id)).filter { hit, voicing in
      !Range(from: position - half, to: position + half).contains(hit.position) || voicing?.pad != place.pad
    }
    var hits = kept.map(\.0)
    if let velocity {
      let isHeld = hands[id][place.pad].settings.mode.isHeld
      hits.place(
        BlockHit(
          position: position, velocity: velocity, length: isHeld ? Track.step : nil,
          sound: .voicing(voicing(of: place.pad, of: id)), isStep: true))
    }
    return hits
  }

  /// Lanes and undo histories get the changed block; a player with the focus on it hears it.
  private mutating func blockChanged(_ changed: Block, at frame: Frames) {
    let block = changed.onLane
    for id in roster.occupied {
      let lanes = loopers[id].lanes
      for (lane, slots) in lanes.map(\.slots).enumerated() {
        for (slot, held) in slots.enumerated() where held.map({ block.isSame(as: $0.block) }) == true {
          put(block, in: lane, slot, of: id, at: frame)
        }
      }
      desks[id].history.amendSlots { slot in
        guard block.isSame(as: slot.block) else { return }
        slot.block = block
        // Its sounds are read when it comes back.
        slot.hits = []
      }
      if let focused = loopers[id].focus?.block, block.isSame(as: focused) {
        refocus(on: block, of: id, at: frame)
      }
    }
  }

  /// A block in its own place, as it is now. Lane and slot are from 0.
  private mutating func put(_ block: Block, in lane: Int, _ slot: Int, of id: PlayerID, at frame: Frames) {
    let isAsLong = loopers[id].lanes[lane].slots[slot]?.block.length == block.length
    loopers[id].lanes[lane].slots[slot]?.block = block
    if !isAsLong {
      // Its successors lie elsewhere now, and sounding hits of it may lie behind its end.
      loopers[id].lanes[lane].slots[slot]?.hits = []
      compile(lane, of: id, at: frame)
      tellLane(lane + 1, of: id)
      planLoop(of: id)
    }
    orderSounds(for: lane, slot, of: id, at: frame)
  }
}

/// A sound as a block needs it.
public struct VoicedSound: Hashable, Sendable {
  var sample: SampleID
  var stretch: Float
  var quality: StretchQuality
}

extension Voicing {
  var sound: VoicedSound {
    let isStretched = settings.stretch != 1
    return VoicedSound(
      sample: sample, stretch: settings.stretch, quality: isStretched ? settings.stretchQuality : .fast)
  }
}

/// A hit of a block on a player's pad.
struct VoicedHit: Hashable, Sendable {
  var position: Beats
  var velocity: Velocity
  var length: Beats?
  var voicing: Voicing
  /// Counts the block's hits of its pad: sounds that share a pad take turns.
  var turn: Int
  var isStep = false
  /// The hand's moves of a key's note while it sounded.
  var moves: [NoteMove] = []
}

/// An order to read sounds, off the room's thread, and its purpose.
public struct SoundsOrder: Sendable {
  enum Purpose: Sendable {
    /// From 0.
    case lane(Int)
    case focus
    /// A score's hit of that number.
    case define(sequence: UInt64)
    /// For hits whose sounds were away.
    case back
  }

  let number: UInt64
  let player: PlayerID
  /// The player's name: somebody else may have taken the place.
  let name: PlayerName
  let hits: [VoicedHit]
  let purpose: Purpose

  var wanted: Set<VoicedSound> { Set(hits.map(\.voicing.sound)) }

  var command: Command {
    if case .lane(let lane) = purpose { .lane(lane + 1, .play) } else { .previewBlock("") }
  }
}

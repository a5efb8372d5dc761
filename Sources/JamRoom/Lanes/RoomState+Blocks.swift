public import JamCore
internal import JamEngine
internal import JamKit

/// Building blocks: bars that players keep, beside the ready-made ones.
extension RoomState {
  // MARK: Finding

  mutating func listBlocks(for id: PlayerID) {
    outbox.append(.tell(.together(library.blocks.available(to: roster[id].name).map { .blockItem($0) }), .asker))
  }

  func checkListBlocks(of owner: PlayerName, for id: PlayerID) throws(Refusal) {
    if owner != roster[id].name { try roster.requireHost(id, for: .listBlocks) }
    guard library.blocks.all.contains(where: { $0.owner == owner }) else { throw .noBlocksOf(owner) }
  }

  /// Lists a player's saved blocks, shared or not, for hosts.
  mutating func listBlocks(of owner: PlayerName) {
    let theirs = library.blocks.all.filter { $0.owner == owner }
    outbox.append(.tell(.together(theirs.map { .blockItem($0) }), .asker))
  }

  func checkListHits(of name: String, for id: PlayerID) throws(Refusal) {
    try library.blocks.require(name, for: roster[id].name)
  }

  mutating func listHits(of name: String, for id: PlayerID) {
    guard let block = library.blocks.find(name, for: roster[id].name) else { return }
    let hits = zip(block.hits, voicings(of: block, for: id)).map { hit, voicing in
      Event.blockHit(
        block: name, pad: voicing?.pad, beat: Float(hit.position.value), velocity: hit.velocity,
        length: Float(hit.length?.value ?? 0))
    }
    outbox.append(.tell(.together(hits), .asker))
  }

  // MARK: Keeping

  func checkSaveBlock(
    _ name: String, layer number: Int, from: Int, bars: Int?, by id: PlayerID, at frame: Frames
  ) throws(Refusal) {
    try roster.requireUnlocked(.loops, id)
    try checkBlockName(name)
    let loop = loopers[id].loop
    if number != 0 { _ = try loop.layer(number) }
    let layers = loop.layers(ofBlock: number)
    guard !layers.isEmpty else { throw .nothingSounds }
    let (bar, count) = self.bars(of: layers, in: loop)
    guard from <= count, from - 1 + (bars ?? 1) <= count else {
      throw .barsPastEnd(from: from, bars: bars ?? 1, count: count)
    }
    let length = bar * (bars ?? count - from + 1)
    guard length <= limits.blockLength else {
      throw .blockTooLong(mostBars: Int(limits.blockLength.microBeats / bar.microBeats))
    }
    let hits = hits(of: layers, from: bar * (from - 1), length)
    guard hits.count <= limits.hitsPerBlock else { throw .tooManyHitsInBars(most: limits.hitsPerBlock) }
    guard !hits.isEmpty else { throw .nothingInBars }
    if !hasBlock(name, of: roster[id].name) { try requireShare(of: id, at: frame) }
  }

  /// - Parameters:
  ///   - layer: 0 is all that are not muted.
  ///   - from: the first bar, from 1.
  ///   - bars: nil is all from there on.
  mutating func saveBlock(_ name: String, layer number: Int, from: Int, bars: Int?, by id: PlayerID, at frame: Frames) {
    let loop = loopers[id].loop
    let layers = loop.layers(ofBlock: number)
    let (bar, count) = self.bars(of: layers, in: loop)
    let length = bar * (bars ?? count - from + 1)
    var hits = hits(of: layers, from: bar * (from - 1), length)
    guard !hits.isEmpty, hits.count <= limits.hitsPerBlock else { return }
    hits.sort { $0.position < $1.position }
    hits.dropMoves(beyond: limits.movesPerBlock)
    var block = Block(name: name, owner: roster[id].name, length: length, hits: hits)
    block.bpm = Float(clock.view.tempo(at: clock.view.beat(at: frame)).beatsPerMinute)
    keep(block, by: id, at: frame)
  }

  /// The length of the loop's bar, and the bars of its layers.
  private func bars(of layers: [Layer], in loop: Loop) -> (bar: Beats, count: Int) {
    let bar = clock.view.signature(at: loop.origin).signature.barLength
    let whole = layers.flatMap(\.tracks).map(\.length).max() ?? bar
    return (bar, max(1, Int((whole.microBeats + bar.microBeats - 1) / bar.microBeats)))
  }

  /// Track by track; one more than a block may have where there are more.
  private func hits(of layers: [Layer], from begin: Beats, _ length: Beats) -> [BlockHit] {
    var hits: [BlockHit] = []
    for layer in layers {
      for track in layer.tracks {
        let most = limits.hitsPerBlock + 1 - hits.count
        hits += track.hits(from: begin, until: begin + length, atMost: most).map { position, hit in
          var voicing = hit.voicing
          voicing.settings.gain = PadSetting.gain.row.kind.bounded(voicing.settings.gain + layer.gain)
          return BlockHit(
            position: position, velocity: hit.velocity, length: hit.length, sound: .voicing(voicing),
            isStep: track.swings, moves: hit.moves)
        }
      }
    }
    return hits
  }

  private func checkBlockName(_ name: String) throws(Refusal) {
    guard ShownName.isValid(name, limits: limits) else {
      throw .badName(.block, mostCharacters: limits.nameCharacters)
    }
    let plain = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !ReadyMadeBlocks.all.contains(where: { $0.name == plain }) else {
      throw .readyMadeName(plain)
    }
  }

  func checkCopyBlock(_ name: String, to copy: String, by id: PlayerID, at frame: Frames) throws(Refusal) {
    try checkBlockName(copy)
    try library.blocks.require(name, for: roster[id].name)
    guard !hasBlock(copy, of: roster[id].name) else { throw .blockNameTaken(copy) }
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
    try checkBlockName(brought.name)
    if let id {
      try roster.requirePlaying(id)
      try roster.requireUnlocked(.loops, id)
    }
    guard !hasBlock(brought.name, of: owner(of: brought, for: id)) else { throw .blockNameTaken(brought.name) }
    if let id { try requireShare(of: id, at: frame) } else { try requireShare(from: sender, at: frame) }
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

  private func hasBlock(_ name: String, of owner: PlayerName) -> Bool {
    library.blocks.all.contains { $0.name == name && $0.owner == owner }
  }

  /// The owner of a block that came without a name.
  public static let nobodyKnown = PlayerName("brought-along")!

  /// One of the same name and owner is replaced, on lanes too.
  private mutating func keep(_ block: Block, by id: PlayerID, at frame: Frames) {
    var block = block
    let replaced = library.blocks.all.firstIndex(where: block.replaces)
    if let place = replaced {
      block.isShared = library.blocks.all[place].isShared
      library.blocks.all[place] = block
    } else {
      if !roster[id].isHost { _ = library.blocks.quota.take(by: roster[id].saver, at: frame.seconds) }
      library.blocks.all.append(block)
    }
    outbox.append(.keepBlock(block, for: id))
    announce(block, by: id)
    if replaced != nil { blockChanged(block, at: frame) }
  }

  /// A new block has a place in the room, and its player may save one more.
  private func requireShare(of id: PlayerID, at frame: Frames) throws(Refusal) {
    guard roster[id].isHost else { return try requireShare(from: roster[id].saver, at: frame) }
    guard library.blocks.all.count < limits.blocksPerRoom else {
      throw .allBlocksFull(most: limits.blocksPerRoom, owners: library.blocks.owners)
    }
  }

  private func requireShare(from saver: String, at frame: Frames) throws(Refusal) {
    let limit = limits.blocksPerRoom - limits.blocksForHosts
    guard library.blocks.all.count < limit else { throw .blocksFull(most: limit) }
    guard library.blocks.quota.allows(saver, at: frame.seconds) else {
      throw .blocksSavedTooFast(secondsPerBlock: Int(saturating: limits.secondsPerBlock))
    }
  }

  mutating func announce(_ block: Block, by id: PlayerID) {
    outbox.append(.tell(.blockItem(block), block.isShared ? .everybody : .player(id)))
  }

  /// The place of the player's own block of that name, or of another's.
  private func place(ofBlock name: String, for player: PlayerName) -> Int? {
    let given = BlockID(name).flatMap { $0.room == library.blocks.room && $0.owner == player ? $0.name : nil } ?? name
    return library.blocks.all.firstIndex { $0.name == given && $0.owner == player }
      ?? library.blocks.find(name, for: player).flatMap { library.blocks.all.firstIndex(of: $0) }
  }

  /// A block that its owner, or a host, may change.
  @discardableResult
  private func requireOwn(_ name: String, for deed: Refusal.BlockDeed, by id: PlayerID) throws(Refusal) -> Block {
    let player = roster[id].name
    let block = place(ofBlock: name, for: player).map { library.blocks.all[$0] }
    if let block, block.owner == player || roster.actsAsHost(id) { return block }
    guard let owner = try library.blocks.require(name, for: player).owner else { throw .readyMadeBlock(name) }
    throw .blockOfOther(name, owner: owner, deed)
  }

  func checkShareBlock(_ name: String, by id: PlayerID) throws(Refusal) { try requireOwn(name, for: .share, by: id) }

  mutating func shareBlock(_ name: String, by id: PlayerID) {
    guard let place = place(ofBlock: name, for: roster[id].name) else { return }
    library.blocks.all[place].isShared = true
    outbox.append(.keepBlock(library.blocks.all[place], for: id))
    announce(library.blocks.all[place], by: id)
  }

  func checkDeleteBlock(_ name: String, of owner: PlayerName?, by id: PlayerID) throws(Refusal) {
    if let owner, owner != roster[id].name {
      try roster.requireHost(id, for: .deleteBlock)
      guard hasBlock(name, of: owner) else { throw .noSuchBlockOf(owner, name) }
    } else {
      try requireOwn(name, for: .delete, by: id)
    }
  }

  /// Lanes that it lies on go on with it.
  /// - Parameter owner: for hosts; nil is the player's own block, or the shared one of that name.
  mutating func deleteBlock(_ name: String, of owner: PlayerName?, by id: PlayerID) {
    let place =
      if let owner, owner != roster[id].name {
        library.blocks.all.firstIndex { $0.name == name && $0.owner == owner }
      } else {
        place(ofBlock: name, for: roster[id].name)
      }
    guard let place else { return }
    let block = library.blocks.all.remove(at: place)
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
    for index in library.blocks.all.indices where library.blocks.all[index].owner == old {
      let name = library.blocks.all[index].name
      guard !library.blocks.all.contains(where: { $0.name == name && $0.owner == new }) else { continue }
      outbox.append(.removeBlock(library.blocks.all[index]))
      library.blocks.all[index].owner = new
      outbox.append(.keepBlock(library.blocks.all[index], for: id))
      for player in roster.occupied {
        for lane in loopers[player].lanes.indices {
          for slot in loopers[player].lanes[lane].slots.indices {
            let block = loopers[player].lanes[lane].slots[slot]?.block
            guard block?.name == name, block?.owner == old else { continue }
            loopers[player].lanes[lane].slots[slot]?.block.owner = new
          }
        }
        if let block = loopers[player].focus?.block, block.name == name, block.owner == old {
          loopers[player].focus?.block.owner = new
        }
        desks[player].history.amendSlots { slot in
          if slot.block.name == name, slot.block.owner == old { slot.block.owner = new }
        }
      }
    }
  }

  /// The block could not be written: it is there until the server ends.
  mutating func blockNotKept(_ block: Block, for id: PlayerID?, reason: Refusal) {
    // Once is enough: it is the same for every block and every edit.
    guard let id, roster.here(id) != nil, !desks[id].knowsWhatIsNotKept else { return }
    desks[id].knowsWhatIsNotKept = true
    let command = Command.saveBlock(block.name, layer: 0, from: 1, bars: nil)
    outbox.append(
      .tell(
        .refused(command, reason), .player(id)))
  }

  // MARK: Editing

  func checkSetBlockStep(_ name: String, _ place: StepPlace, to velocity: Velocity?, by id: PlayerID) throws(Refusal) {
    let block = try requireOwn(name, for: .change, by: id)
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
    guard let index = self.place(ofBlock: name, for: roster[id].name) else { return }
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
        for (slot, held) in slots.enumerated() where held.map({ block.replaces($0.block) }) == true {
          put(block, in: lane, slot, of: id, at: frame)
        }
      }
      desks[id].history.amendSlots { slot in
        guard block.replaces(slot.block) else { return }
        slot.block = block
        // Its sounds are read when it comes back.
        slot.hits = []
      }
      if let focused = loopers[id].focus?.block, block.replaces(focused) {
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

extension Block {
  /// The block for a lane, without the facts that only the library tells.
  var onLane: Block {
    var block = self
    block.bpm = nil
    return block
  }

  /// Whether it is another state of the same block.
  fileprivate func replaces(_ other: Block) -> Bool { name == other.name && owner == other.owner }
}

extension Track {
  /// Its hits in a range of the loop, once for each round, with places from the range's beginning.
  /// - Parameter most: it ends with that many: a short track goes round very often.
  fileprivate func hits(from begin: Beats, until end: Beats, atMost most: Int) -> [(Beats, LoopHit)] {
    var found: [(Beats, LoopHit)] = []
    guard length > .zero, hits.contains(where: { $0.position < length }) else { return [] }
    let range = Range(from: begin, to: end)
    var cycle = Beats(microBeats: begin.microBeats / length.microBeats * length.microBeats)
    while cycle < end {
      for hit in hits where hit.position < length && range.contains(cycle + hit.position) {
        guard found.count < most else { return found }
        found.append((cycle + hit.position - begin, hit))
      }
      cycle += length
    }
    return found
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

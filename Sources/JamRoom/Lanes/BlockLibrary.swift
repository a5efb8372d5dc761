internal import JamCore
internal import JamKit

/// Blocks that players saved; the ready-made ones are everybody's.
struct BlockLibrary: Equatable, Sendable {
  var all: [Block] = []
  var quota: SavingQuota
  /// Tells orders for blocks' sounds apart.
  var soundOrders: UInt64 = 0
  /// Tells slots of lanes apart.
  var slotsPut: UInt64 = 0

  /// Their room.
  let room: PlayerName
  /// A block of another room, under its `BlockID`, while a command that names it is carried out.
  var carried: Block?

  init(room: PlayerName, limits: Limits) {
    self.room = room
    quota = SavingQuota(atOnce: limits.blocksAtOnce, seconds: limits.secondsPerBlock)
  }

  /// The blocks for a player's lanes: its own, the shared, and the ready-made ones.
  func available(to name: PlayerName) -> [Block] {
    all.filter { $0.owner == name } + all.filter { $0.owner != name && $0.isShared } + ReadyMadeBlocks.all
  }

  /// - Parameter name: its name, or a `BlockID`'s text.
  func find(_ name: String, for player: PlayerName) -> Block? {
    if let carried, carried.name == name { return carried }
    if let id = BlockID(name), id.room == room {
      // By the id, that one alone.
      return all.first { $0.name == id.name && $0.owner == id.owner && ($0.isShared || $0.owner == player) }
    }
    return available(to: player).first { $0.name == name }
  }

  @discardableResult
  func require(_ name: String, for player: PlayerName) throws(Refusal) -> Block {
    if let block = find(name, for: player) { return block }
    throw .noSuchBlock(name)
  }

  /// A block for taking along as a file: ready-made, shared, or the player's own.
  func find(_ name: String, toTakeAlong player: PlayerName?) -> Block? {
    if let player { return find(name, for: player) }
    if let id = BlockID(name) {
      return id.room == room ? all.first { $0.isShared && $0.name == id.name && $0.owner == id.owner } : nil
    }
    return all.first { $0.isShared && $0.name == name } ?? ReadyMadeBlocks.all.first { $0.name == name }
  }

  func has(_ name: String, of owner: PlayerName) -> Bool {
    all.contains { $0.name == name && $0.owner == owner }
  }

  /// The place of the player's own block of that name, or of another's.
  func place(of name: String, for player: PlayerName) -> Int? {
    let given = BlockID(name).flatMap { $0.room == room && $0.owner == player ? $0.name : nil } ?? name
    return all.firstIndex { $0.name == given && $0.owner == player }
      ?? find(name, for: player).flatMap { all.firstIndex(of: $0) }
  }

  // MARK: Checks

  func checkName(_ name: String, _ limits: Limits) throws(Refusal) {
    guard ShownName.isValid(name, limits: limits) else {
      throw .badName(.block, mostCharacters: limits.nameCharacters)
    }
    let plain = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !ReadyMadeBlocks.all.contains(where: { $0.name == plain }) else { throw .readyMadeName(plain) }
  }

  /// A block that its owner, or a host, may change.
  func requireOwn(
    _ name: String, for deed: Refusal.BlockDeed, by player: PlayerName, isHost: Bool
  ) throws(Refusal) -> Block {
    let block = place(of: name, for: player).map { all[$0] }
    if let block, block.owner == player || isHost { return block }
    guard let owner = try require(name, for: player).owner else { throw .readyMadeBlock(name) }
    throw .blockOfOther(name, owner: owner, deed)
  }

  /// A new block has a place in the room, and its saver may save one more.
  /// - Parameters:
  ///   - saver: nil is a host.
  ///   - now: in seconds.
  func requirePlace(for saver: String?, at now: Double, _ limits: Limits) throws(Refusal) {
    guard let saver else {
      guard all.count >= limits.blocksPerRoom else { return }
      throw .allBlocksFull(most: limits.blocksPerRoom, owners: owners)
    }
    let limit = limits.blocksPerRoom - limits.blocksForHosts
    guard all.count < limit else { throw .blocksFull(most: limit) }
    guard quota.allows(saver, at: now) else {
      throw .blocksSavedTooFast(secondsPerBlock: Int(saturating: limits.secondsPerBlock))
    }
  }

  // MARK: Changes

  /// A block is saved. It takes the place of one of the same name and owner, and is shared as that.
  mutating func save(_ block: Block) -> (block: Block, isNew: Bool) {
    guard let place = all.firstIndex(where: { block.isSame(as: $0) }) else {
      all.append(block)
      return (block, true)
    }
    let isShared = all[place].isShared
    all[place] = block
    all[place].isShared = isShared
    return (all[place], false)
  }

  /// - Parameter owner: nil is the player's own block, or the shared one of that name.
  /// - Returns: the block; nil where there is none.
  mutating func remove(_ name: String, of owner: PlayerName?, by player: PlayerName) -> Block? {
    let place =
      if let owner, owner != player {
        all.firstIndex { $0.name == name && $0.owner == owner }
      } else {
        place(of: name, for: player)
      }
    return place.map { all.remove(at: $0) }
  }

  /// The owner has another name, and its blocks with it. A block whose name is taken there stays.
  /// - Returns: each block that moved, as it was and as it is.
  mutating func rename(_ old: PlayerName, to new: PlayerName) -> [(before: Block, after: Block)] {
    var renamed: [(before: Block, after: Block)] = []
    for index in all.indices where all[index].owner == old && !has(all[index].name, of: new) {
      let before = all[index]
      all[index].owner = new
      renamed.append((before, all[index]))
    }
    return renamed
  }

  // MARK: Owners

  /// Owners and their numbers of blocks, the most first.
  var owners: [Refusal.BlockOwner] {
    let counts = Dictionary(grouping: all) { $0.owner?.text ?? "" }.mapValues(\.count)
    let most = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(5)
    return most.map { Refusal.BlockOwner(name: $0.key, count: $0.value) }
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
  func isSame(as other: Block) -> Bool { name == other.name && owner == other.owner }
}

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

  /// Those that a player can put on a lane: its own, what was shared, and the ready-made ones.
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

  /// A block that is taken along as a file: a ready-made one, a shared one, or one of the player's own.
  func find(_ name: String, toTakeAlong player: PlayerName?) -> Block? {
    if let player { return find(name, for: player) }
    if let id = BlockID(name) {
      return id.room == room ? all.first { $0.isShared && $0.name == id.name && $0.owner == id.owner } : nil
    }
    return all.first { $0.isShared && $0.name == name } ?? ReadyMadeBlocks.all.first { $0.name == name }
  }

  /// Who has how many, the most first.
  var owners: [Refusal.BlockOwner] {
    let counts = Dictionary(grouping: all) { $0.owner?.text ?? "" }.mapValues(\.count)
    let most = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(5)
    return most.map { Refusal.BlockOwner(name: $0.key, count: $0.value) }
  }
}

internal import JamCore

/// Searches the library, and counts uses. The library is the server's: it answers by
/// `searchAnswered` and `blockCarried`.
extension RoomState {
  func searchOrder(_ words: String, by id: PlayerID) -> SearchOrder {
    let player = roster[id]
    return SearchOrder(words: words, player: player.name, token: player.token, saver: player.saver)
  }

  /// The outcome of a search, for the connection that asked.
  mutating func searchAnswered(_ order: SearchOrder, _ answer: SearchAnswer) {
    switch answer {
    case .items(let items):
      let end = Event.searchEnd(order.words, count: items.count)
      outbox.append(.tell(.together(items.map { .searchItem($0) } + [end]), .asker))
    case .refused(let refusal): outbox.append(.tell(.refused(.search(order.words), refusal), .asker))
    }
  }

  // MARK: Blocks of other rooms

  /// Whether the command names a block that has to be fetched from another room first.
  /// - Parameter name: the block's, as the command has it.
  func carrying(_ name: String, _ command: Command, by id: PlayerID) -> CarryOrder? {
    guard library.blocks.carried?.name != name, let block = BlockID(name), block.room != library.blocks.room else {
      return nil
    }
    let player = roster[id]
    return CarryOrder(
      block: block, command: command, token: player.token, saver: player.saver,
      hasRights: roster.withoutRights != id)
  }

  // MARK: Counting

  mutating func use(_ kind: LibraryKind, _ item: String, by id: PlayerID) {
    let player = roster[id]
    outbox.append(.used(LibraryUse(kind: kind, id: item, player: player.name, saver: player.saver)))
  }

  /// The block's id in the library.
  func libraryID(of block: Block) -> String {
    // One that was carried here has its id for a name.
    guard let owner = block.owner, BlockID(block.name) == nil else { return block.name }
    return "\(BlockID(room: library.blocks.room, owner: owner, name: block.name))"
  }

  /// A pad sounded: its sound counts as played, once in a while. Absent players play nothing.
  mutating func usePlayed(_ pad: Pad, of id: PlayerID, at now: Frames) {
    if let counted = hands[id].pads[pad.index].light.countedAt, now < counted + RoomState.countPlayedEvery { return }
    guard !roster[id].hasLeft, !roster[id].isAway, hands[id].pads[pad.index].sound != nil else { return }
    hands[id].pads[pad.index].light.countedAt = now
    use(.sound, "\(hands[id].pads[pad.index].sample)", by: id)
  }

  private static let countPlayedEvery = Frames.seconds(60)
}

extension Command {
  /// The block that it names, which may be another room's.
  var namedBlock: String? {
    switch self {
    case .set(.laneSlot, .text(let text)): text
    case .previewBlock(let text), .copyBlock(let text, _), .listHits(let text): text
    default: nil
    }
  }
}

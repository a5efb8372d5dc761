public import JamCore
internal import JamKit

/// Blocks on their way to and from the disk, and their sounds.
extension Room {
  /// Those that were kept by an earlier start.
  func loadBlocks() {
    kitStore.blocks(of: name) { blocks in
      self.submit { room in
        room.change { state, _ in state.library.blocks.all += blocks }
        // Includes blocks saved meanwhile; from now on the library hears of each.
        room.library?.opened(room.name, with: room.look { $0.library.blocks.all })
      }
    }
  }

  func load(_ order: SoundsOrder) {
    kitStore.sounds(for: order, in: name) { sounds, reason in
      self.submit { $0.change { state, frame in state.soundsArrived(order, sounds, reason: reason, at: frame) } }
    }
  }

  func keep(_ block: Block, for player: PlayerID?) {
    kitStore.keep(block, of: name) { error in
      self.submit {
        $0.change { state, _ in state.blockNotKept(block, for: player, reason: .blockNotKept(error.told)) }
      }
    }
  }

  func remove(_ block: Block) { kitStore.remove(block, of: name) }

  // MARK: Files

  /// A block to take along, by its name or `BlockID`; calls back from the room's thread, with nil
  /// if `player` has no such block. Thread: any.
  /// - Parameter player: has its own blocks, too; nil has those that are shared.
  public nonisolated func block(
    _ name: String, for player: PlayerName?, then call: @escaping @Sendable (Block?) -> Void
  ) {
    submit(orElse: { call(nil) }) { room in
      call(room.look { state in state.library.blocks.find(name, toTakeAlong: player) })
    }
  }

  /// Takes in a block that somebody brings as a file; calls back once it is kept. Thread: any.
  /// - Parameters:
  ///   - owner: the new owner, with the token of the one who asks. Nil shares it under its name.
  ///   - sender: who counts as one: an address, or a network.
  public nonisolated func bring(
    _ block: Block, for owner: (player: PlayerName, token: String)?, from sender: String,
    then call: @escaping @Sendable (Result<BlockID, BringError>) -> Void
  ) {
    submit(orElse: { call(.failure(.refused(.libraryBusy))) }) { room in
      let result = room.take(block, for: owner, from: sender)
      // The person who hears of it may end the server.
      if !room.kitStore.whenBlocksAreKept(of: room.name, { call(result) }) { call(result) }
    }
  }

  public enum BringError: Error {
    case refused(Refusal)
    /// Nobody has that name and that token.
    case notYours
  }

  private func take(
    _ block: Block, for owner: (player: PlayerName, token: String)?, from sender: String
  ) -> Result<BlockID, BringError> {
    var id: PlayerID?
    if let owner {
      guard let found = player(token: owner.token), player(found)?.name == owner.player else {
        return .failure(.notYours)
      }
      id = found
    }
    var result: Result<BlockID, BringError> = .failure(.notYours)
    change { state, frame in
      do throws(Refusal) {
        try state.checkBring(block, for: id, from: sender, at: frame)
        result = .success(state.bring(block, for: id, from: sender, at: frame))
      } catch {
        result = .failure(.refused(error))
      }
    }
    return result
  }
}

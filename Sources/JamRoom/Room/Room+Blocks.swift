internal import JamCore
internal import JamKit

/// Blocks on their way to and from the disk, and their sounds.
extension Room {
  /// Those that were kept by an earlier start.
  func loadBlocks() {
    kitStore.blocks(of: name) { [thread] blocks in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, _, _ in state.blocks.all += blocks }
          // With what was saved meanwhile; from now on the library hears of each.
          room.library?.opened(room.name, with: room.look { $0.blocks.all })
        }
      }
    }
  }

  func load(_ order: SoundsOrder) {
    kitStore.sounds(for: order, in: name) { [thread] sounds, reason in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, frame, effects in
            state.soundsArrived(order, sounds, reason: reason, at: frame, &effects)
          }
        }
      }
    }
  }

  func keep(_ block: Block, for player: PlayerID) {
    kitStore.keep(block, of: name) { [thread] error in
      thread.submit {
        self.assumeIsolated { room in
          room.change { state, _, effects in
            state.blockNotKept(block, for: player, reason: .blockNotKept(error.told), &effects)
          }
        }
      }
    }
  }

  func remove(_ block: Block) { kitStore.remove(block, of: name) }
}

public import JamCore

/// The players whose hits duck a channel, where kicks or pads duck it.
@frozen
public enum DuckPlayer: Hashable, BitwiseCopyable, Sendable {
  case anybody
  /// The setting names a player who is not in the room.
  case nobody
  case one(PlayerID)

  @_noLocks func includes(_ bus: PlayerID) -> Bool {
    switch self {
    case .anybody: true
    case .nobody: false
    case .one(let player): player.index == bus.index
    }
  }
}

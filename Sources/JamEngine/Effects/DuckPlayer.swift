public import JamCore

/// Whose hits duck a channel, where kicks or pads do.
@frozen
public enum DuckPlayer: Hashable, BitwiseCopyable, Sendable {
  case anybody
  /// A name was asked for that nobody has.
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

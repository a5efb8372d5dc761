internal import JamCore

/// A command of a player that was checked: it is written, and no more refused.
///
/// It is data. Written into another room that is in the same state, it makes the same of it.
struct Change: Hashable, Sendable {
  enum Time: Hashable, Sendable {
    case now
    /// Its timetag's frame. What its player was refused then is told to the connection.
    case later(Frames, Origin)
    /// As soon as the kit was read that its player has chosen.
    case behindKit
  }

  let command: Command
  let player: PlayerID
  let moment: Moment
  /// Whether it may be a host's.
  let hasRights: Bool
  var time = Time.now
}

internal import JamCore

/// A command of a player that was checked: it is written, and no more refused.
///
/// It is data. Written into another room that is in the same state, it makes the same of it.
struct Change: Hashable, Sendable {
  enum Time: Hashable, Sendable {
    case now
    /// At its timetag's frame. A refusal then goes to the connection.
    case later(Frames, Origin)
    /// Once the kit has been read that its player chose.
    case behindKit
  }

  let command: Command
  let player: PlayerID
  let moment: Moment
  /// Whether it may be a host's.
  let hasRights: Bool
  var time = Time.now
}

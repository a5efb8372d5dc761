public import JamCore

/// One line of the log: a player, an action, and the frame at which it took effect.
///
/// The number is its engine command's, at most one for each entry: it serves to correct a late one.
public struct LogEntry: Hashable, Sendable {
  public var sequence: UInt64
  public var frame: Frames
  public var player: PlayerName
  public var action: LogAction

  public init(sequence: UInt64, frame: Frames, player: PlayerName, action: LogAction) {
    self.sequence = sequence
    self.frame = frame
    self.player = player
    self.action = action
  }
}

public enum LogAction: Hashable, Sendable {
  case join
  case leave
  /// The player goes on under another name.
  case rename(PlayerName)
  case command(Command)
}

/// Takes down a room's log. Thread: the room's.
public protocol RoomJournal: AnyObject, Sendable {
  func record(_ entry: LogEntry)
  /// The command of that number was applied at `frame`, later than the entry says.
  func correct(sequence: UInt64, frame: Frames)
  /// The hit never sounded: the engine had no place. Its record may be of the room's same turn.
  func withdraw(sequence: UInt64)
}

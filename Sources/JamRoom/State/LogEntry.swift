public import JamCore

/// One line of what was played: who did what, and the frame at which it took effect.
///
/// The number is the engine command's. An entry holds no more than one engine command, so that a late one is corrected by its number.
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

/// Takes down what was played. Thread: the room's.
public protocol RoomJournal: AnyObject, Sendable {
  func record(_ entry: LogEntry)
  /// The command of that number was applied at `frame`, later than the entry says.
  func correct(sequence: UInt64, frame: Frames)
  /// The hit of that number never sounded: the engine had no place for it. Its record may have come in the same turn of the room.
  func withdraw(sequence: UInt64)
}

/// A request for the room's takes. A take is a stretch of the performance, and the server records
/// takes by itself.
public enum TakeCommand: Hashable, Sendable {
  /// Begins a take with this bar.
  case start
  /// Ends the take that was started.
  case stop
  /// Makes a take of the last bars.
  case keep(bars: Int)
  case rename(String, String)
  /// A take with a star is not forgotten.
  case star(String, Bool)
  /// Trims the take to these bars, counted from 1; nil restores all bars.
  case trim(String, bars: ClosedRange<Int>?)
  case delete(String)
  /// Plays the take's notes in the room, from the next bar line.
  case play(String)
  /// Ends the take that plays in the room.
  case endPlaying
  case list
  /// Makes a file from a take: `stems.zip?by=pad`.
  case export(String, file: String)
  /// Makes a file from a project's loops. An empty name is the project that the room plays.
  case exportProject(String, file: String)
  /// Cancels a file that is being made, by its address.
  case cancelExport(String)
}

/// A take in the list.
public struct TakeItem: Hashable, Sendable {
  /// The id, which is also a part of its address: letters, digits and hyphens.
  public var id: String
  /// Empty where no player named the take.
  public var name: String
  /// Seconds since 1970.
  public var began: Int64
  /// The length of the trimmed take. While the take is recorded this is its length so far.
  public var seconds: Double
  /// The tempo that lasts longest in the take. Until that is known, this is the first tempo.
  public var bpm: Float
  /// All recorded bars, also those outside the trim.
  public var bars: Int
  /// The bars within the trim, counted from 1.
  public var heard: ClosedRange<Int>
  public var players: [String]
  public var hits: Int
  public var isStarred: Bool
  public var isRecording: Bool
  /// When the take is forgotten, in seconds since 1970; 0 is never.
  public var forgotten: Int64
  /// Peaks of the trimmed take, 0…255, evenly spaced; empty until they are known.
  public var peaks: [UInt8]

  public init(
    id: String, name: String, began: Int64, seconds: Double, bpm: Float, bars: Int, heard: ClosedRange<Int>,
    players: [String], hits: Int, isStarred: Bool, isRecording: Bool, forgotten: Int64, peaks: [UInt8] = []
  ) {
    self.id = id
    self.name = name
    self.began = began
    self.seconds = seconds
    self.bpm = bpm
    self.bars = bars
    self.heard = heard
    self.players = players
    self.hits = hits
    self.isStarred = isStarred
    self.isRecording = isRecording
    self.forgotten = forgotten
    self.peaks = peaks
  }

  /// The number of bars that `/take/keep` accepts.
  public static let keptBars = 1...1_024
}

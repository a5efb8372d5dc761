/// What a player may ask of the room's takes: stretches of what was played, which the server keeps by itself.
public enum TakeCommand: Hashable, Sendable {
  /// A take begins with this bar.
  case start
  /// What was started ends now.
  case stop
  /// The bars just gone become a take.
  case keep(bars: Int)
  case rename(String, String)
  /// A take with a star is not forgotten.
  case star(String, Bool)
  /// Only these of its bars are heard, both counted from 1; nil is all of it.
  case trim(String, bars: ClosedRange<Int>?)
  case delete(String)
  /// Its notes are played in the room, from the next bar line.
  case play(String)
  /// The take that is played in the room ends.
  case endPlaying
  case list
  /// A file is made of a take: `stems.zip?by=pad`.
  case export(String, file: String)
  /// A file is made of a project's loops; an empty name is what the room plays.
  case exportProject(String, file: String)
  /// A file that is being made is given up, by its address.
  case cancelExport(String)
}

/// A take in the list.
public struct TakeItem: Hashable, Sendable {
  /// Its address, too: letters, digits and hyphens.
  public var id: String
  /// Empty where nobody gave it one.
  public var name: String
  /// In seconds since 1970.
  public var began: Int64
  /// Of what is heard of it; so far where it is still played.
  public var seconds: Double
  /// The tempo that holds longest; what it begins with until that is known.
  public var bpm: Float
  /// Bars that were played, trimmed or not.
  public var bars: Int
  /// Bars that are heard, counted from 1.
  public var heard: ClosedRange<Int>
  public var players: [String]
  public var hits: Int
  public var isStarred: Bool
  public var isRecording: Bool
  /// When it is forgotten, in seconds since 1970; 0 is never.
  public var forgotten: Int64
  /// Peaks of what is heard, 0…255, evenly spaced; empty until they are known.
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

  /// Bars that `/take/keep` may ask for.
  public static let keptBars = 1...1_024
}

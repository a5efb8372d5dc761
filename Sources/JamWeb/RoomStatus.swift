public import JamCore
public import JamRoom

/// A room at one moment, as `/health` and the page show it.
public struct RoomStatus: Hashable, Sendable {
  public var players: [PlayerStatus]
  /// Players who have left with music that stays. It may rest.
  public var left: [PlayerStatus] = []
  /// Quarter notes per minute.
  public var bpm: Double
  public var beatsPerBar: Int
  /// The note that counts as a beat: 4 is a quarter note.
  public var beatUnit: Int
  public var isPlaying: Bool
  /// Whether anybody has the click on. Otherwise streams with the click contain none.
  public var hasClick: Bool
  public var bar: Int
  /// The counted beat in the bar, from 1.
  public var beat: Int
  /// The part of that beat that has passed, 0 ..< 1.
  public var phase: Double
  /// Milliseconds since the moment of `bar`, `beat` and `phase`.
  public var age: Double
  /// The number of listeners of all streams together.
  public var listeners: Int
  /// Whether the room's state is kept on the disk.
  public var journal: JournalReport.State

  public init(
    players: [PlayerStatus] = [], bpm: Double, beatsPerBar: Int = 4, beatUnit: Int = 4, isPlaying: Bool = true,
    hasClick: Bool = false, bar: Int, beat: Int, phase: Double, age: Double = 0, listeners: Int = 0,
    journal: JournalReport.State = .off
  ) {
    self.journal = journal
    self.players = players
    self.bpm = bpm
    self.beatsPerBar = beatsPerBar
    self.beatUnit = beatUnit
    self.isPlaying = isPlaying
    self.hasClick = hasClick
    self.bar = bar
    self.beat = beat
    self.phase = phase
    self.age = age
    self.listeners = listeners
  }

  /// Makes the status from the room's last snapshot.
  /// - Parameter now: the room's frame now.
  public init(_ snapshot: RoomSnapshot, at now: Frames, listeners: Int) {
    self.init(
      players: snapshot.people.map(PlayerStatus.init), bpm: Double(snapshot.bpm), beatsPerBar: snapshot.beatsPerBar,
      beatUnit: snapshot.beatUnit, isPlaying: snapshot.isPlaying, hasClick: snapshot.hasClick, bar: snapshot.bar,
      beat: snapshot.beat,
      phase: snapshot.phase, age: (now - snapshot.frame).milliseconds, listeners: listeners,
      journal: snapshot.journal)
    left = snapshot.left.map(PlayerStatus.init)
  }
}

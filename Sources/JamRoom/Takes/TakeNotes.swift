public import JamCore

/// The hits of a take, for playing in a room again.
public struct TakeNotes: Hashable, Sendable {
  public struct Note: Hashable, Sendable {
    /// From the take's first bar line.
    public var beat: Beats
    public var player: PlayerName
    public var pad: Pad
    public var velocity: Velocity
    /// Of a key: until it was let go of.
    public var length: Beats?

    public init(beat: Beats, player: PlayerName, pad: Pad, velocity: Velocity, length: Beats? = nil) {
      self.length = length
      self.beat = beat
      self.player = player
      self.pad = pad
      self.velocity = velocity
    }
  }

  public let take: String
  /// In the order of their beats.
  public let notes: [Note]

  public init(take: String, notes: [Note]) {
    self.take = take
    self.notes = notes.sorted { $0.beat < $1.beat }
  }
}

/// A take whose notes are played in the room.
struct PlayedTake: Equatable, Sendable {
  let notes: TakeNotes
  /// The beat of its first bar line.
  let begin: Beats
  /// The player whose pads are hit for those who are not here.
  let player: PlayerID
  /// The first note that was not sent yet.
  private(set) var next = 0

  init(_ notes: TakeNotes, from begin: Beats, by player: PlayerID) {
    self.notes = notes
    self.begin = begin
    self.player = player
  }

  var note: TakeNotes.Note? { next < notes.notes.count ? notes.notes[next] : nil }

  /// The time to send the next note.
  func deadline(_ view: TempoMapView) -> Frames? {
    note.map { view.frame(at: begin + $0.beat) - HitQueue.ahead }
  }

  /// Takes the next note, if it is time to send it.
  /// - Returns: the note, and the frame at which it sounds.
  mutating func take(until now: Frames, _ view: TempoMapView) -> (note: TakeNotes.Note, frame: Frames)? {
    guard let note, let deadline = deadline(view), deadline <= now else { return nil }
    next += 1
    return (note, deadline + HitQueue.ahead)
  }
}

internal import JamCore

/// The players' cues that streams carry.
struct CueStreams: Equatable, Sendable {
  /// The streams that are open; nil where nobody ever listens: in a score.
  var streams: OpenStreams?
  /// The revision of the streams that the engine was told of; 0 where something of that was lost.
  var told: UInt64 = 0
  /// By the cue's number.
  var places: [Cue?]

  init(places count: Int) { places = Array(repeating: nil, count: count) }

  /// Whether a stream carries the player's cue. It may have two: one with its own hits, and one
  /// without them.
  func isHeard(_ id: PlayerID) -> Bool { places.contains { $0?.player == id } }

  /// Whether the cue in that place is the player's.
  @inline(__always) func isCue(_ number: Int, of id: PlayerID) -> Bool {
    places[number]?.player == id
  }
}

/// A player's cue that a stream carries.
struct Cue: Equatable, Sendable {
  var ticket: UInt64
  /// The cue's player; nil once that player has left: its streams go on with the mix alone.
  var player: PlayerID?
  /// It leaves out hits that the player's client sounds itself.
  var isWithoutOwn = false
  /// A sound to play as soon as it has been read.
  var wantedSample: SampleID?
}

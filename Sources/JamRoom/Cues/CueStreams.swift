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

  /// The number of the player's cue; nil where no stream carries it.
  func number(of id: PlayerID) -> Int? { places.firstIndex { $0?.player == id } }
}

/// A player's cue that a stream carries.
struct Cue: Equatable, Sendable {
  var ticket: UInt64
  /// The cue's player; nil once that player has left: its streams go on with the mix alone.
  var player: PlayerID?
  /// A sound to play as soon as it has been read.
  var wantedSample: SampleID?
}

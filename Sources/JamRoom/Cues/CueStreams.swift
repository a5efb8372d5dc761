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

  /// Notes the leveller's gain in dB, which clients need that sound own hits as loud as the stream.
  /// - Returns: the players to tell: as a cue without own hits opens, and on a change of 0.2 dB, ten
  ///   times a second at most.
  mutating func hear(levellerGain decibels: Float, at now: Frames) -> [PlayerID] {
    var players: [PlayerID] = []
    for number in places.indices {
      guard let cue = places[number], cue.isWithoutOwn, let player = cue.player else { continue }
      if let told = cue.level {
        let isDue = now - told.frame >= CueStreams.levellerEvery
        guard isDue, abs(decibels - told.decibels) >= CueStreams.levellerStep else { continue }
      }
      places[number]?.level = Cue.Level(decibels: decibels, frame: now)
      players.append(player)
    }
    return players
  }

  private static let levellerEvery = Frames(4_800)  // 10 Hz
  /// In dB.
  private static let levellerStep: Float = 0.2

  /// The leveller's gain as a player with a stream without own hits was told it last.
  func levels(for id: PlayerID) -> [Event] {
    places.lazy.filter { $0?.player == id }.compactMap { $0?.level.map { .levellerGain($0.decibels) } }
  }

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
  /// The leveller's gain as its player was told it last, and when. Only of cues without own hits.
  var level: Level?

  struct Level: Equatable, Sendable {
    var decibels: Float
    var frame: Frames
  }
}

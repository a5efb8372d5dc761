internal import JamCore

/// A hit that waits for its line or its loop. It is kept in beats, so it follows a moved line.
struct WaitingHit: Equatable, Sendable {
  var player: PlayerID
  var pad: Pad
  var velocity: Velocity
  var own = OwnHit.none
  /// The frame at which it would have sounded.
  var played: Frames
  var place: GridPlace
  /// From the hit to its release, once that has come.
  var held: Frames?
  var releaseHeard: Beats?
  /// The sound that it will have; nil is its pad's.
  var fixed: FixedSound?

  /// A hit with a timetag ahead may name a beat heard before: it sounds no sooner than its timetag.
  func frame(in view: TempoMapView) -> Frames { max(played, view.frame(at: place.sounds)) }
}

/// A pad as it was for a hit that waits. It holds the sound's memory, and counts no use of it yet.
struct FixedSound: Equatable, Sendable {
  var voicing: Voicing
  /// Nil is an empty pad.
  var sound: PlayablePad?
  var turn: Int
}

/// The release of a hit moved by a grid or interval. It waits so that the hit keeps its length.
struct WaitingRelease: Equatable, Sendable {
  var player: PlayerID
  var pad: Pad
  /// The frames at which the hit sounds and ends.
  var start: Frames
  var frame: Frames
  /// The beat that its player heard at the release.
  var heard: Beats?
}

/// The place of a hit that is not recorded where it would sound, or does not sound there.
struct GridPlace: Equatable, Sendable {
  /// Late for its line by less than a third of a step: it sounds at once.
  var isLate: Bool
  /// The line, and with how much strength the hit goes there.
  var line: Beats
  var lines: GridLines
  /// The recorded beat: the line, or by strength one on the way. Unless late, the hit sounds there.
  var recorded: Beats
  /// How much later than recorded it sounds: one loop; zero unless the player is far away.
  var delay = Beats.zero
  /// The frame that its player was hearing.
  var heard: Frames?

  var sounds: Beats { recorded + delay }
  /// It waits for nothing.
  var soundsAtOnce: Bool { isLate && delay == .zero }
}

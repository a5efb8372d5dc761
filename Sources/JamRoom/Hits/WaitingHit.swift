internal import JamCore

/// A hit that waits in the room for its line, or for its loop to come round. It is kept in beats, so it goes where a change of the clock moves the line.
struct WaitingHit: Equatable, Sendable {
  var player: PlayerID
  var pad: Pad
  var velocity: Velocity
  /// Where it would have sounded.
  var played: Frames
  var place: GridPlace
  /// From the hit to its release, once that has come.
  var held: Frames?
  var releaseHeard: Beats?
  /// How it will sound; nil is as its pad does.
  var fixed: FixedSound?

  /// A hit with a timetag ahead may name a beat that was heard before it: it sounds no sooner than its timetag says.
  func frame(in view: TempoMapView) -> Frames { max(played, view.frame(at: place.sounds)) }
}

/// A pad as it was when a hit was played that still waits. It holds the sound's memory, and counts no use of it yet.
struct FixedSound: Equatable, Sendable {
  var voicing: Voicing
  /// Nil is an empty pad.
  var sound: PlayablePad?
  var turn: Int
}

/// The release of a hit that the grid or an interval has moved: it waits until the hit was held as long as the finger held it.
struct WaitingRelease: Equatable, Sendable {
  var player: PlayerID
  var pad: Pad
  /// Where the hit sounds, and where it ends.
  var start: Frames
  var frame: Frames
  /// Where its player heard the beat as it let go.
  var heard: Beats?
}

/// Where a hit goes that is not recorded where it would sound, or does not sound there.
struct GridPlace: Equatable, Sendable {
  /// Late for its line by less than a third of a step: it sounds at once.
  var isLate: Bool
  /// The line, and with how much strength the hit goes there.
  var line: Beats
  var lines: GridLines
  /// What the hit is recorded at: the line, or with less strength a place on the way. A hit that is not late sounds there.
  var recorded: Beats
  /// How much later than recorded it sounds: one loop; zero for who is not far away.
  var delay = Beats.zero
  /// What its player was hearing.
  var heard: Frames?

  var sounds: Beats { recorded + delay }
  /// It waits for nothing.
  var soundsAtOnce: Bool { isLate && delay == .zero }
}

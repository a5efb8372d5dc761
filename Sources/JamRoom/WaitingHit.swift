internal import JamCore

/// A hit that waits in the room for its line. It is kept in beats, so it goes where a change of the clock moves the line.
struct WaitingHit: Sendable {
  var player: PlayerID
  var pad: Pad
  var velocity: Velocity
  /// Where it would have sounded.
  var played: Frames
  var place: GridPlace
  /// From the hit to its release, once that has come.
  var held: Frames?
}

/// The release of a hit that the grid has moved: it waits until the hit was held as long as the finger held it.
struct WaitingRelease: Sendable {
  var player: PlayerID
  var pad: Pad
  /// Where the hit sounds, and where it ends.
  var start: Frames
  var frame: Frames
}

/// Where the grid puts a hit.
struct GridPlace: Sendable {
  /// Late for its line by less than a third of a step: it sounds at once.
  var isLate: Bool
  /// The line, and with how much strength the hit goes there.
  var line: Beats
  var lines: GridLines
  /// What the hit is recorded at: the line, or with less strength a place on the way. A hit that is not late sounds there.
  var recorded: Beats
}

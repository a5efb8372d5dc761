internal import JamCore

/// How a player hears the room, as its client tells.
struct PlayerHearing: Equatable, Sendable {
  /// From tap to ear in ms, as its client measured it; 0 is unknown.
  var latency: Float = 0
  var lateness = Lateness()
}

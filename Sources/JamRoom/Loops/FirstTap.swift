internal import JamCore

/// A pass that began with a tap in silence, and not on a bar line that somebody heard.
struct FirstTap: Equatable, Sendable {
  var start: Beats
  /// The pass's.
  var end: Beats
  /// The beat that the player heard at the tap lies so far behind it. The player hears nothing of
  /// the room in this pass and goes by its own taps, so all beats that it heard move as far.
  var shift = Beats.zero

  /// The beat at which a hit of the pass is recorded.
  /// - Parameter isHeard: `beat` is the one that the player heard.
  func place(_ beat: Beats, isHeard: Bool) -> Beats {
    guard beat < end else { return beat }
    return max(start, isHeard ? beat + shift : beat)
  }
}

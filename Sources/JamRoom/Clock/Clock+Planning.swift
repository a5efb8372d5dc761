internal import JamCore

/// The clock's next deeds by itself.
extension Clock {
  /// The order for a build-up, the map or the swing has changed, or something of it was sent.
  mutating func planBuildUps() { buildUps.plan(view, swing: swing) }

  /// The bar line on which votes that have just changed are counted.
  mutating func planCount(at frame: Frames) {
    guard election.line == nil else { return }
    election.line = isPlaying ? barLine(atOrAfter: frame) : .zero
  }

  /// The clock has changed at `frame`, and with it where the next bar line is.
  mutating func planVote(at frame: Frames) {
    guard election.line != nil else { return }
    election.line = nil
    planCount(at: frame)
  }

  /// The time to count votes; at once while the transport stands.
  var voteDeadline: Frames? {
    election.line.map { isPlaying ? view.frame(at: $0) - RoomState.liveDelay : .zero }
  }
}

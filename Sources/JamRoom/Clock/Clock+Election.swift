internal import JamCore

/// The bar line on which votes on the tempo are counted.
extension Clock {
  /// Votes have changed at `frame`: they are counted on the next bar line.
  mutating func planCount(at frame: Frames) {
    guard election.line == nil else { return }
    election.line = isPlaying ? barLine(atOrAfter: frame) : .zero
  }

  /// The map has changed at `frame`, and with it where the next bar line is.
  mutating func planCountAgain(at frame: Frames) {
    guard election.line != nil else { return }
    election.line = nil
    planCount(at: frame)
  }

  /// The time to count votes; at once while the transport stands. Mutating, as
  /// `RoomState.findDeadline`.
  var voteDeadline: Frames? {
    mutating get { election.line.map { isPlaying ? view.frame(at: $0) - RoomState.liveDelay : .zero } }
  }
}

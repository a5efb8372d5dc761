internal import JamCore

/// How often a player may react: a few times at once, then once a second.
struct ReactionPace: Equatable, Sendable {
  /// Reactions that are told at once.
  static let atOnce = 4
  private static let every = Frames.seconds(1)
  private static let ahead = Frames.seconds(Double(atOnce - 1))

  /// The frame at which all reactions so far are paid for, one a second.
  private var paid = Frames.zero

  func mayReact(at now: Frames) -> Bool { paid - now <= ReactionPace.ahead }

  mutating func note(at now: Frames) { paid = max(paid, now) + ReactionPace.every }
}

/// How late a player hears the room, by what its hits say: each names the frame that its player was
/// hearing (`/heard`).
///
/// Small, because it is part of every person.
/// Thread: any, but one at a time. Real-time safe: a hit stores two numbers.
struct HeardDelay: Hashable, Sendable {
  /// In frames, from the room to the ear and back to the server, of the quickest of recent hits.
  /// Negative where no hit has said it.
  private var delay: Int32 = -1
  /// The second of the room's clock in which the last hit arrived.
  private var last: Int32 = 0

  var isKnown: Bool { delay >= 0 }
  var milliseconds: Float { Float(delay) / 48 }

  /// A hit that was held up on its way says little of the ear. So the delay falls at once, and
  /// rises by an eighth.
  /// - Parameter now: when the hit arrived.
  mutating func take(_ delay: Frames, at now: Frames) {
    let delay = Int32(clamping: min(max(delay, .zero), .seconds(60)).count)
    let rise = isKnown ? (delay - self.delay) / 8 : 0
    self.delay = rise > 0 ? self.delay + rise : isKnown ? min(delay, self.delay) : delay
    last = HeardDelay.second(of: now)
  }

  /// Forgets what the last hit said, where that is too long ago to say how the player hears now.
  mutating func forget(at now: Frames) {
    if isKnown, HeardDelay.second(of: now) &- last > HeardDelay.patience { delay = -1 }
  }

  /// In seconds.
  private static let patience: Int32 = 20

  private static func second(of frame: Frames) -> Int32 {
    Int32(truncatingIfNeeded: frame.count / Frames.perSecond)
  }
}

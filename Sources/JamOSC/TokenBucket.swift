internal import JamCore

/// Allows a rate of things per second, with a burst.
///
/// A machine without I/O. Thread: one at a time.
struct TokenBucket {
  private let perSecond: Double
  private let burst: Double
  private var tokens: Double
  private var last: HostTime

  init(perSecond: Double, burst: Double, at now: HostTime) {
    self.perSecond = perSecond
    self.burst = burst
    tokens = burst
    last = now
  }

  mutating func take(_ count: Double = 1, at now: HostTime) -> Bool {
    guard holds(count, at: now) else { return false }
    tokens -= count
    return true
  }

  /// Whether so many tokens could be taken now.
  mutating func holds(_ count: Double = 1, at now: HostTime) -> Bool {
    if now > last {
      tokens = min(burst, tokens + now.milliseconds(since: last) * perSecond / 1_000)
      last = now
    }
    return tokens >= count
  }

  /// Whether tokens were left at the last check.
  var isPositive: Bool { tokens > 0 }

  /// Takes tokens that may not be there yet; the balance may become negative, down to −`burst`.
  mutating func charge(_ count: Double) { tokens = max(tokens - count, -burst) }
}

internal import JamCore

/// Allows so many things a second, with a burst.
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

  /// Whether so many could be taken now.
  mutating func holds(_ count: Double = 1, at now: HostTime) -> Bool {
    if now > last {
      tokens = min(burst, tokens + now.milliseconds(since: last) * perSecond / 1_000)
      last = now
    }
    return tokens >= count
  }

  /// Whether any were left when it was looked at last.
  var isPositive: Bool { tokens > 0 }

  /// Takes some that may not be there yet: they are owed.
  mutating func charge(_ count: Double) { tokens = max(tokens - count, -burst) }
}

public import JamCore

/// Reads the timetags of one sender: in the clock that the sender should have, or in the other one
/// where only that gives a moment near the arrival.
///
/// The two clocks differ only after the machine's wall clock was set.
/// Thread: any.
public struct TimetagClock: Hashable, BitwiseCopyable, Sendable {
  private let first: ServerClock
  private let second: ServerClock

  public init(_ first: ServerClock, or second: ServerClock) {
    self.first = first
    self.second = second
  }

  /// The moment of `tag`. The result is meaningless for `immediate`.
  /// - Parameter now: when the timetag came.
  public func time(of tag: OSCTimetag, near now: HostTime) -> HostTime {
    let time = first.time(of: tag)
    guard first != second, !TimetagClock.isNear(time, now) else { return time }
    let other = second.time(of: tag)
    return TimetagClock.isNear(other, now) ? other : time
  }

  /// Whether a timetag may lie so far from its arrival (`Limits.timetagAhead`).
  private static func isNear(_ time: HostTime, _ now: HostTime) -> Bool {
    (time.nanoseconds &- now.nanoseconds).magnitude <= 10_000_000_000
  }
}

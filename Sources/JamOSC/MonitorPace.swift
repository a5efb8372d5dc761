internal import JamCore
internal import JamRoom

/// How many lines of the monitor one subscriber is told, in each second. The rest is counted.
///
/// Refused messages have places of their own, and one sender has half of all: so a flood of hits
/// hides neither a refusal nor another sender.
/// A machine without I/O. Thread: one at a time.
struct MonitorPace {
  static let linesPerSecond = 100
  /// The part of them that is for messages that were not refused.
  static let understoodPerSecond = 70
  static let ofOneSender = 50

  private var second = Int64.min
  private var lines = 0
  private var understood = 0
  private var senders: [Origin: Int] = [:]
  /// Messages that were not told, since they were last taken.
  private(set) var leftOut = 0

  /// Takes a place for a line, or counts that there is none.
  mutating func takes(isRefused: Bool, from sender: Origin, at now: HostTime) -> Bool {
    guard holds(isRefused: isRefused, from: sender, at: now) else {
      leaveOut()
      return false
    }
    lines += 1
    if !isRefused { understood += 1 }
    senders[sender, default: 0] += 1
    return true
  }

  /// Whether a place is left.
  mutating func holds(isRefused: Bool, from sender: Origin, at now: HostTime) -> Bool {
    let present = now.nanoseconds / 1_000_000_000
    if present > second {
      second = present
      lines = 0
      understood = 0
      senders.removeAll(keepingCapacity: true)
    }
    return lines < MonitorPace.linesPerSecond
      && (isRefused || understood < MonitorPace.understoodPerSecond)
      && senders[sender, default: 0] < MonitorPace.ofOneSender
  }

  mutating func leaveOut() { leftOut &+= 1 }

  mutating func takeLeftOut() -> Int {
    defer { leftOut = 0 }
    return leftOut
  }
}

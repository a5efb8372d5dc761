import JamCore

/// Decides which events become lines: a machine without I/O or a clock of its own.
///
/// The number of waiting lines is limited, and so is the rate of most kinds of events, because
/// strangers can cause most of them. Events that are left out are counted, and the counts are
/// logged.
struct LogBook {
  /// The most lines that wait for a slow reader of the log; more are dropped.
  static let mostWaiting = 1_024
  /// The most lines of a limited kind at once.
  static let burst = 60.0
  /// The average of such lines in a second. That is about 30 MB a day if somebody causes as many as
  /// possible.
  static let perSecond = 0.2
  /// How long counts of suppressed events wait before they are logged.
  static let suppressedEveryMilliseconds = 10_000.0

  struct Entry {
    var event: LogEvent
    /// Nanoseconds since 1970.
    var time: Int64
  }

  private struct Budget {
    var lines = LogBook.burst
    var at: HostTime
    var suppressed = 0
  }

  private let level: LogLevel
  private var waiting: [Entry] = []
  private var dropped = 0
  private var budgets: [LogKind: Budget] = [:]
  private var suppressedSince: HostTime?

  init(level: LogLevel) { self.level = level }

  /// Whether the count of suppressed events still has to be logged.
  var hasSuppressed: Bool { suppressedSince != nil }

  /// - Returns: whether the writer has to be woken.
  mutating func offer(_ event: LogEvent, at now: HostTime, time: Int64) -> Bool {
    guard event.kind.level >= level else { return false }
    let hadSuppressed = hasSuppressed
    guard take(event.kind, at: now) else { return hasSuppressed != hadSuppressed }
    guard waiting.count < LogBook.mostWaiting else {
      dropped += 1
      return false
    }
    waiting.append(Entry(event: event, time: time))
    return waiting.count == 1
  }

  /// The entries to write now.
  /// - Parameter isLast: the log ends, so counts of suppressed events are logged at once.
  mutating func take(at now: HostTime, time: Int64, isLast: Bool = false) -> [Entry] {
    var entries = waiting
    waiting.removeAll(keepingCapacity: true)
    if dropped > 0 {
      entries.append(Entry(event: LogEvent(.logDropped, ["count": LogValue(dropped)]), time: time))
      dropped = 0
    }
    return entries + suppressed(at: now, time: time, isLast: isLast)
  }

  private mutating func take(_ kind: LogKind, at now: HostTime) -> Bool {
    guard kind.isLimited else { return true }
    var budget = budgets[kind] ?? Budget(at: now)
    let passed = max(0, now.milliseconds(since: budget.at)) / 1_000
    budget.lines = min(LogBook.burst, budget.lines + passed * LogBook.perSecond)
    budget.at = now
    let isAllowed = budget.lines >= 1
    if isAllowed {
      budget.lines -= 1
    } else {
      budget.suppressed += 1
      suppressedSince = suppressedSince ?? now
    }
    budgets[kind] = budget
    return isAllowed
  }

  private mutating func suppressed(at now: HostTime, time: Int64, isLast: Bool) -> [Entry] {
    guard let since = suppressedSince,
      isLast || now.milliseconds(since: since) >= LogBook.suppressedEveryMilliseconds
    else { return [] }
    suppressedSince = nil
    return LogKind.allCases.compactMap { kind in
      guard let count = budgets[kind]?.suppressed, count > 0 else { return nil }
      budgets[kind]?.suppressed = 0
      let event = LogEvent(.logSuppressed, ["kind": .text(kind.rawValue), "count": LogValue(count)])
      return Entry(event: event, time: time)
    }
  }
}

internal import JamCore
internal import Synchronization

/// Ordinary threads for work that may wait: decoding, stretching, writing files.
///
/// Work stands in lines. A line's work is done in order, one at a time. Kinds take turns, and so do the
/// lines of a kind: whoever orders much waits for itself. The threads have ordinary scheduling and a
/// niceness, whoever orders; what may wait is bounded.
/// Thread: any; `submit` locks for a moment and allocates.
public final class BackgroundPool: Sendable {
  /// Whose work it is, and of which kind.
  public struct Line: Hashable, Sendable {
    public var kind: String
    public var owner: String

    public init(_ kind: String, of owner: String) {
      self.kind = kind
      self.owner = owner
    }
  }

  private let lines: BackgroundLines
  public let workers: Int

  /// - Parameters:
  ///   - name: of its threads, 15 characters at most.
  ///   - workers: threads; one at least.
  ///   - atOnce: how much of a kind is worked on at the same time, where that is less than `workers`.
  ///   - most: what may wait in all, and in one line.
  public init(name: String, workers: Int, atOnce: [String: Int] = [:], most: (all: Int, line: Int) = (8_192, 1_024)) {
    self.workers = max(1, workers)
    let lines = BackgroundLines(atOnce: atOnce, mostWaiting: most.all, mostPerLine: most.line)
    self.lines = lines
    for _ in 0..<self.workers {
      let thread = RealtimeThread(name: name)
      thread.start(niceness: BackgroundPool.niceness) { lines.work() }
      thread.detach()
    }
  }

  deinit { lines.end(finishing: []) }

  private static let niceness = 5

  /// Hands in work. What waits in the line under the same `subject` is replaced: only the last is done.
  /// - Returns: false where too much waits already; the work is dropped and counted.
  @discardableResult
  public func submit(_ line: Line, replacing subject: String? = nil, _ work: @escaping @Sendable () -> Void) -> Bool {
    lines.add(BackgroundLines.Item(subject: subject, work: work), to: line)
  }

  /// Takes no more, but for the kinds to be finished, and waits until these are done.
  /// - Returns: false where they were not done in time.
  @discardableResult
  public func end(finishing kinds: Set<String>, atMostMilliseconds milliseconds: Double) -> Bool {
    lines.end(finishing: kinds)
    let deadline = HostTime.now.advanced(byMilliseconds: milliseconds)
    while true {
      let ticket = lines.finished.ticket
      guard lines.isBusy(with: kinds) else { return true }
      let left = deadline.milliseconds(since: HostTime.now)
      guard left > 0 else { return false }
      lines.finished.wait(since: ticket, atMostMilliseconds: left)
    }
  }

  /// What waits now.
  public var waiting: Int { lines.waiting }
  /// Work that was dropped because too much waited.
  public var refused: UInt64 { lines.refused }
}

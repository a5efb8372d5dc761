internal import JamCore
internal import Synchronization

/// Ordinary threads for work that may wait: decoding, stretching, writing files.
///
/// Work waits in lines. The work of a line is done in order, one item at a time. Kinds take turns,
/// and so do the lines of a kind, so an owner that orders much work only delays itself. The threads
/// have ordinary scheduling and a niceness, independent of the caller's. The amount of waiting work
/// is limited.
/// Thread: any; `submit` locks briefly and allocates.
public final class BackgroundPool: Sendable {
  /// The kind of work, and its owner.
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
  ///   - name: the name of the threads, at most 15 characters.
  ///   - workers: the number of threads; at least one.
  ///   - atOnce: for some kinds, how many items may be in progress at the same time, where that is
  ///     less than `workers`.
  ///   - most: how many items may wait in all, and in one line.
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

  /// Adds work. Work that waits in the line under the same `subject` is replaced, so that only the
  /// last is done.
  /// - Returns: false where too much work waits already; the work is dropped and counted.
  @discardableResult
  public func submit(_ line: Line, replacing subject: String? = nil, _ work: @escaping @Sendable () -> Void) -> Bool {
    lines.add(BackgroundLines.Item(subject: subject, work: work), to: line)
  }

  /// Accepts no more work, except of the kinds to be finished, and waits until these are finished.
  /// - Returns: false where they were not finished in time.
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

  /// The number of waiting items.
  public var waiting: Int { lines.waiting }
  /// The number of items that were dropped because too many waited.
  public var refused: UInt64 { lines.refused }
}

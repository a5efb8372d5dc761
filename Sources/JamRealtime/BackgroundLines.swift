internal import Synchronization

/// The waiting work of a `BackgroundPool`, and the order of its turns.
///
/// Thread: any.
final class BackgroundLines: Sendable {
  struct Item: Sendable {
    var subject: String?
    var work: @Sendable () -> Void
  }

  typealias Line = BackgroundPool.Line

  fileprivate struct State {
    /// Lines with work that waits or is in progress.
    var items: [Line: [Item]] = [:]
    /// Kinds that have a ready line. The kind with the next turn comes first.
    var kinds: [String] = []
    /// The ready lines of each kind: they have waiting work, and no work in progress. The line with
    /// the next turn comes first.
    var ready: [String: [Line]] = [:]
    /// How many items of each kind are in progress.
    var running: [String: Int] = [:]
    var waiting = 0
    var refused: UInt64 = 0
    /// When set, only work of these kinds is still accepted.
    var last: Set<String>?
  }

  private let state = Mutex(State())
  private let wake = WakeSignal()
  /// Raised whenever an item is finished.
  let finished = WakeSignal()
  private let atOnce: [String: Int]
  private let mostWaiting: Int
  private let mostPerLine: Int

  init(atOnce: [String: Int], mostWaiting: Int, mostPerLine: Int) {
    self.atOnce = atOnce
    self.mostWaiting = mostWaiting
    self.mostPerLine = mostPerLine
  }

  var waiting: Int { state.withLock { $0.waiting } }
  var refused: UInt64 { state.withLock { $0.refused } }

  func add(_ item: Item, to line: Line) -> Bool {
    // The replaced item is freed outside the lock, because it may hold much memory.
    var replaced: Item?
    let isTaken = state.withLock { state in
      guard state.last?.contains(line.kind) ?? true else { return false }
      if let subject = item.subject, let place = state.items[line]?.firstIndex(where: { $0.subject == subject }) {
        replaced = state.items[line]?[place]
        state.items[line]?[place] = item
        return true
      }
      guard state.waiting < mostWaiting, state.items[line]?.count ?? 0 < mostPerLine else {
        state.refused += 1
        return false
      }
      state.waiting += 1
      if state.items[line] == nil { state.makeReady(line) }
      // A line with work in progress stays in `items`, even when no work waits in it.
      state.items[line, default: []].append(item)
      return true
    }
    withExtendedLifetime(replaced) {}
    if isTaken { wake.raise() }
    return isTaken
  }

  /// The loop of a worker thread.
  func work() {
    while true {
      let ticket = wake.ticket
      let (next, isOver) = state.withLock { state in (state.take(atOnce), state.isOver) }
      if let next {
        next.item.work()
        state.withLock { $0.done(next.line) }
        wake.raise()
        finished.raise()
      } else if isOver {
        return
      } else {
        wake.wait(since: ticket, atMostMilliseconds: 60_000)
      }
    }
  }

  func end(finishing kinds: Set<String>) {
    var dropped: [Item] = []
    state.withLock { state in
      state.last = kinds
      for line in state.items.keys where !kinds.contains(line.kind) {
        dropped += state.items[line] ?? []
        state.waiting -= state.items[line]?.count ?? 0
        state.items[line] = state.ready[line.kind]?.contains(line) == true ? nil : []
      }
      state.kinds.removeAll { !kinds.contains($0) }
      state.ready = state.ready.filter { kinds.contains($0.key) }
    }
    withExtendedLifetime(dropped) {}
    wake.raise()
  }

  func isBusy(with kinds: Set<String>) -> Bool {
    state.withLock { state in state.items.keys.contains { kinds.contains($0.kind) } }
  }
}

extension BackgroundLines.State {
  fileprivate var isOver: Bool { last != nil && items.isEmpty }

  fileprivate mutating func makeReady(_ line: BackgroundLines.Line) {
    if ready[line.kind, default: []].isEmpty { kinds.append(line.kind) }
    ready[line.kind, default: []].append(line)
  }

  /// The item whose turn it is.
  fileprivate mutating func take(_ atOnce: [String: Int]) -> (line: BackgroundLines.Line, item: BackgroundLines.Item)? {
    let free = kinds.firstIndex { kind in running[kind, default: 0] < atOnce[kind] ?? .max }
    guard let free else { return nil }
    let kind = kinds.remove(at: free)
    guard let line = ready[kind]?.removeFirst(), let item = items[line]?.removeFirst() else { return nil }
    if ready[kind]?.isEmpty == false { kinds.append(kind) } else { ready[kind] = nil }
    running[kind, default: 0] += 1
    waiting -= 1
    return (line, item)
  }

  fileprivate mutating func done(_ line: BackgroundLines.Line) {
    let left = running[line.kind, default: 1] - 1
    running[line.kind] = left > 0 ? left : nil
    if items[line]?.isEmpty == false {
      makeReady(line)
    } else {
      items[line] = nil
    }
  }
}

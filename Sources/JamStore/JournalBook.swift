internal import JamCore

/// Whether what happens in a room is kept.
public enum JournalCondition: Hashable, Sendable {
  case kept
  /// The disk takes longer to write than a room may wait. What was done last is lost with the
  /// process, and nothing else.
  case late
  /// Why not. It is tried again each second, and then everything is kept at once.
  case failing(String)
}

/// The journals of all rooms, and what waits for them: a machine without a thread or a clock.
///
/// Of a room's states that wait only the newest is written: the disk may be as slow as it likes. What waits is kept until it is written.
/// It writes; whoever has a thread to spare makes last what was written (`startSyncs`).
/// Thread: one at a time.
struct JournalBook<State: Sendable> {
  struct Line {
    let journal: Journal
    /// As it was written last; nil is to be written whole.
    var written: State?
    var waiting: State?
    var condition = JournalCondition.kept
    var retry: HostTime?
    var waitsSince: HostTime?
    var syncDue: HostTime?
    /// A sync is under way.
    var syncing: Syncing?
    /// Somebody waits until all that was written up to now lasts.
    var isAwaited = false
    /// It goes once nothing waits any more.
    var isClosing = false
  }

  struct Syncing {
    let sync: Journal.Sync
    var isAwaited: Bool
  }

  private(set) var lines: [String: Line] = [:]
  private(set) var bytes: UInt64 = 0
  private(set) var syncs: UInt64 = 0
  private(set) var failures: UInt64 = 0

  static var syncMilliseconds: Double { 100 }
  static var retryMilliseconds: Double { 1_000 }

  private let change: @Sendable (State?, State) -> KeptChange

  /// - Parameter change: what differs; all of it where the first is nil.
  init(change: @escaping @Sendable (State?, State) -> KeptChange) { self.change = change }

  mutating func open(_ journal: Journal, _ room: String) { lines[room] = Line(journal: journal) }

  mutating func put(_ state: State, of room: String, at now: HostTime) {
    lines[room]?.waiting = state
    if lines[room]?.waitsSince == nil { lines[room]?.waitsSince = now }
  }

  mutating func close(_ room: String) { lines[room]?.isClosing = true }

  /// The longest that something waits to be written, in milliseconds.
  func longestWait(at now: HostTime) -> Double {
    lines.values.compactMap { $0.waitsSince.map { now.milliseconds(since: $0) } }.max() ?? 0
  }

  /// When `turn` has something to do; nil while there is nothing.
  var deadline: HostTime? {
    lines.values.flatMap { line -> [HostTime] in
      let write = line.waiting == nil ? nil : line.retry ?? HostTime(nanoseconds: 0)
      return [write, line.syncing == nil ? line.syncDue : nil].compactMap { $0 }
    }.min()
  }

  /// Whether everything lasts that somebody waited for.
  var isFlushed: Bool { lines.values.allSatisfy { !$0.isAwaited && $0.syncing?.isAwaited != true } }

  /// Writes what waits.
  /// - Parameter syncsAll: all of it is to last as soon as can be.
  /// - Returns: rooms that are kept now and were not, or the other way round.
  mutating func turn(at now: HostTime, syncsAll: Bool = false) -> [(room: String, condition: JournalCondition)] {
    var news: [(room: String, condition: JournalCondition)] = []
    for room in lines.keys.sorted() {
      guard var line = lines[room] else { continue }
      let before = line.condition
      do throws(DiskError) {
        try write(&line, at: now, syncsAll: syncsAll)
        line.condition = line.retry == nil ? .kept : line.condition
      } catch {
        fail(&line, error, at: now)
      }
      let isOver = line.isClosing && line.waiting == nil && !line.journal.hasUnsynced && line.syncing == nil
      lines[room] = isOver ? nil : line
      // Another reason is no news: it is the same disk.
      if (line.condition == .kept) != (before == .kept) { news.append((room, line.condition)) }
    }
    return news
  }

  private mutating func fail(_ line: inout Line, _ error: DiskError, at now: HostTime) {
    failures += 1
    line.condition = .failing("\(error)")
    line.retry = now.advanced(byMilliseconds: Self.retryMilliseconds)
    // Nobody knows what is on the disk: everything is written again.
    line.waiting = line.waiting ?? line.written
    line.written = nil
    line.syncDue = nil
    line.isAwaited = false
  }

  /// What is to be run to make last what was written, one for each room at most at a time. Each is
  /// followed by `ended`.
  mutating func startSyncs(at now: HostTime) -> [(room: String, sync: Journal.Sync)] {
    var syncs: [(room: String, sync: Journal.Sync)] = []
    for room in lines.keys.sorted() {
      guard let line = lines[room], line.syncing == nil, let due = line.syncDue, due <= now || line.isClosing,
        let sync = line.journal.sync
      else { continue }
      lines[room]?.syncing = Syncing(sync: sync, isAwaited: line.isAwaited)
      lines[room]?.isAwaited = false
      lines[room]?.syncDue = nil
      syncs.append((room, sync))
    }
    return syncs
  }

  /// A sync was run.
  /// - Returns: what is new, as `turn`.
  mutating func ended(
    _ room: String, _ sync: Journal.Sync, _ result: Result<[String], DiskError>, at now: HostTime
  ) -> [(room: String, condition: JournalCondition)] {
    guard var line = lines[room] else { return [] }
    let before = line.condition
    line.syncing = nil
    syncs += 1
    do throws(DiskError) {
      try line.journal.ended(sync, result)
    } catch {
      fail(&line, error, at: now)
    }
    if !line.journal.hasUnsynced { (line.syncDue, line.isAwaited) = (nil, false) }
    lines[room] = line
    return line.condition == .kept || before != .kept ? [] : [(room, line.condition)]
  }

  private mutating func write(_ line: inout Line, at now: HostTime, syncsAll: Bool) throws(DiskError) {
    if let state = line.waiting, line.retry.map({ $0 <= now || syncsAll }) ?? true {
      // First into the file that there is, where there is one: to write everything takes its time.
      if line.written != nil, line.journal.isOpen {
        let change = change(line.written, state)
        if !change.isEmpty {
          let before = line.journal.byteCount
          try line.journal.append(change)
          bytes += UInt64(line.journal.byteCount - before)
        }
      }
      if line.written == nil || line.journal.needsWhole {
        let whole = change(nil, state)
        try line.journal.begin(whole.items)
        bytes += UInt64(line.journal.byteCount)
      }
      line.written = state
      line.waiting = nil
      line.waitsSince = nil
      line.retry = nil
    }
    guard line.journal.hasUnsynced else { return }
    // The sync that is under way makes last all that there is.
    if let syncing = line.syncing, line.journal.isAllOf(syncing.sync) {
      if syncsAll { line.syncing?.isAwaited = true }
      return
    }
    line.syncDue = line.syncDue ?? now.advanced(byMilliseconds: Self.syncMilliseconds)
    if syncsAll {
      line.isAwaited = true
      line.syncDue = now
    }
  }
}

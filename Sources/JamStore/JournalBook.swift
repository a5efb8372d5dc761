internal import JamCore

/// Whether a room's state is kept on the disk.
public enum JournalCondition: Hashable, Sendable {
  case kept
  /// The disk takes longer to write than a room may wait. If the process ends now, only the latest
  /// changes are lost.
  case late
  /// The state is not kept; the text says why. Writing is tried again each second, and then the
  /// whole state is written.
  case failing(String)
}

/// The journals of all rooms, and the states that wait to be written. A machine without a thread or
/// a clock.
///
/// Only the newest of a room's waiting states is written, so a slow disk makes no queue. A waiting
/// state stays until it is written. The book itself only writes. Another thread runs the syncs
/// (`startSyncs`), which make the written bytes survive a loss of power.
/// Thread: any, but one at a time.
struct JournalBook<State: Sendable> {
  struct Line {
    let journal: Journal
    /// The state that was written last; nil means that the whole state has to be written.
    var written: State?
    var waiting: State?
    var condition = JournalCondition.kept
    var retry: HostTime?
    var waitsSince: HostTime?
    var syncDue: HostTime?
    /// The sync that is running.
    var syncing: Syncing?
    /// Somebody waits until everything that was written so far survives a loss of power.
    var isAwaited = false
    /// The journal closes when nothing waits any more.
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

  /// - Parameter change: the difference of two states; the whole second state where the first is
  ///   nil.
  init(change: @escaping @Sendable (State?, State) -> KeptChange) { self.change = change }

  mutating func open(_ journal: Journal, _ room: String) { lines[room] = Line(journal: journal) }

  mutating func put(_ state: State, of room: String, at now: HostTime) {
    lines[room]?.waiting = state
    if lines[room]?.waitsSince == nil { lines[room]?.waitsSince = now }
  }

  mutating func close(_ room: String) { lines[room]?.isClosing = true }

  /// How long the oldest waiting state has waited, in milliseconds.
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

  /// Whether everything that somebody waits for survives a loss of power.
  var isFlushed: Bool { lines.values.allSatisfy { !$0.isAwaited && $0.syncing?.isAwaited != true } }

  /// Writes the waiting states.
  /// - Parameter syncsAll: sync everything as soon as possible.
  /// - Returns: the rooms whose condition changed from kept to not kept, or back.
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
      // Another reason for not being kept is no news, because it is the same disk.
      if (line.condition == .kept) != (before == .kept) { news.append((room, line.condition)) }
    }
    return news
  }

  private mutating func fail(_ line: inout Line, _ error: DiskError, at now: HostTime) {
    failures += 1
    line.condition = .failing("\(error)")
    line.retry = now.advanced(byMilliseconds: Self.retryMilliseconds)
    // After a failure nobody knows what is on the disk, so the whole state is written again.
    line.waiting = line.waiting ?? line.written
    line.written = nil
    line.syncDue = nil
    line.isAwaited = false
  }

  /// The syncs to run now, at most one for each room at a time. Call `ended` after each.
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

  /// Records the result of a sync.
  /// - Returns: changed conditions, as `turn`.
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
      // The change goes into the existing file first, where there is one, because writing the whole
      // state takes time.
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
    // The running sync already covers everything that was written.
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

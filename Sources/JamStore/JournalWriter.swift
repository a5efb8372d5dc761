public import JamCore
internal import JamRealtime
internal import Synchronization

/// Writes the journals of all rooms on a thread of its own. A disk that is slow, full or gone
/// delays nobody else.
///
/// A posted state is written within about 20 ms, so that it survives the end of the process. A
/// second thread syncs it, within another 100 ms where the disk is fast enough, so that it survives
/// a loss of power. A disk that takes a second for a sync delays no write. While a write itself
/// takes long, its room is `late`.
/// Thread: call `start()` and `close()` from one thread; the rest from any. Only `flush` and
/// `close()` wait for the disk.
public final class JournalWriter<State: Sendable>: Sendable {
  public struct Figures: Sendable {
    public var bytes: UInt64 = 0
    public var syncs: UInt64 = 0
    public var failures: UInt64 = 0
    /// How long the oldest waiting state has waited, in milliseconds.
    public var longestWait = 0.0
    /// The rooms that are not kept now, and why.
    public var failing: [String: String] = [:]
  }

  private enum Order: Sendable {
    case open(Box, room: String)
    case close(room: String)
  }

  // Unchecked: the thread that opened a journal hands it to the writer's thread, and keeps no
  // reference.
  private struct Box: @unchecked Sendable { let journal: Journal }

  private struct Inbox {
    var orders: [Order] = []
    var states: [String: State] = [:]
    var isClosing = false
    var wantsAll = false
    var figures = Figures()
    /// The rooms whose states are being written, with the moment since which each has waited.
    var writing: [String: HostTime] = [:]
    /// The moment when the oldest of a room's unwritten states was posted.
    var posted: [String: HostTime] = [:]
    var late: Set<String> = []
    var ended: [Ended] = []
  }

  private struct Ended: Sendable {
    var room: String
    var sync: Journal.Sync
    var result: Result<[String], DiskError>
  }

  private struct Syncs {
    var waiting: [(room: String, sync: Journal.Sync)] = []
    var isClosing = false
  }

  private let inbox = Mutex(Inbox())
  private let syncs = Mutex(Syncs())
  private let thread = RealtimeThread(name: "bandshell-journal")
  private let syncThread = RealtimeThread(name: "bandshell-sync")
  private let wake = WakeSignal()
  private let wakeSync = WakeSignal()
  private let done = WakeSignal()
  private let change: @Sendable (State?, State) -> KeptChange
  private let told: @Sendable (String, JournalCondition) -> Void

  private static var restMilliseconds: Double { 20 }
  /// A state that waits longer to be written is late.
  private static var lateMilliseconds: Double { 100 }

  /// - Parameters:
  ///   - change: the difference of two states of a room; the whole second state where the first is
  ///     nil.
  ///   - told: gets every change of a room's condition, on any thread and one at a time. It must
  ///     not post.
  public init(
    change: @escaping @Sendable (State?, State) -> KeptChange,
    told: @escaping @Sendable (String, JournalCondition) -> Void
  ) {
    self.change = change
    self.told = told
  }

  public func start() {
    syncThread.start { [self] in sync() }
    thread.start { [self] in run() }
  }

  /// Takes over a journal. Nobody else may use it from now on.
  public func open(_ journal: sending Journal, of room: String) {
    let box = Box(journal: journal)
    inbox.withLock { $0.orders.append(.open(box, room: room)) }
  }

  /// Posts the room's current state. Its earlier states need not be written any more.
  public func post(_ state: State, of room: String) {
    let now = HostTime.now
    let isNew = inbox.withLock { inbox in
      defer { inbox.states[room] = state }
      inbox.posted[room] = inbox.posted[room] ?? now
      tellLate(&inbox, at: now)
      return inbox.states.isEmpty
    }
    if isNew { wake.raise() }
  }

  /// Reports rooms whose states wait too long for the disk. `post` does so as well. Call this now
  /// and then, in case nothing is posted.
  public func tellLate() { inbox.withLock { tellLate(&$0, at: .now) } }

  private func tellLate(_ inbox: inout Inbox, at now: HostTime) {
    // A state that was posted during a slow write waits as long as that write.
    let waiting = inbox.posted.merging(inbox.writing) { min($0, $1) }
    for (room, since) in inbox.writing.isEmpty ? [:] : waiting
    where now.milliseconds(since: since) > Self.lateMilliseconds && !inbox.late.contains(room)
      && inbox.figures.failing[room] == nil
    {
      inbox.late.insert(room)
      told(room, .late)
    }
  }

  /// Writes the room's last posted state, and then closes its journal.
  public func close(_ room: String) {
    inbox.withLock { $0.orders.append(.close(room: room)) }
    wake.raise()
  }

  /// Waits until everything that was posted survives a loss of power. Thread: any that may wait.
  public func flush(atMostMilliseconds: Double) {
    let ticket = done.ticket
    inbox.withLock { $0.wantsAll = true }
    wake.raise()
    done.wait(since: ticket, atMostMilliseconds: atMostMilliseconds)
  }

  /// Writes the remaining states, and ends the threads.
  public func close() {
    let wasRunning = inbox.withLock { inbox in
      defer { inbox.isClosing = true }
      return !inbox.isClosing
    }
    guard wasRunning else { return }
    wake.raise()
    thread.join()
    syncs.withLock { $0.isClosing = true }
    wakeSync.raise()
    syncThread.join()
  }

  public var figures: Figures {
    inbox.withLock { inbox in
      let now = HostTime.now
      var figures = inbox.figures
      let waits = (Array(inbox.writing.values) + inbox.posted.values).map { now.milliseconds(since: $0) }
      figures.longestWait = max(figures.longestWait, waits.max() ?? 0)
      return figures
    }
  }

  private func run() {
    var book = JournalBook<State>(change: change)
    var isAwaited = false
    while true {
      let ticket = wake.ticket
      let (orders, states, ended, wantsAll, isClosing) = inbox.withLock { inbox in
        defer {
          inbox.orders = []
          inbox.states = [:]
          inbox.writing = inbox.posted
          inbox.posted = [:]
          inbox.ended = []
          inbox.wantsAll = false
        }
        return (inbox.orders, inbox.states, inbox.ended, inbox.wantsAll, inbox.isClosing)
      }
      var closing: [String] = []
      for order in orders {
        switch order {
        case .open(let box, let room): book.open(box.journal, room)
        case .close(let room): closing.append(room)
        }
      }
      let now = HostTime.now
      var news = ended.flatMap { book.ended($0.room, $0.sync, $0.result, at: now) }
      for (room, state) in states { book.put(state, of: room, at: now) }
      for room in closing { book.close(room) }
      news += book.turn(at: now, syncsAll: wantsAll || isClosing)
      note(book, news)
      order(book.startSyncs(at: now))
      isAwaited = isAwaited || wantsAll
      if isAwaited, book.isFlushed {
        isAwaited = false
        done.raise()
      }
      if isClosing, book.isFlushed { return }
      rest(book, since: ticket)
    }
  }

  /// Takes rooms off the list of late ones when their states are written.
  private func note(_ book: JournalBook<State>, _ news: [(room: String, condition: JournalCondition)]) {
    var figures = Figures(
      bytes: book.bytes, syncs: book.syncs, failures: book.failures, longestWait: book.longestWait(at: .now))
    for (room, line) in book.lines {
      if case .failing(let words) = line.condition { figures.failing[room] = words }
    }
    inbox.withLock { inbox in
      inbox.figures = figures
      inbox.writing = [:]
      let now = HostTime.now
      for room in inbox.late.subtracting(news.map(\.room)) {
        if let posted = inbox.posted[room], now.milliseconds(since: posted) > Self.lateMilliseconds { continue }
        inbox.late.remove(room)
        if figures.failing[room] == nil { told(room, .kept) }
      }
      inbox.late.subtract(news.map(\.room))
      for (room, condition) in news { told(room, condition) }
    }
  }

  private func order(_ new: [(room: String, sync: Journal.Sync)]) {
    guard !new.isEmpty else { return }
    syncs.withLock { $0.waiting += new }
    wakeSync.raise()
  }

  /// The second thread. It runs syncs, which wait for the disk, and has no other work.
  private func sync() {
    while true {
      let ticket = wakeSync.ticket
      let (waiting, isClosing) = syncs.withLock { syncs in
        defer { syncs.waiting = [] }
        return (syncs.waiting, syncs.isClosing)
      }
      for (room, sync) in waiting {
        let result = Result { () throws(DiskError) in try sync.run() }
        inbox.withLock { $0.ended.append(Ended(room: room, sync: sync, result: result)) }
        wake.raise()
      }
      if waiting.isEmpty {
        if isClosing { return }
        wakeSync.wait(since: ticket, atMostMilliseconds: 60_000)
      }
    }
  }

  /// Waits until something is posted or due. Then it waits a little longer, so that states that are
  /// posted shortly after each other are written together.
  private func rest(_ book: JournalBook<State>, since ticket: UInt32) {
    let now = HostTime.now
    let due = book.deadline.map { max(1, $0.milliseconds(since: now)) } ?? 60_000
    if due > Self.restMilliseconds { wake.wait(since: ticket, atMostMilliseconds: min(due, 60_000)) }
    guard !inbox.withLock({ $0.isClosing || $0.wantsAll || !$0.ended.isEmpty }) else { return }
    let short = WakeSignal()
    short.wait(since: short.ticket, atMostMilliseconds: min(max(1, due), Self.restMilliseconds))
  }
}

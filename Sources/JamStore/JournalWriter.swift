public import JamCore
internal import JamRealtime
internal import Synchronization

/// Writes the journals of all rooms, on a thread of its own: a disk that is slow, full or gone holds nobody up.
///
/// What is posted is written within some 20 ms, so that it outlives the process, and lasts within 100 ms more, so that it outlives the
/// machine's power.
/// Thread: start and close from one; the rest any, and none of it waits for the disk.
public final class JournalWriter<State: Sendable>: Sendable {
  public struct Figures: Sendable {
    public var bytes: UInt64 = 0
    public var syncs: UInt64 = 0
    public var failures: UInt64 = 0
    /// How long what waits longest has waited, in milliseconds.
    public var longestWait = 0.0
    /// The rooms that are not kept now, and why.
    public var failing: [String: String] = [:]
  }

  private enum Order: Sendable {
    case open(Box, room: String)
    case close(room: String)
  }

  // Unchecked: a journal is handed from the thread that opened it to the writer's, and nobody keeps it.
  private struct Box: @unchecked Sendable { let journal: Journal }

  private struct Inbox {
    var orders: [Order] = []
    var states: [String: State] = [:]
    var isClosing = false
    var wantsAll = false
    var figures = Figures()
  }

  private let inbox = Mutex(Inbox())
  private let thread = RealtimeThread(name: "bandshell-journal")
  private let wake = WakeSignal()
  private let done = WakeSignal()
  private let change: @Sendable (State?, State) -> KeptChange
  private let told: @Sendable (String, JournalCondition) -> Void

  private static var restMilliseconds: Double { 20 }

  /// - Parameters:
  ///   - change: what differs between two states of a room; all of it where the first is nil.
  ///   - told: gets every change of a room's condition, on the writer's thread.
  public init(
    change: @escaping @Sendable (State?, State) -> KeptChange,
    told: @escaping @Sendable (String, JournalCondition) -> Void
  ) {
    self.change = change
    self.told = told
  }

  public func start() { thread.start { [self] in run() } }

  /// The journal is the writer's from now on: nobody else may use it.
  public func open(_ journal: sending Journal, of room: String) {
    let box = Box(journal: journal)
    inbox.withLock { $0.orders.append(.open(box, room: room)) }
  }

  /// The room is as `state` says, from now on; what it was before need not be written.
  public func post(_ state: State, of room: String) {
    let isNew = inbox.withLock { inbox in
      defer { inbox.states[room] = state }
      return inbox.states.isEmpty
    }
    if isNew { wake.raise() }
  }

  /// What was posted of the room is written, and its journal let go of.
  public func close(_ room: String) {
    inbox.withLock { $0.orders.append(.close(room: room)) }
    wake.raise()
  }

  /// Waits until all that was posted lasts. Thread: any that may wait.
  public func flush(atMostMilliseconds: Double) {
    let ticket = done.ticket
    inbox.withLock { $0.wantsAll = true }
    wake.raise()
    done.wait(since: ticket, atMostMilliseconds: atMostMilliseconds)
  }

  /// Writes what is left, and ends the thread.
  public func close() {
    let wasRunning = inbox.withLock { inbox in
      defer { inbox.isClosing = true }
      return !inbox.isClosing
    }
    guard wasRunning else { return }
    wake.raise()
    thread.join()
  }

  public var figures: Figures { inbox.withLock { $0.figures } }

  private func run() {
    var book = JournalBook<State>(change: change)
    while true {
      let ticket = wake.ticket
      let (orders, states, wantsAll, isClosing) = inbox.withLock { inbox in
        defer {
          inbox.orders = []
          inbox.states = [:]
          inbox.wantsAll = false
        }
        return (inbox.orders, inbox.states, inbox.wantsAll, inbox.isClosing)
      }
      var closing: [String] = []
      for order in orders {
        switch order {
        case .open(let box, let room): book.open(box.journal, room)
        case .close(let room): closing.append(room)
        }
      }
      let now = HostTime.now
      for (room, state) in states { book.put(state, of: room, at: now) }
      for room in closing { book.close(room) }
      for (room, condition) in book.turn(at: now, syncsAll: wantsAll || isClosing) { told(room, condition) }
      note(book)
      if wantsAll { done.raise() }
      if isClosing { return }
      rest(book, since: ticket)
    }
  }

  private func note(_ book: JournalBook<State>) {
    var figures = Figures(
      bytes: book.bytes, syncs: book.syncs, failures: book.failures, longestWait: book.longestWait(at: .now))
    for (room, line) in book.lines {
      if case .failing(let words) = line.condition { figures.failing[room] = words }
    }
    inbox.withLock { $0.figures = figures }
  }

  /// Until something is posted or due; and a little longer, so that what comes together is written together.
  private func rest(_ book: JournalBook<State>, since ticket: UInt32) {
    let now = HostTime.now
    let due = book.deadline.map { max(1, $0.milliseconds(since: now)) } ?? 60_000
    if due > Self.restMilliseconds { wake.wait(since: ticket, atMostMilliseconds: min(due, 60_000)) }
    guard !inbox.withLock({ $0.isClosing || $0.wantsAll }) else { return }
    let short = WakeSignal()
    short.wait(since: short.ticket, atMostMilliseconds: min(max(1, due), Self.restMilliseconds))
  }
}

import JamCore
import JamRealtime
import Synchronization

/// The thread for work that may wait: it writes the scores of all rooms, frees closed rooms, and
/// checks now and then for events that belong into the log.
///
/// One thread serves all rooms, with ordinary scheduling. So no room's thread has to wait for a
/// disk or for a worker.
/// Thread: call `start` and `close` from one thread; the rest from any.
package final class MaintenanceThread: Sendable {
  private struct State {
    var journals: [ObjectIdentifier: TakeRecorder] = [:]
    var work: [@Sendable () -> Void] = []
    var watches: [@Sendable () -> Void] = []
    var closing = Closing.no
    var wantsSave = false
  }

  private enum Closing { case no, asked, over }

  private let state = Mutex(State())
  private let thread = RealtimeThread(name: "bandshell-maint")
  private let wake = WakeSignal()
  private let done = WakeSignal()
  private static let turnMilliseconds = 1_000.0

  package func start() { thread.start { [self] in run() } }

  /// Writes the journal once a second from now on.
  func add(_ journal: TakeRecorder) {
    state.withLock { $0.journals[ObjectIdentifier(journal)] = journal }
    wake.raise()
  }

  /// Writes the journal's last entries and forgets it.
  func finish(_ journal: TakeRecorder) {
    submit { [self] in
      journal.finish()
      state.withLock { $0.journals[ObjectIdentifier(journal)] = nil }
    }
  }

  /// Runs `work` on the thread, after the work that was submitted before. The queue has no limit of
  /// its own: the callers limit their work.
  func submit(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.work.append(work) }
    wake.raise()
  }

  /// Calls `look` once a second from now on.
  package func watch(_ look: @escaping @Sendable () -> Void) { state.withLock { $0.watches.append(look) } }

  /// Writes all entries that the journals have so far, and waits until that is done.
  package func saveAll(atMostMilliseconds: Double) {
    let ticket = done.ticket
    state.withLock { $0.wantsSave = true }
    wake.raise()
    done.wait(since: ticket, atMostMilliseconds: atMostMilliseconds)
  }

  /// Does the remaining work, finishes every journal and ends the thread. Call this when the rooms
  /// have fallen silent.
  package func close() {
    let wasRunning = state.withLock { state in
      defer { state.closing = .asked }
      return state.closing == .no
    }
    guard wasRunning else { return }
    wake.raise()
    thread.join()
  }

  private func run() {
    var nextTurn = HostTime.now
    while true {
      let ticket = wake.ticket
      let (work, isClosing, wantsSave) = state.withLock { state in
        defer {
          state.work = []
          state.wantsSave = false
        }
        return (state.work, state.closing != .no, state.wantsSave)
      }
      for item in work { item() }
      let journals = state.withLock { Array($0.journals.values) }
      if isClosing { return journals.forEach { $0.finish() } }
      if wantsSave {
        for journal in journals { journal.writeAll() }
        done.raise()
      }
      let now = HostTime.now
      if now >= nextTurn {
        for journal in journals { journal.turn() }
        for look in state.withLock({ $0.watches }) { look() }
        nextTurn = now.advanced(byMilliseconds: MaintenanceThread.turnMilliseconds)
      }
      wake.wait(since: ticket, atMostMilliseconds: max(1, nextTurn.milliseconds(since: .now)))
    }
  }

  package init() {
  }
}

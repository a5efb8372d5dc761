import Glibc
import JamCore
import JamRealtime
import JamRoom
import JamWire
import Synchronization

/// Writes down what a room plays, as a SCORE that `bandshell render` turns into the same samples again.
///
/// Entries wait a second, so that the engine's word on late ones is in, and then go to the file in the order of their numbers.
/// Thread: the room's; the file is written on a thread of its own.
final class ScoreJournal: RoomJournal {
  private struct Page {
    var entries: [LogEntry] = []
    var corrections: [UInt64: Frames] = [:]
    var withdrawn: Set<UInt64> = []
    /// Entries before this index were taken down a whole turn ago.
    var settled = 0
  }

  private let page = Mutex(Page())
  let file: Int32
  private let writer = RealtimeThread(name: "bandshell-score")
  private let wake = WakeSignal()
  private let isClosing = Atomic<Bool>(false)

  /// - Parameters:
  ///   - path: a new file.
  ///   - room: its name.
  ///   - tempo: what it begins with.
  init(path: String, room: PlayerName, tempo: Tempo) throws(HouseError) {
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw HouseError("cannot write \(path) (\(String(cString: strerror(errno)))): check --data", .unavailable)
    }
    append(ScoreJournal.begin(room, tempo))
    writer.start { [self] in run() }
  }

  func record(_ entry: LogEntry) { page.withLock { $0.entries.append(entry) } }

  func correct(sequence: UInt64, frame: Frames) { page.withLock { $0.corrections[sequence] = frame } }

  func withdraw(sequence: UInt64) { page.withLock { _ = $0.withdrawn.insert(sequence) } }

  /// Writes what is left. Call it when the room has fallen silent.
  func close() {
    isClosing.store(true, ordering: .releasing)
    wake.raise()
    writer.join()
  }

  private func run() {
    while true {
      let ticket = wake.ticket
      if isClosing.load(ordering: .acquiring) { break }
      wake.wait(since: ticket, atMostMilliseconds: 1_000)
      turn()
    }
    turn()
    turn()
    Glibc.close(file)
  }

  /// Writes the entries that had a whole turn to be corrected.
  private func turn() {
    let ready = page.withLock { page -> [LogEntry] in
      let ready = page.entries.prefix(page.settled).compactMap { entry -> LogEntry? in
        let frame = page.corrections.removeValue(forKey: entry.sequence)
        guard page.withdrawn.remove(entry.sequence) == nil else { return nil }
        var entry = entry
        entry.frame = frame ?? entry.frame
        return entry
      }
      page.entries.removeFirst(page.settled)
      page.settled = page.entries.count
      return ready
    }
    guard !ready.isEmpty else { return }
    append(ready.flatMap(ScoreJournal.bytes))
  }
}

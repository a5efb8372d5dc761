import Dispatch
import Glibc
import JamCore
import JamRoom
import JamWire
import Synchronization

/// Writes down what a room plays, as a SCORE that `bandshell render` turns into the same samples again.
///
/// Entries wait a second, so that the engine's word on late ones is in, and then go to the file in the order of their numbers.
/// Thread: the room's; the file is written on a queue of its own.
final class ScoreJournal: RoomJournal {
  private struct Page {
    var entries: [LogEntry] = []
    var corrections: [UInt64: Frames] = [:]
    var withdrawn: Set<UInt64> = []
    /// Entries before this index were taken down a whole turn ago.
    var settled = 0
  }

  private let page = Mutex(Page())
  private let file: Int32
  private let queue = DispatchQueue(label: "bandshell.score")
  private let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - path: a new file.
  ///   - tempo: what the room begins with.
  init(path: String, tempo: Tempo) throws(HouseError) {
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw HouseError("cannot write \(path) (\(String(cString: strerror(errno)))): check --data", .unavailable)
    }
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    append(ScoreJournal.begin(tempo))
    timer.setEventHandler { [weak self] in self?.turn() }
    timer.resume()
  }

  func record(_ entry: LogEntry) { page.withLock { $0.entries.append(entry) } }

  func correct(sequence: UInt64, frame: Frames) { page.withLock { $0.corrections[sequence] = frame } }

  func withdraw(sequence: UInt64) { page.withLock { _ = $0.withdrawn.insert(sequence) } }

  /// Writes what is left. Call it when the room has fallen silent.
  func close() {
    timer.cancel()
    queue.sync {
      turn()
      turn()
      Glibc.close(file)
    }
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

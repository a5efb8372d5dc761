import Glibc
import JamCommand
import JamCore
import JamRoom
import JamWire
import Synchronization

/// Writes down what a room plays, as a SCORE that `bandshell render` turns into the same samples again.
///
/// Entries wait a second, so that the engine's word on late ones is in, and then go to the file in the order of their numbers.
/// Thread: what a room tells, the room's; `turn` and `finish`, the one that keeps the house.
final class ScoreJournal: RoomJournal, @unchecked Sendable {
  // Unchecked: `file` is touched by the house keeping thread alone.
  private struct Page {
    var entries: [LogEntry] = []
    var corrections: [UInt64: Frames] = [:]
    var withdrawn: Set<UInt64> = []
    /// Entries before this index were taken down a whole turn ago.
    var settled = 0
  }

  private enum File {
    case new
    case open(Int32)
    /// It could not be opened, or is finished.
    case closed
  }

  /// The server's own: what is played is nobody else's on the machine.
  private static let permissions: mode_t = 0o600
  private let page = Mutex(Page())
  private var file = File.new
  private let path: String
  private let tempo: Tempo
  let room: PlayerName
  let log: any ServerLog

  /// - Parameters:
  ///   - path: a new file, made with the first turn.
  ///   - room: its name.
  ///   - tempo: what it begins with.
  init(path: String, room: PlayerName, tempo: Tempo, log: any ServerLog = NoLog()) {
    self.path = path
    self.tempo = tempo
    self.room = room
    self.log = log
  }

  deinit { if case .open(let descriptor) = file { close(descriptor) } }

  func record(_ entry: LogEntry) { page.withLock { $0.entries.append(entry) } }

  func correct(sequence: UInt64, frame: Frames) { page.withLock { $0.corrections[sequence] = frame } }

  func withdraw(sequence: UInt64) { page.withLock { _ = $0.withdrawn.insert(sequence) } }

  /// Writes the entries that had a whole turn to be corrected. Call it once a second.
  func turn() {
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
    guard let descriptor = opened(), !ready.isEmpty else { return }
    append(ready.flatMap(ScoreJournal.bytes), to: descriptor)
  }

  /// Writes everything that was told, whether it may still be corrected or not.
  func writeAll() {
    turn()
    turn()
  }

  /// Writes what is left and closes the file. Call it when the room has fallen silent.
  func finish() {
    writeAll()
    if case .open(let descriptor) = file { close(descriptor) }
    file = .closed
  }

  private func opened() -> Int32? {
    switch file {
    case .open(let descriptor): return descriptor
    case .closed: return nil
    case .new: break
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ScoreJournal.permissions)
    guard descriptor >= 0 else {
      file = .closed
      log.write(
        .journalFailed,
        ["room": LogValue(room), "reason": "cannot write \(path) (\(SystemError.text(errno))): check --data"])
      return nil
    }
    file = .open(descriptor)
    append(ScoreJournal.begin(room, tempo), to: descriptor)
    log.write(.journalOpened, ["room": LogValue(room), "file": .text(path)])
    return descriptor
  }
}

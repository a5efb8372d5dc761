import Glibc
package import JamCore
import JamRealtime
import Synchronization

/// A server's log, on standard error.
///
/// A thread of its own formats and writes the lines, so that a pipe that nobody reads, or a slow
/// terminal, delays nobody else.
/// Thread: any but those that render; open and close from one.
package final class LogWriter: ServerLog {
  private let format: LogFormat
  private let level: LogLevel
  private let descriptor: Int32
  private let book: Mutex<LogBook>
  private let announcements = Mutex<[UInt8]>([])
  private let thread = RealtimeThread(name: "bandshell-log")
  private let wake = WakeSignal()
  private let ended = WakeSignal()
  private let isClosing = Atomic<Bool>(false)
  private let hasStarted = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)

  /// The longest time that the last lines may take.
  static let closingMilliseconds = 1_000.0
  private static let lookEveryMilliseconds = 1_000.0
  private static let idleMilliseconds = 60_000.0
  /// Lines are joined up to this many bytes. A pipe takes a write of this size in one piece (POSIX
  /// PIPE_BUF).
  private static let bytesAtOnce = 4_096

  /// - Parameter descriptor: the file that gets the lines; it stays open.
  package init(format: LogFormat, level: LogLevel, descriptor: Int32) {
    self.format = format
    self.level = level
    self.descriptor = descriptor
    book = Mutex(LogBook(level: level))
  }

  package func start() {
    hasStarted.store(true, ordering: .relaxed)
    thread.start { [self] in run() }
  }

  package func write(_ event: LogEvent) {
    let isNew = book.withLock { $0.offer(event, at: .now, time: LogStamp.now) }
    if isNew { wake.raise() }
  }

  package func takes(_ kind: LogKind) -> Bool { kind.level >= level }

  /// Whether lines for people may be in the log. Where programs read it, every line has to be an
  /// event.
  package var isForPeople: Bool { format == .text || isatty(descriptor) != 0 }

  /// Writes lines for people, unchanged.
  package func announce(_ lines: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    announcements.withLock { $0 += Array(text.utf8) }
    wake.raise()
  }

  /// Writes the remaining lines, and waits for that a second at most, because nobody may be
  /// reading.
  package func close() {
    guard hasStarted.load(ordering: .relaxed) else { return }
    let ticket = ended.ticket
    isClosing.store(true, ordering: .releasing)
    wake.raise()
    if !isOver {
      ended.wait(since: ticket, atMostMilliseconds: LogWriter.closingMilliseconds)
    }
    if isOver { thread.join() }
  }

  /// Whether everything is written, and the thread has ended.
  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  private func run() {
    while true {
      let ticket = wake.ticket
      let isLast = isClosing.load(ordering: .acquiring)
      let (entries, hasSuppressed) = book.withLock { book in
        (book.take(at: .now, time: LogStamp.now, isLast: isLast), book.hasSuppressed)
      }
      var announcement = announcements.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      put(entries)
      put(&announcement)
      if isLast { break }
      let pause = hasSuppressed ? LogWriter.lookEveryMilliseconds : LogWriter.idleMilliseconds
      if entries.isEmpty { wake.wait(since: ticket, atMostMilliseconds: pause) }
    }
    hasEnded.store(true, ordering: .releasing)
    ended.raise()
  }

  private func put(_ entries: [LogBook.Entry]) {
    var bytes: [UInt8] = []
    for entry in entries {
      let line = Array((format.line(entry.event, at: entry.time) + "\n").utf8)
      if bytes.count + line.count > LogWriter.bytesAtOnce { put(&bytes) }
      bytes += line
    }
    put(&bytes)
  }

  private func put(_ bytes: inout [UInt8]) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      if written > 0 {
        done += written
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, 1_000)
      } else if errno != EINTR {
        // The log itself cannot be written, so this failure cannot be logged.
        break
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}

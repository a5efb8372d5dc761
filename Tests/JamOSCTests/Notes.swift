import JamCore
import Synchronization

/// A log that a test reads.
final class Notes: ServerLog {
  let events = Mutex<[LogEvent]>([])
  func write(_ event: LogEvent) { events.withLock { $0.append(event) } }
}

package import JamCore

/// Finds rooms with new late buffers. A late buffer is a gap that somebody heard, and the operator
/// wants to know of it.
///
/// A machine without I/O. Thread: any, but one at a time.
package struct LateBuffers {
  private var seen: [PlayerName: Int] = [:]

  /// - Parameter counts: the number of late buffers of each open room since it was opened.
  /// - Returns: an event for each room that had late buffers since the last look.
  package mutating func look(_ counts: [PlayerName: Int]) -> [LogEvent] {
    let news = counts.filter { $0.value > seen[$0.key] ?? 0 }
    defer { seen = counts }
    return news.sorted { $0.key.text < $1.key.text }.map { room, count in
      LogEvent(.buffersLate, ["room": LogValue(room), "count": LogValue(count - (seen[room] ?? 0))])
    }
  }

  package init() {
  }
}

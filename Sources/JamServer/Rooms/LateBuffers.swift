package import JamCore

/// What of the rooms' counts of late buffers is news: somebody heard a gap, and whoever runs the server wants to know.
///
/// A machine without I/O. Thread: one at a time.
package struct LateBuffers {
  private var seen: [PlayerName: Int] = [:]

  /// - Parameter counts: late buffers of each open room, since it was opened.
  /// - Returns: an event for each room in which some were late since the last look.
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

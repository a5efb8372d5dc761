import JamCore
import JamRoom

/// Decides which rooms close because nobody has been in them for long enough. A machine without
/// I/O, which gets the rooms' use now and then.
struct Vacancies {
  enum Use {
    /// Somebody plays, listens or watches.
    case inUse
    /// Nobody plays, listens or watches, but a loop that somebody left behind plays on.
    case loops
    case empty
  }

  static let emptyMilliseconds = 60_000.0
  /// Somebody who left a loop playing may come back to it, so the room waits longer.
  static let loopsMilliseconds = 600_000.0

  private var since: [PlayerName: HostTime] = [:]

  /// - Parameter rooms: all rooms that may close.
  /// - Returns: the rooms that close now.
  mutating func look(_ rooms: [(name: PlayerName, use: Use)], at now: HostTime) -> [PlayerName] {
    var vacant: [PlayerName: HostTime] = [:]
    var over: [PlayerName] = []
    for room in rooms where room.use != .inUse {
      let begin = since[room.name] ?? now
      vacant[room.name] = begin
      let patience = room.use == .loops ? Vacancies.loopsMilliseconds : Vacancies.emptyMilliseconds
      if now.milliseconds(since: begin) >= patience { over.append(room.name) }
    }
    since = vacant
    return over
  }
}

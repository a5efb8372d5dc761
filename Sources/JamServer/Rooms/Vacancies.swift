import JamCore
import JamRoom

/// Which rooms nobody has been in for so long that they close: a machine that is shown the rooms now and then.
struct Vacancies {
  enum Use {
    /// Somebody plays, listens or watches.
    case inUse
    /// Nobody does, but a loop that somebody left behind plays on.
    case loops
    case empty
  }

  static let emptyMilliseconds = 60_000.0
  /// Who left a loop playing may come back to it.
  static let loopsMilliseconds = 600_000.0

  private var since: [PlayerName: HostTime] = [:]

  /// - Parameter rooms: all that may close at all.
  /// - Returns: those that close now.
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

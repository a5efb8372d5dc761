import JamKit

/// The machine's wall clock in a running server's `/health`, if it was set since the server's start.
struct SetClock: Equatable {
  /// The last step, in seconds.
  var stepped: Double
  /// The wall clock less the server's clock, in seconds.
  var ahead: Double

  /// - Parameter health: the JSON of `/health`, with or without the answer's head.
  /// - Returns: nil where the clock was not set.
  init?(health: String) {
    let json = Array(health.drop { $0 != "{" }.utf8)
    guard case .object(let facts)? = try? JSONValue(reading: json, of: "/health"),
      case .object(let clock)? = facts["clock"], case .number(let stepped)? = clock["stepped"],
      case .number(let ahead)? = clock["ahead"]
    else { return nil }
    (self.stepped, self.ahead) = (stepped, ahead)
  }

  /// Nil where the wall clock is back where it was at the start.
  var finding: Finding? {
    guard abs(ahead) >= 0.05 else { return nil }
    return .advice(
      "clock: the wall clock is \(ahead) s off the running server's clock; it was set by \(stepped) s at last",
      "the server reads timetags in both clocks, and tells moments in its own: programs that want "
        + "them send /ping, or start the server again")
  }
}

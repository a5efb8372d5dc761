/// The machine's wall clock in a running server's `/health`, if it was set since the server's start.
struct SetClock: Equatable {
  /// The last step, in seconds.
  var stepped: Double
  /// The wall clock less the server's clock, in seconds.
  var ahead: Double

  /// - Parameter health: the JSON of `/health`.
  /// - Returns: nil where the clock was not set.
  init?(health: String) {
    guard let object = health.components(behind: "\"clock\":{"), let stepped = SetClock.number("stepped", in: object),
      let ahead = SetClock.number("ahead", in: object)
    else { return nil }
    (self.stepped, self.ahead) = (stepped, ahead)
  }

  /// Nil where the wall clock is back where it was at the start.
  var finding: Finding? {
    guard abs(ahead) >= 0.05 else { return nil }
    return .advice(
      "clock: the wall clock is \(ahead) s off the running server's clock; it was set by \(stepped) s at last",
      "the server reads timetags in both clocks, and tells moments in its own: programs that want them send /ping, "
        + "or start the server again")
  }

  private static func number(_ key: String, in object: Substring) -> Double? {
    object.components(behind: "\"\(key)\":").flatMap { Double($0.prefix { !",}".contains($0) }) }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The rest behind the first place of `mark`; nil where it is not there.
  fileprivate func components(behind mark: String) -> Substring? {
    firstRange(of: mark).map { self[$0.upperBound...] }
  }
}

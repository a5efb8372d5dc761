import Testing

/// The same that `make fuzz` does a hundred thousand times.
@Suite struct ScheduleFuzzTests {
  private static let kits = FuzzKits()
  /// What `make fuzz` found: a hit that comes in the very frame in which others go out for its line.
  private static let found = [34_281]

  @Test(
    "what is sent ahead with timetags, in any order, gives what it would give sent at its times",
    arguments: Array(0..<200) + found)
  func schedule(seed: Int) {
    for problem in FuzzSchedule.problems(UInt64(seed), Self.kits, isHeard: seed % 4 == 0) {
      Issue.record("\(problem)")
    }
  }
}

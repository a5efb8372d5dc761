import Testing

/// The same that `make fuzz` does a hundred thousand times.
@Suite struct ScheduleFuzzTests {
  private static let kits = FuzzKits()

  @Test(
    "what is sent ahead with timetags, in any order, gives what it would give sent at its times", arguments: 0..<200)
  func schedule(seed: Int) {
    for problem in FuzzSchedule.problems(UInt64(seed), Self.kits, isHeard: seed % 4 == 0) {
      Issue.record("\(problem)")
    }
  }
}

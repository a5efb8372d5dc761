import Testing

/// The same that `make fuzz` does ten million times. A trap ends the whole run: the seed that was played last is printed before.
@Suite struct RoomFuzzTests {
  private static let kits = FuzzKits()

  @Test("whatever is sent at whatever moment, a room goes on, and keeps within its bounds", arguments: 0..<24)
  func room(seed: Int) {
    print("fuzz: room of seed \(seed)")
    var run = FuzzRun(Self.kits, seed: UInt64(seed))
    for problem in run.play(15_000).prefix(4) { Issue.record("\(problem)") }
    // Fewer where a host made everybody a listener or put them out; the rest of a turn then has nobody to play it. How early that
    // happens is chance, and another row in the table is another chance: this says no more than that the room did play.
    #expect(run.commands > 500)
  }
}

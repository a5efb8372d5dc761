import Testing

/// Short ones of the jams that `make fuzz` and `make soak` play for long.
@Suite struct WholeRoomTests {
  private static let kits = RandomKits()
  private static let seconds = 60.0

  @Test(
    "whatever happens to players, packets, disk and server, a jam is kept, ends, is undone and is its score",
    arguments: 0..<12)
  func jam(number: Int) throws {
    let jam = try WholeRoom(number, seconds: Self.seconds, kits: Self.kits)
    for problem in jam.play().prefix(4) { Issue.record("\(problem)") }
    // A number that plays nothing proves nothing.
    #expect(jam.report.commands > 100 && jam.report.voices > 20 && jam.report.undone > 0, "\(jam.report)")
  }

  @Test("the same number twice is the same jam: its log, the engine's commands, and the disk's bytes")
  func sameNumber() throws {
    let jams = try (0..<2).map { _ in try WholeRoom(4, seconds: 12, kits: Self.kits) }
    for jam in jams { _ = jam.play() }
    #expect(jams[0].report == jams[1].report)
    #expect(jams[0].server.room.log == jams[1].server.room.log)
    #expect(RoomDigest(jams[0].server.room.state) == RoomDigest(jams[1].server.room.state))
    #expect(jams[0].report.kills > 0)
  }
}

internal import Glibc
internal import JamCommand

/// The cost of a room that nobody is in. Two servers of this same program run side by side, and one
/// has so many rooms more.
struct IdleRooms {
  var rooms: Int
  var repetitions = 3
  var seconds = 4

  /// - Returns: for one room, the share of a core in percent, and the resident memory.
  func measure() throws -> (percent: [Double], kibibytes: Double) {
    let one = try TestedProgram.server()
    let many = try TestedProgram.server(rooms: (1...rooms).map { "idle-\($0)" })
    // The work of the start is done after this time.
    usleep(1_500_000)
    let percent = (0..<repetitions).map { _ in
      let before = (one.process.cpuSeconds, many.process.cpuSeconds)
      usleep(UInt32(seconds) * 1_000_000)
      let spent = (many.process.cpuSeconds - before.1) - (one.process.cpuSeconds - before.0)
      return spent / Double(rooms * seconds) * 100
    }
    let bytes = many.process.residentBytes - one.process.residentBytes
    return (percent, Double(bytes) / Double(rooms) / 1_024)
  }
}

internal import Glibc
internal import JamCommand

/// What a room costs in which nobody is: two servers of this same program, one with so many rooms more, side by side.
struct IdleRooms {
  var rooms: Int
  var repetitions = 3
  var seconds = 4

  /// - Returns: the share of a core of one room, in percent, and what it has resident.
  func measure() throws -> (percent: [Double], kibibytes: Double) {
    let one = try TestedProgram.server()
    let many = try TestedProgram.server(rooms: (1...rooms).map { "idle-\($0)" })
    // What a start does is done by then.
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

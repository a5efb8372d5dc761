internal import JamCommand
internal import JamCore
internal import JamRealtime

/// A dense room with its players, and an idle room beside it. The two servers and the players are
/// processes of their own.
///
/// Thread: one.
final class DenseStage {
  let room: DenseRoom
  private let server: ChildServer
  private let control: ControlRoom
  private let loads: [PlayerLoad]
  /// The layers that each player has.
  private var layers = 0

  /// The figures at the beginning or at the end of a measurement.
  struct Look {
    var time = HostTime.now
    var server: ServerFigures
    var control: ServerFigures
    var roomSeconds: Double
    var serverSeconds: Double
    var clientSeconds: Double
    var clients: PlayerLoad.Counts
  }

  /// Starts all processes, and waits until the players have joined.
  init(_ room: DenseRoom) throws {
    self.room = room
    control = try ControlRoom()
    let server = try TestedProgram.server(more: ["--bpm", String(DenseRoom.recordingBPM)])
    let share = (room.players + room.processes - 1) / room.processes
    loads = try (0..<room.processes).map { process in
      let first = process * share
      return try PlayerLoad(
        room, players: Range(from: first, to: min(first + share, room.players)), server: server)
    }
    self.server = server
  }

  /// Records layers until each player has `count` of them. After the call the loops have gone round
  /// once at the tempo of measurements.
  func record(upTo count: Int) throws(ChildProcess.Failure) {
    loads[0].setTempo(DenseRoom.recordingBPM)
    for load in loads { load.record(Range(from: layers, to: count)) }
    let seconds = Double(count - layers) * room.passMilliseconds / 1_000
    for load in loads { try load.waitForLoops(withinSeconds: 20 + Int(saturating: seconds)) }
    layers = count
    loads[0].setTempo(DenseRoom.bpm)
    let round = Double(room.bars) * DenseRoom.barMilliseconds(DenseRoom.bpm)
    control.play(until: .now.advanced(byMilliseconds: round + 1_000))
  }

  /// Measures what the rooms do for some seconds.
  func measure(_ seconds: Double) throws(ChildProcess.Failure) -> DenseSpan {
    let before = try look()
    control.play(until: before.time.advanced(byMilliseconds: seconds * 1_000))
    return DenseSpan(before: before, after: try look())
  }

  private func look() throws(ChildProcess.Failure) -> Look {
    var counts = PlayerLoad.Counts()
    for load in loads {
      let more = try load.counts()
      counts.datagrams += more.datagrams
      counts.messages += more.messages
      counts.drops += more.drops
    }
    guard let figures = ServerFigures(port: server.ports.http),
      let idle = ServerFigures(port: control.server.ports.http)
    else { throw ChildProcess.Failure(description: "/metrics does not answer") }
    return Look(
      server: figures, control: idle,
      roomSeconds: server.process.cpuSeconds(ofThread: "bandshell-room"),
      serverSeconds: server.process.cpuSeconds,
      clientSeconds: loads.reduce(0) { $0 + $1.process.cpuSeconds },
      clients: counts)
  }
}

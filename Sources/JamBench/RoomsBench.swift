internal import JamCore
internal import JamEngine
internal import JamRealtime
internal import JamRoom

/// The cost of rooms that are idle, full of loops, or as busy as most rooms are. Also the cost of
/// undo, and the memory that an hour of loops leaves behind.
///
/// Rooms that play are stepped on an offline clock, and the CPU time of each part is measured. So
/// other work on the machine disturbs the figures little.
struct RoomsBench {
  var idleRooms = 64
  var fullPlayers = 64
  var fullLayers = 8
  var busyPlayers = 8
  var busyRooms = 4
  var edits = 10_000
  var minutes = 60
  /// The repetitions of each figure that is measured on the offline clock. Each is one cycle of the
  /// loops.
  var repetitions = 5

  func run() throws -> BenchReport {
    var report = BenchReport(name: "rooms")
    // This comes first, while the process has no free memory of its own to grow into.
    let growth = try LoopHour(players: busyPlayers, minutes: minutes).run()
    try idle(&report)
    try full(&report)
    try busy(&report)
    let undo = try UndoBench(players: fullPlayers, layers: fullLayers, edits: edits).run()
    report.rows.append(
      BenchRow("undo of each of \(edits) edits in a full room", unit: "ms", values: undo, target: .atMost(5)))
    report.rows.append(
      BenchRow("  the slowest of them", unit: "ms", values: [undo.max() ?? 0], target: .atMost(5)))
    report.rows.append(
      BenchRow(
        "growth over \(minutes) minutes of loops and edits", unit: "MiB", values: [growth], target: .atMost(40)))
    report.notes += [
      """
      Full: \(fullPlayers) players, each with a four-bar loop of \(fullLayers) layers of 64 hits at 120 bpm; \
      stereo sounds of 200 ms, resampled. Busy: \(busyPlayers) players, each with two such layers, \
      2.75 hits a second by hand, and an edit every two.
      """,
      "CPU time of the room's and the engine's work alone: waking the threads and telling clients come on top.",
      "Growth: everything but the tape of the mix; voices are not rendered meanwhile.",
    ]
    return report
  }

  private func idle(_ report: inout BenchReport) throws {
    let figures = try IdleRooms(rooms: idleRooms).measure()
    report.rows.append(
      BenchRow("an idle room", unit: "% of a core", values: figures.percent, target: .atMost(0.1)))
    report.rows.append(BenchRow("  resident for each", unit: "KiB", values: [figures.kibibytes]))
  }

  private func full(_ report: inout BenchReport) throws {
    var voices: [Double] = []
    var wakes: [Double] = []
    let (figures, stolen, late) = try RoomThread.running { thread in
      let room = try SteppedRoom(thread, kit: LoopKit.make(), players: fullPlayers)
      let script = LoopScript(players: fullPlayers, layers: fullLayers)
      room.play(script.lines)
      // While the loops are recorded, the voices are dropped, because that rendering is not
      // measured.
      room.run(until: script.end - .seconds(1), isSilent: true)
      room.run(until: script.end + .seconds(1))
      let status = room.parts.engine.status
      let before = (status.stolenVoices, status.lateCommands)
      let figures = (0..<repetitions).map { _ in
        room.spent = SteppedRoom.Spent()
        room.run(until: room.now + LoopScript.pass)
        return room.spent
      }
      return (figures, status.stolenVoices - before.0, status.lateCommands - before.1)
    }
    voices = figures.map { Double($0.voices) / Double($0.buffers) }
    wakes = figures.map { Double($0.turns) / $0.seconds }
    report.rows += [
      BenchRow(
        "a full room: rendering", unit: "% of a core", values: figures.map { $0.render / $0.seconds * 100 },
        target: .atMost(50)),
      BenchRow(
        "  its loops, on the room thread", unit: "% of a core", values: figures.map { $0.room / $0.seconds * 100 },
        target: .atMost(5)),
      BenchRow("  turns of the room thread", unit: "a second", values: wakes),
      BenchRow("  voices that sound", unit: "", values: voices),
      BenchRow("  voices stolen", unit: "", values: [Double(stolen)], target: .atMost(0)),
      BenchRow("  late commands", unit: "", values: [Double(late)], target: .atMost(0)),
    ]
  }

  private func busy(_ report: inout BenchReport) throws {
    let figures = try RoomThread.running { thread in
      let kit = LoopKit.make()
      var jams = try (0..<busyRooms).map { try BusyJam(thread, kit: kit, players: busyPlayers, seed: UInt64($0)) }
      for i in jams.indices { jams[i].begin() }
      return (0..<repetitions).map { _ in
        for i in jams.indices { jams[i].room.spent = SteppedRoom.Spent() }
        // The rooms run in turns, one buffer at a time, as on a worker. So no room finds its memory
        // in the cache.
        let end = jams[0].room.now + LoopScript.pass
        while jams[0].room.now < end { for i in jams.indices { jams[i].run(until: jams[i].room.now + .buffer) } }
        return jams.map(\.room.spent)
      }
    }
    let rooms = figures.map { spent in
      spent.reduce(0) { $0 + $1.seconds } / spent.reduce(0) { $0 + $1.room + $1.render }
    }
    report.rows.append(BenchRow("busy rooms on a core", unit: "", values: rooms))
    report.rows.append(
      BenchRow(
        "  rendering each", unit: "% of a core",
        values: figures.map { spent in spent.reduce(0) { $0 + $1.render / $1.seconds } / Double(spent.count) * 100 }))
    report.rows.append(
      BenchRow(
        "  voices that sound in each", unit: "",
        values: figures.map { spent in spent.reduce(0) { $0 + Double($1.voices) / Double($1.buffers * spent.count) } })
    )
  }
}

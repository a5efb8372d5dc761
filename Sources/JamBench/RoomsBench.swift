internal import JamCore
internal import JamEngine
internal import JamRealtime
internal import JamRoom

/// The cost of rooms that are idle, full of loops, or as busy as most rooms are. Also whether dense
/// rooms are in time, the cost of undo, and the memory that an hour of loops leaves behind.
///
/// Full and busy rooms are stepped on an offline clock, and the CPU time of each part is measured.
/// So other work on the machine disturbs the figures little. Dense rooms are live (`DenseRooms`):
/// an offline clock waits for the room, so nothing is late there.
struct RoomsBench {
  var parts = Set(RoomsPart.allCases)
  var dense = DenseRooms()
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
    let hour = LoopHour(players: busyPlayers, minutes: minutes)
    let growth = parts.contains(.growth) ? try hour.run() : nil
    if parts.contains(.idle) { try idle(&report) }
    if parts.contains(.full) { try full(&report) }
    if parts.contains(.busy) { try busy(&report) }
    if parts.contains(.lines) { report.rows += try dense.measure(.lines) }
    if parts.contains(.crowd) { report.rows += try dense.measure(.crowd) }
    if parts.contains(.undo) { try undo(&report) }
    if let growth {
      report.rows.append(
        BenchRow(
          "growth over \(minutes) minutes of loops and edits", unit: "MiB", values: [growth],
          target: .atMost(40)))
    }
    report.notes = notes
    return report
  }

  /// Sentences that a reader of the measured parts needs.
  private var notes: [String] {
    var notes: [String] = []
    if !parts.isDisjoint(with: [.full, .busy]) {
      notes.append(
        """
        Full: \(fullPlayers) players, each with a four-bar loop of \(fullLayers) layers of 64 hits \
        at 120 bpm; stereo sounds of 200 ms, resampled. Busy: \(busyPlayers) players, each with two \
        such layers, 2.75 hits a second by hand, and an edit every two. CPU time of the room's and \
        the engine's work alone: waking the threads and telling clients come on top.
        """)
    }
    if !parts.isDisjoint(with: [.lines, .crowd]) {
      notes.append(
        """
        Live rooms, for \(BenchReport.number(dense.seconds)) s at 120 bpm: the server, an idle room \
        in a server beside it, and the players are processes of their own, and share the cores. The \
        loops were recorded live at 300 bpm. 8 players: one bar, 8 hits a layer, every second layer \
        of keys, all on the same lines of the grid. 64 players: four bars, 64 hits a layer. Each \
        player's program is subscribed to everything, and reads it.
        """)
      notes.append(
        """
        Late: commands that reached the engine after their frame, for each hit; a key has two \
        commands. In the idle room, one player sends a timetagged hit every 10 ms. Hits that are \
        late there were made late by the machine. Above 0.5 % of them, the room is measured again.
        """)
    }
    if parts.contains(.growth) {
      notes.append("Growth: everything but the tape of the mix; voices are not rendered meanwhile.")
    }
    return notes
  }

  private func idle(_ report: inout BenchReport) throws {
    let figures = try IdleRooms(rooms: idleRooms).measure()
    report.rows.append(
      BenchRow("an idle room", unit: "% of a core", values: figures.percent, target: .atMost(0.05)))
    report.rows.append(
      BenchRow(
        "  resident for each", unit: "KiB", values: [figures.kibibytes], target: .atMost(400)))
  }

  private func full(_ report: inout BenchReport) throws {
    var voices: [Double] = []
    var wakes: [Double] = []
    let (figures, stolen) = try RoomThread.running { thread in
      let room = try SteppedRoom(thread, kit: LoopKit.make(), players: fullPlayers)
      let script = LoopScript(players: fullPlayers, layers: fullLayers)
      room.play(script.lines)
      // While the loops are recorded, the voices are dropped, because that rendering is not
      // measured.
      room.run(until: script.end - .seconds(1), isSilent: true)
      room.run(until: script.end + .seconds(1))
      let status = room.parts.engine.status
      let before = status.stolenVoices
      let figures = (0..<repetitions).map { _ in
        room.spent = SteppedRoom.Spent()
        room.run(until: room.now + LoopScript.pass)
        return room.spent
      }
      return (figures, status.stolenVoices - before)
    }
    voices = figures.map { Double($0.voices) / Double($0.buffers) }
    wakes = figures.map { Double($0.turns) / $0.seconds }
    report.rows += [
      BenchRow(
        "a full room: rendering", unit: "% of a core", values: figures.map { $0.render / $0.seconds * 100 },
        target: .atMost(50)),
      BenchRow(
        "  its loops, on the room thread", unit: "% of a core", values: figures.map { $0.room / $0.seconds * 100 },
        target: .atMost(2.5)),
      BenchRow("  turns of the room thread", unit: "a second", values: wakes),
      BenchRow("  voices that sound", unit: "", values: voices),
      BenchRow("  voices stolen", unit: "", values: [Double(stolen)], target: .atMost(0)),
    ]
  }

  private func undo(_ report: inout BenchReport) throws {
    let times = try UndoBench(players: fullPlayers, layers: fullLayers, edits: edits).run()
    report.rows += [
      BenchRow(
        "undo of each of \(edits) edits in a full room", unit: "ms", values: times,
        target: .atMost(1)),
      BenchRow("  the slowest of them", unit: "ms", values: [times.max() ?? 0], target: .atMost(1)),
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

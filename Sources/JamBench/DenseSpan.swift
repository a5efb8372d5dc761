internal import JamCore
internal import JamRealtime

/// One measurement of a dense room, from one look to the next.
struct DenseSpan {
  var before: DenseStage.Look
  var after: DenseStage.Look

  var seconds: Double { after.time.milliseconds(since: before.time) / 1_000 }
  var hasIdleHits: Bool { idle("hits_total") > 0 }
  /// The late commands of the idle room, in percent of its hits.
  var idleLate: Double { idle("late_commands_total") / max(1, idle("hits_total")) * 100 }

  private func grown(_ name: String) -> Double {
    (after.server.sum(name) ?? 0) - (before.server.sum(name) ?? 0)
  }
  private func idle(_ name: String) -> Double {
    (after.control.sum(name) ?? 0) - (before.control.sum(name) ?? 0)
  }
  private func perSecond(_ count: Int) -> [Double] { [Double(count) / seconds] }
  private func core(_ spent: Double) -> [Double] { [spent / seconds * 100] }

  /// The longest turn in milliseconds. A server tells the longest one since the look before.
  private func longest(_ clock: String, of figures: ServerFigures) -> [Double] {
    let seconds = figures.sum("room_turn_longest_since_read_seconds{clock=\"\(clock)\"}")
    return [seconds.map { $0 * 1_000 } ?? .nan]
  }

  /// The rows of the bench, for a room with so many layers of each player.
  func rows(_ room: DenseRoom, layers: Int) -> [BenchRow] {
    let hits = grown("hits_total")
    let late = grown("late_commands_total") / max(1, hits) * 100
    // A recording that failed would make an easy room. The hits of a line may fall out of the time.
    let leastHits = 0.95 * room.hitsPerSecond(layers: layers)
    let who = "\(room.players) players, \(layers) layers each"
    let how =
      room == .lines
      ? "pads and keys on the same lines" : "spread evenly, and 64 programs that listen"
    return [
      BenchRow(
        "\(who), \(how): late, above an idle room",
        key: "\(room.rawValue), \(layers) layers: late, above an idle room",
        unit: "% of hits", values: [max(0, late - idleLate)], target: .atMost(0.1)),
      BenchRow("  late", unit: "% of hits", values: [late]),
      BenchRow("  late in the idle room", unit: "% of hits", values: [idleLate]),
      BenchRow("  hits", unit: "a second", values: [hits / seconds], target: .atLeast(leastHits)),
      BenchRow(
        "  longest turn, of the thread's CPU time", unit: "ms",
        values: longest("cpu", of: after.server),
        target: .atMost(5)),
      // The machine's part: the time of a virtual core that is away may count as the thread's.
      BenchRow(
        "  longest turn in the idle room, of CPU time", unit: "ms",
        values: longest("cpu", of: after.control)),
      BenchRow(
        "  longest turn, by the clock", unit: "ms", values: longest("wall", of: after.server)),
      BenchRow(
        "  turns of more than 5 ms of CPU time", unit: "",
        values: [grown("room_long_turns_cpu_total{seconds=\"0.005\"}")]),
      BenchRow(
        "  the room's thread", unit: "% of a core",
        values: core(after.roomSeconds - before.roomSeconds)),
      BenchRow(
        "  the server", unit: "% of a core",
        values: core(after.serverSeconds - before.serverSeconds)),
      BenchRow(
        "  the clients", unit: "% of a core",
        values: core(after.clientSeconds - before.clientSeconds)),
      BenchRow(
        "  messages to the clients", unit: "a second",
        values: perSecond(after.clients.messages - before.clients.messages)),
      BenchRow(
        "  in datagrams", unit: "a second",
        values: perSecond(after.clients.datagrams - before.clients.datagrams)),
      BenchRow(
        "  feedback left out", unit: "a second", values: [grown("osc_unsent_total") / seconds]),
      BenchRow(
        "  lost in the clients' sockets", unit: "a second",
        values: perSecond(after.clients.drops - before.clients.drops)),
    ]
  }
}

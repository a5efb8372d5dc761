internal import JamCommand

/// The cost of keeping a jam while it is played, the cost of rendering a recording, and the time of
/// a start with many takes.
struct KeepingBench {
  var players = 64
  var layers = 8
  /// The length of the recording that is rendered.
  var minutes = 60
  var takes = 1_000
  var starts = 5

  func run() throws -> BenchReport {
    var report = BenchReport(name: "keeping")
    let folder = try BenchFolder()
    let kept = try FullRoom(players: players, layers: layers, data: "\(folder.path)/room").measure()
    let free = try FullRoom(players: players, layers: layers, data: "none").measure()
    report.rows += [
      BenchRow(
        "the journal, \(players) players with loops", unit: "% of a core", values: [kept.loops.journal],
        target: .atMost(1)),
      BenchRow(
        "  and with 176 hits and 32 edits a second", unit: "% of a core", values: [kept.edits.journal],
        target: .atMost(1)),
      BenchRow("  taking down what sounds, for the take", unit: "% of a core", values: [kept.loops.maintenance]),
      BenchRow("  late buffers in \(FullRoom.seconds * 2) s", unit: "", values: [kept.lateBuffers]),
      BenchRow("  late buffers where nothing is kept", unit: "", values: [free.lateBuffers]),
    ]
    let hour = try RenderedHour(minutes: minutes, in: folder.path)
    let (mix, stems) = (try hour.render(stems: false), try hour.render(stems: true))
    report.rows += [
      BenchRow(
        "\(minutes) minutes of eight players: the mix", unit: "s of CPU", values: [mix.cpuSeconds],
        target: .atMost(10 * Double(minutes) / 60)),
      BenchRow("  most memory", unit: "MiB", values: [Double(mix.mostBytes) / 1_048_576]),
      BenchRow(
        "  the mix and all stems, 24 bits", unit: "s of CPU", values: [stems.cpuSeconds],
        target: .atMost(60 * Double(minutes) / 60)),
      BenchRow("    most memory", unit: "MiB", values: [Double(stems.mostBytes) / 1_048_576]),
    ]
    let (without, with) = try KeptTakes(takes, in: "\(folder.path)/takes").starts(starts)
    report.rows += [
      BenchRow("start until ready, \(takes) takes", unit: "ms", values: with, target: .atMost(300)),
      BenchRow("  without any", unit: "ms", values: without),
    ]
    report.notes += [
      """
      Loops: of four bars at 240 bpm, \(layers) layers of 64 hits each: \(players * layers * 16) hits a second go round.
      """,
      "A room whose journal costs nothing: what goes round changes nothing that is kept.",
      "The recording: each player hits a random pad on every other eighth note. Stems take 8 GiB of /tmp for a while.",
    ]
    return report
  }
}

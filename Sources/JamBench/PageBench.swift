internal import Glibc
internal import JamCommand

/// Measures the page in real Chromium, driven by `Tests/Browser/measure.py`: how soon the page is
/// usable, how soon a tap is heard, and how evenly the page draws.
struct PageBench {
  private static let script = "Tests/Browser/measure.py"
  private static let python = ".venv/bin/python"
  private static let secondsPerFigure = 300

  /// The figures that the script measures, by the script's names for them.
  static let figures: [String: (name: String, unit: String, target: BenchTarget?)] = [
    "first-load": ("first load, over the wire", "KB", .atMost(200)),
    "interactive": ("open → interactive", "ms", .atMost(300)),
    "connected": ("open → connected, with the full state", "ms", nil),
    "open-to-sound": ("open → sound of the first tap, as soon as it listens", "ms", .atMost(1_000)),
    "first-tap-to-sound": ("first tap → the page's own received audio", "ms", nil),
    "tap-to-ear": ("tap → the page's own received audio, settled", "ms", .atMost(90)),
    "tap-to-track": ("tap → its decoded track, which the audio element plays, settled", "ms", .atMost(55)),
    "jitter-buffer": ("of which the sound waits in the browser's jitter buffer", "ms", nil),
    "by-ear": (
      "32 taps along with the click that is heard, streams 20, 100, 200 and 300 ms late: off it in the loop", "ms",
      .atMost(10)
    ),
    "frames": ("16 pads, 8 players' loops and meters: frames", "a second", .atLeast(59.5)),
    "slow-frame": ("16 pads, 8 players' loops and meters: the slowest hundredth of frames", "ms", nil),
    "long-tasks": ("16 pads, 8 players' loops and meters: tasks of more than 50 ms", "in 10 s", .atMost(0)),
    "longest-task": ("16 pads, 8 players' loops and meters: the longest task", "ms", nil),
    "idle-main": ("a phone's page that rests: main thread", "% of a core", .atMost(5)),
    "idle-frame": ("a phone's page that rests: main thread for each frame", "ms", .atMost(4)),
    "idle-slow": ("a phone's page that rests, CPU slowed four times: frames", "a second", nil),
    "crowd-main": ("30 players who play: main thread", "% of a core", nil),
    "crowd-frame": ("30 players who play: main thread for each frame", "ms", .atMost(4)),
    "crowd-slow": ("30 players who play, CPU slowed four times: frames", "a second", nil),
    "phase": ("8 pages: their beats apart", "ms", .atMost(10)),
    "dialled": ("sound dialled → there, muted", "ms", nil),
    "dialled-lossy": ("the same with 30 % of its datagrams lost, both ways", "ms", nil),
    "lost": ("5 % lost both ways: packets that never came", "%", nil),
    "made-up": ("5 % lost both ways: sound that the browser made up", "%", nil),
    "heap-growth": ("an hour of play: growth of the heap", "KB", .atMost(300)),
  ]

  func run() throws(ChildProcess.Failure) -> BenchReport {
    guard access(PageBench.script, R_OK) == 0 else {
      throw ChildProcess.Failure(
        description: "\(PageBench.script) is not here: run it in the project's folder, by make bench ARGS=page")
    }
    guard access(PageBench.python, X_OK) == 0 else {
      throw ChildProcess.Failure(description: "\(PageBench.python) is not here: make bench ARGS=page makes it")
    }
    let server = try TestedProgram.server()
    let lossy = try TestedProgram.server(more: ["--lose", "30,5"])
    let driver = try ChildProcess(
      "browser", [PageBench.script] + [server, lossy].map { "http://127.0.0.1:\($0.ports.http)" },
      program: PageBench.python, showsErrors: true)
    var report = BenchReport(name: "page")
    while let line = driver.line(withinSeconds: PageBench.secondsPerFigure) {
      let fields = line.split(separator: "\t")
      let values = fields.dropFirst().compactMap { Double($0) }
      guard let figure = fields.first.flatMap({ PageBench.figures[String($0)] }), !values.isEmpty else { continue }
      report.rows.append(BenchRow(figure.name, unit: figure.unit, values: values, target: figure.target))
    }
    guard report.rows.count == PageBench.figures.count else {
      throw ChildProcess.Failure(
        description: "the browser ended after \(report.rows.count) of \(PageBench.figures.count) figures")
    }
    report.notes.append(
      "Server, Chromium and what drives it share this machine's cores. Kilobytes are thousands of bytes.")
    return report
  }
}

internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamStream

/// Measures how many listeners one core serves. The server is one process, and the listeners are in
/// another one.
struct ListenersBench {
  var rtpListeners = 1_000
  var oggListeners = 10_000
  var webRTCListeners = 1_500
  var repetitions = 3
  var secondsPerRepetition = 5

  func run() -> BenchReport {
    var report = BenchReport(name: "listeners")
    let crowds: [(kind: ListenerLoad.Kind, count: Int, query: String, name: String)] = [
      (.rtp, rtpListeners, "frame=5", "RTP, frames of 5 ms"),
      (.ogg, oggListeners, "frame=20", "Ogg"),
      (.webRTC, webRTCListeners, "frame=20", "WebRTC (AES-GCM), frames of 20 ms"),
      (.webRTCOfOld, webRTCListeners / 3, "frame=20", "WebRTC (AES-CM), frames of 20 ms"),
    ]
    for crowd in crowds {
      do throws(ChildProcess.Failure) {
        try measure(crowd.kind, count: crowd.count, query: crowd.query, name: crowd.name, into: &report)
      } catch {
        // The other crowds are still measured.
        report.rows.append(
          BenchRow(
            "\(crowd.name), \(error)", key: "\(crowd.name), \(crowd.count) at once", unit: "listeners per core",
            values: [0], target: .atLeast(1)))
      }
    }
    report.notes.append(
      """
      Listeners per core: the listeners there were, by the share of a core that the server took. Loopback: the \
      kernel's work for the receiving side is in the figures.
      """)
    return report
  }

  private func measure(
    _ kind: ListenerLoad.Kind, count: Int, query: String, name: String, into report: inout BenchReport
  ) throws(ChildProcess.Failure) {
    let server = try ServerUnderTest()
    // A warm-up with twenty listeners, so that the memory of the encoder and of a first connection
    // is not counted.
    let warmUp = try ListenerLoad(kind: kind, count: 20, query: query, server: server)
    guard warmUp.isReady(withinSeconds: 10) else { throw ChildProcess.Failure(description: "no listener came in") }
    _ = warmUp.verdict()
    warmUp.stop()
    let residentBefore = server.process.residentBytes
    let cpuBefore = server.process.cpuSeconds
    let load = try ListenerLoad(kind: kind, count: count, query: query, server: server)
    defer { load.stop() }
    guard load.isReady(withinSeconds: 180) else {
      throw ChildProcess.Failure(description: "\(count) listeners did not all come in: the limit of open files?")
    }
    let arrival = (server.process.cpuSeconds - cpuBefore) / Double(count)
    // The rush of arrivals is over after two reports.
    _ = load.verdict()
    _ = load.verdict()
    var perCore: [Double] = []
    var starved: [Double] = []
    var lost: [Double] = []
    for _ in 0..<repetitions {
      let cpu = server.process.cpuSeconds
      var worst = 0
      var missing = 0
      for _ in 0..<secondsPerRepetition {
        guard let verdict = load.verdict() else { throw ChildProcess.Failure(description: "the listeners are gone") }
        worst = max(worst, verdict.starved + verdict.gone)
        missing += verdict.lost
      }
      perCore.append(Double(count) * Double(secondsPerRepetition) / max(server.process.cpuSeconds - cpu, 0.01))
      starved.append(Double(worst))
      lost.append(Double(missing))
    }
    let resident = Double(server.process.residentBytes - residentBefore) / Double(count)
    // Only AES-GCM has a goal, because every browser of today uses it.
    let goal: Double? = kind == .webRTCOfOld ? nil : Double(count)
    report.rows += [
      BenchRow(
        "\(name), \(count) at once", unit: "listeners per core", values: perCore, target: goal.map { .atLeast($0) }),
      BenchRow("\(name), starved", unit: "listeners", values: starved, target: .atMost(0)),
      BenchRow(
        "\(name), resident", unit: "bytes a listener", values: [resident],
        target: kind == .rtp || kind == .ogg ? .atMost(4_096) : nil),
      BenchRow("\(name), lost", unit: kind == .ogg ? "pages" : "packets", values: lost),
    ]
    if kind == .webRTC || kind == .webRTCOfOld {
      report.rows.append(
        BenchRow("\(name), CPU until it hears", unit: "ms a listener", values: [arrival * 1_000]))
    }
  }
}

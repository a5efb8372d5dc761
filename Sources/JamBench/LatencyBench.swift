internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamStream
internal import JamWire

/// Measures one hit all the way: from the datagram that carries it to the RTP packet that contains
/// its onset.
///
/// The server is a process of its own, and its streams have frames of 2.5 ms. The onset is located
/// to the frame, by comparing the decoded sound with the burst that was hit.
struct LatencyBench {
  var repetitions = 3
  var hits = 150
  /// The additional load in the loaded run, beside the hits that are measured.
  var voices = 400
  var listeners = 500

  /// The figures of one repetition.
  struct Round {
    var median = 0.0
    var high = 0.0
    /// p5–p95 of the onset's position relative to the moment of sending.
    var spread = 0.0
    /// The share of hits that are more than a millisecond later than the median position, or were
    /// not heard.
    var lateShare = 0.0
    var lost = 0
  }

  func run() throws(ChildProcess.Failure) -> BenchReport {
    var report = BenchReport(name: "latency")
    let server = try ServerUnderTest()
    let player = try BenchPlayer.joined(server, as: "bench")
    let ear = try BurstEar()
    let lease = try BenchLease(server, port: ear.port, query: "frame=2.5&bitrate=256000")
    for _ in 0..<5 {
      player.send(BenchPlayer.hit(BenchKit.burstPad))
      guard ear.learn(forMilliseconds: 200) else {
        throw ChildProcess.Failure(description: "the server's sound did not arrive")
      }
    }
    let idle = try rounds(player, ear, lease)
    add(idle, "hit", "idle", to: &report, latencyTargets: true)
    report.rows.append(try timetagged(player, ear, lease))
    try withLoad(on: server) { () throws(ChildProcess.Failure) in
      add(try rounds(player, ear, lease), "hit", "with \(voices) voices and \(listeners) listeners", to: &report)
    }
    add(try keys(player, ear, lease), "key", "idle", to: &report, latencyTargets: true)
    report.notes.append(
      "RTP on loopback, frames of 2.5 ms; hits at random moments, \(hits) in each of \(repetitions) repetitions.")
    return report
  }

  private func add(
    _ rounds: [Round], _ what: String, _ name: String, to report: inout BenchReport, latencyTargets: Bool = false
  ) {
    report.rows += [
      BenchRow(
        "\(what) to packet, median, \(name)", unit: "ms", values: rounds.map(\.median),
        target: latencyTargets ? .atMost(8) : nil),
      BenchRow(
        "\(what) to packet, p99, \(name)", unit: "ms", values: rounds.map(\.high),
        target: latencyTargets ? .atMost(12) : nil),
      BenchRow(
        "onset jitter of a \(what), p5–p95, \(name)", unit: "ms", values: rounds.map(\.spread), target: .atMost(0.2)),
      BenchRow(
        "late \(what)s, \(name)", unit: "%", values: rounds.map { $0.lateShare * 100 }, target: .atMost(1)),
    ]
    let lost = rounds.reduce(0) { $0 + $1.lost }
    if lost > 0 { report.notes.append("\(lost) \(what)s were not heard (\(name)).") }
  }

  // MARK: Live hits

  private func rounds(
    _ player: BenchPlayer, _ ear: BurstEar, _ lease: BenchLease,
    press: OSCMessage = BenchPlayer.hit(BenchKit.burstPad), release: OSCMessage? = nil
  ) throws(ChildProcess.Failure) -> [Round] {
    // A warm-up: all code has run once, and buffers have reached their size.
    _ = round(player, ear, lease, press, release, hits: 20)
    return (0..<repetitions).map { _ in round(player, ear, lease, press, release, hits: hits) }
  }

  private func round(
    _ player: BenchPlayer, _ ear: BurstEar, _ lease: BenchLease, _ press: OSCMessage, _ release: OSCMessage?,
    hits: Int
  ) -> Round {
    var latencies: [Double] = []
    var offsets: [Double] = []
    var result = Round()
    for _ in 0..<hits {
      lease.renew()
      // The pause is random, so that hits come at every place within a buffer.
      usleep(UInt32.random(in: 60_000...90_000))
      ear.skip()
      let sent = player.send(press.encoded())
      let heard = ear.hear(withinMilliseconds: 200)
      if let release { player.send(release) }
      guard let heard else {
        result.lost += 1
        continue
      }
      latencies.append(heard.arrival.milliseconds(since: sent))
      offsets.append(Double(heard.position) / 48 - Double(sent.nanoseconds) / 1e6)
    }
    guard !offsets.isEmpty else { return result }
    latencies.sort()
    offsets.sort()
    result.median = LatencyBench.quantile(latencies, 0.5)
    result.high = LatencyBench.quantile(latencies, 0.99)
    result.spread = LatencyBench.quantile(offsets, 0.95) - LatencyBench.quantile(offsets, 0.05)
    let middle = LatencyBench.quantile(offsets, 0.5)
    result.lateShare = Double(offsets.count { $0 > middle + 1 } + result.lost) / Double(hits)
    return result
  }

  static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  // MARK: Keys

  /// Measures a short note of a synthesiser, because a key is a pad with another kind of voice. The
  /// sound to look for is recorded from the first note.
  private func keys(
    _ player: BenchPlayer, _ ear: BurstEar, _ lease: BenchLease
  ) throws(ChildProcess.Failure) -> [Round] {
    for (name, value) in [("amp/attack", 0), ("amp/decay", 3), ("amp/sustain", 0), ("amp/release", 1)] {
      player.send(OSCMessage("/instrument/\(name)", .float(Float(value))))
    }
    player.send(OSCMessage("/instrument/filter/mode", .string("off")))
    let note: Float = 84
    let press = OSCMessage("/key", .float(note), .float(1))
    let release = OSCMessage("/key", .float(note), .float(0))
    // The last bursts of the load ring out.
    usleep(500_000)
    lease.renew()
    player.send(press)
    let isHeard = ear.takeDown(forMilliseconds: 300)
    player.send(release)
    guard isHeard else { throw ChildProcess.Failure(description: "the sound of a key did not arrive") }
    return try rounds(player, ear, lease, press: press, release: release)
  }

  // MARK: Timetagged hits

  /// Measures hits whose timetags are a whole number of buffers apart. Their onsets have to be
  /// exactly as far apart.
  private func timetagged(
    _ player: BenchPlayer, _ ear: BurstEar, _ lease: BenchLease
  ) throws(ChildProcess.Failure) -> BenchRow {
    guard let clock = player.serverClock() else { throw ChildProcess.Failure(description: "no answer to /ping") }
    let step: Int64 = 6_000
    var values: [Double] = []
    for _ in 0..<repetitions {
      lease.renew()
      let first = HostTime.now.advanced(byMilliseconds: 50)
      var offsets: [Int64] = []
      for n in 0..<Int64(hits / 3) {
        let time = first.advanced(byNanoseconds: n * step * 125_000 / 6)
        // Sends about 100 ms ahead, at no particular moment.
        while HostTime.now.advanced(byMilliseconds: 100) < time { usleep(3_000) }
        ear.skip()
        player.send(OSCPacket.encode([BenchPlayer.hit(BenchKit.burstPad)], at: clock.timetag(at: time)))
        if let heard = ear.hear(withinMilliseconds: 400) { offsets.append(heard.position - n * step) }
      }
      offsets.sort()
      let spread = offsets.isEmpty ? .nan : Double(offsets[offsets.count * 95 / 100] - offsets[offsets.count / 20])
      values.append(spread)
    }
    return BenchRow("onset jitter, p5–p95, timetagged", unit: "frames", values: values, target: .atMost(0))
  }

  // MARK: Load

  /// Runs `body` while other players keep `voices` voices sounding, and `listeners` listeners
  /// listen.
  private func withLoad(
    on server: ServerUnderTest, _ body: () throws(ChildProcess.Failure) -> Void
  ) throws(ChildProcess.Failure) {
    let load = try ListenerLoad(kind: .rtp, count: listeners, query: "frame=5", server: server)
    defer { load.stop() }
    guard load.isReady(withinSeconds: 60) else { throw ChildProcess.Failure(description: "the listeners did not come") }
    let keeper = try VoiceKeeper(server, voices: voices)
    keeper.start()
    defer { keeper.stop() }
    // Waits until all voices sound, and a moment more.
    usleep(UInt32(BenchKit.quietSeconds + 1) * 1_000_000)
    try body()
  }
}

internal import JamCore
internal import JamNet
internal import JamOSC
internal import JamRealtime
internal import JamRoom
internal import NIOCore
internal import NIOPosix

/// Measures the cost of a hit from the socket to the engine's queue. Real datagrams go over
/// loopback into the OSC edge of a room. A thread that only empties the engine's queue replaces the
/// engine.
struct OSCBench {
  var clients = 50
  var hitsPerSecond = 50_000
  /// Datagrams that a client sends at once.
  var burst = 20
  var seconds = 10.0
  var repetitions = 3

  /// - Throws: `OSCServerError` or `NetError` where no port is available.
  func run() throws -> BenchReport {
    var report = BenchReport(name: "osc")
    let bursts = try measure(burst: burst)
    let single = try measure(burst: 1)
    let bare = try measureBare()
    let rules = try measureRules()
    let receiving = BenchRow("", unit: "µs", values: bare.map(\.cost)).median
    report.rows = [
      BenchRow("hits in bursts of \(burst)", unit: "1/s", values: bursts.map(\.rate)),
      BenchRow("  CPU for each, socket to queue", unit: "µs", values: bursts.map(\.cost)),
      BenchRow("  of which recvmmsg, measured alone", unit: "µs", values: bare.map(\.cost)),
      BenchRow("  above its median", unit: "µs", values: bursts.map { $0.cost - receiving }, target: .atMost(2.5)),
      BenchRow(
        "  of which the room's rules, from the parsed command to the queue", unit: "µs",
        values: rules, target: .atMost(0.5)),
      BenchRow("  lost", unit: "", values: bursts.map { Double($0.lost) }, target: .atMost(0)),
      BenchRow("hits evenly spaced", unit: "1/s", values: single.map(\.rate)),
      BenchRow("  CPU for each, socket to queue", unit: "µs", values: single.map(\.cost)),
      BenchRow("  lost", unit: "", values: single.map { Double($0.lost) }, target: .atMost(0)),
    ]
    report.notes = [
      "\(clients) clients on loopback for \(Int(seconds)) s, \(repetitions) times; CPU is the receiving thread's own.",
      "oscdump, which only prints, takes 4.8 µs; scsynth 6.8–8.8; python-osc 15.6.",
    ]
    return report
  }

  /// The CPU time of the room's own rules for a hit, in µs: from the parsed command to the queue of
  /// the engine. As many hits come at once as one look at the sockets brings.
  private func measureRules() throws -> [Double] {
    let (clients, burst) = (clients, burst)
    return try RoomThread.running { thread in
      try (0..<repetitions).map { _ in
        let room = try SteppedRoom(thread, kit: LoopKit.make(), players: clients)
        var (spent, hits) = (0.0, 0)
        for round in 0..<1_000 {
          let lines = (0..<burst * 10).map { i in
            LoopScript.Line(
              moment: Moment(arrival: room.now), player: i / burst % clients,
              command: .hit(Pad.all[(round + i) % Pad.count], .full))
          }
          let start = VoicesBench.threadSeconds
          for line in lines { room.receive(line) }
          spent += VoicesBench.threadSeconds - start
          hits += lines.count
          room.run(until: room.now + Frames.milliseconds(4), isSilent: true)
        }
        return spent / Double(hits) * 1e6
      }
    }
  }

  private struct Outcome {
    var rate: Double
    var cost: Double
    var lost: Int
  }

  private func measure(burst: Int) throws -> [Outcome] {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let stage = OSCBenchStage()
    let server = try stage.serve(group)
    stage.start()
    defer {
      server.stop()
      stage.stop()
    }
    let sender = try OSCBenchSender(clients: clients, hitsPerSecond: hitsPerSecond, port: server.port)
    sender.join()
    return (0...repetitions).map { repetition in
      // The first repetition is a warm-up.
      outcome(sender, seconds: repetition == 0 ? 0.5 : seconds, burst: burst, ear: stage)
    }.dropFirst().map { $0 }
  }

  /// Sends the same datagrams to a thread that receives them in batches and throws them away. This
  /// is the cost of the system itself.
  private func measureBare() throws -> [Outcome] {
    let ear = try OSCBenchEar()
    ear.start()
    defer { ear.stop() }
    let sender = try OSCBenchSender(clients: clients, hitsPerSecond: hitsPerSecond, port: ear.port)
    return (0..<repetitions).map { _ in outcome(sender, seconds: min(seconds, 3), burst: burst, ear: ear) }
  }

  private func outcome(_ sender: OSCBenchSender, seconds: Double, burst: Int, ear: some OSCBenchHearing) -> Outcome {
    ear.settle()
    let heard = ear.heard
    let cpu = ear.threadSeconds
    let start = HostTime.now
    let sent = sender.send(hits: Int(Double(hitsPerSecond) * seconds), burst: burst, from: start)
    let elapsed = HostTime.now.milliseconds(since: start) / 1_000
    ear.settle()
    let came = ear.heard - heard
    return Outcome(
      rate: Double(sent) / elapsed, cost: (ear.threadSeconds - cpu) / Double(max(1, came)) * 1_000_000,
      lost: sent - came)
  }
}

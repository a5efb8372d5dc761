internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamRealtime
internal import JamWire

/// A live room in which every player's loop goes round.
struct FullRoom {
  struct Share {
    /// Percent of a core.
    var journal: Double
    var maintenance: Double
  }

  struct Figures {
    var loops: Share
    var edits: Share
    var lateBuffers: Double
  }

  var players: Int
  var layers: Int
  var data: String

  static let seconds = 15
  private static let stepMilliseconds = 62.5
  private static let stepsPerPass = 64

  func measure() throws -> Figures {
    let server = try ServerUnderTest(more: ["--data", data])
    let crowd = try (0..<players).map { try BenchPlayer.joined(server, as: "p\($0)", host: UInt8(2 + $0 / 16)) }
    crowd[0].send(OSCMessage("/tempo", .float(240)))
    for player in crowd {
      player.send(OSCMessage("/loop/bars", .int32(4)))
      player.send(OSCMessage("/loop/overdub"))
    }
    let begin = HostTime.now
    for step in 0..<(layers + 1) * FullRoom.stepsPerPass {
      let hit = BenchPlayer.hit(2 + step / FullRoom.stepsPerPass % 15, velocity: 0.5).encoded()
      for player in crowd { player.send(hit) }
      wait(until: begin.advanced(byMilliseconds: Double(step + 1) * FullRoom.stepMilliseconds))
    }
    for player in crowd { player.send(OSCMessage("/loop/play")) }
    wait(until: .now.advanced(byMilliseconds: 3_000))
    let late = server.metric("late_buffers") ?? 0
    let loops = share(of: server) {}
    var dice = SystemRandomNumberGenerator()
    let edits = share(of: server) {
      for player in crowd {
        let pad = 1 + Int.random(in: 1...15, using: &dice)
        if Int.random(in: 0..<1_000, using: &dice) < 138 { player.send(BenchPlayer.hit(pad, velocity: 0.5)) }
        guard Int.random(in: 0..<1_000, using: &dice) < 25 else { continue }
        player.send(OSCMessage("/pad/\(pad)/gain", .float(-Float.random(in: 0...20, using: &dice))))
      }
    }
    return Figures(loops: loops, edits: edits, lateBuffers: (server.metric("late_buffers") ?? 0) - late)
  }

  /// The CPU time of two of the server's threads while `body` is called 20 times a second.
  private func share(of server: ServerUnderTest, while body: () -> Void) -> Share {
    func spent(_ name: String) -> Double { server.process.cpuSeconds(ofThread: name) }
    let (begin, journal, maintenance) = (HostTime.now, spent("bandshell-journal"), spent("bandshell-maint"))
    for step in 1...FullRoom.seconds * 20 {
      body()
      wait(until: begin.advanced(byMilliseconds: Double(step) * 50))
    }
    let seconds = HostTime.now.milliseconds(since: begin) / 1_000
    return Share(
      journal: (spent("bandshell-journal") - journal) / seconds * 100,
      maintenance: (spent("bandshell-maint") - maintenance) / seconds * 100)
  }

  private func wait(until moment: HostTime) {
    let left = moment.milliseconds(since: .now)
    if left > 0 { usleep(UInt32(left * 1_000)) }
  }
}

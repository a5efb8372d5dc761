import JamKit
import JamNet

/// A server that runs on this machine, by what it answers to `/health` and `/metrics`.
struct RunningServer {
  private let facts: [String: JSONValue]
  /// The sums over all rooms, by the names of `/metrics`.
  private let figures: [String: Double]
  private let clock: SetClock?
  /// The rooms whose journal cannot be written.
  private let failing: [String]

  /// - Parameters:
  ///   - health: the JSON of `/health`, with or without the answer's head.
  ///   - metrics: the text of `/metrics`; nil, or an error page, where a password keeps it.
  /// - Returns: nil where no server of ours answered.
  init?(health: String, metrics: String?) {
    let json = Array(health.drop { $0 != "{" }.utf8)
    guard case .object(let facts)? = try? JSONValue(reading: json, of: "/health"),
      case .string("ok")? = facts["status"], facts["osc"] != nil || facts["password"] != nil
    else { return nil }
    self.facts = facts
    clock = SetClock(health: health)
    var figures: [String: Double] = [:]
    var failing: [String] = []
    let lines = metrics?.split(whereSeparator: \.isNewline) ?? []
    for line in lines where line.hasPrefix("bandshell_") {
      guard let space = line.lastIndex(of: " "),
        let value = Double(line[line.index(after: space)...])
      else { continue }
      let name = line[..<space].prefix { $0 != "{" }.dropFirst("bandshell_".count)
      figures[String(name), default: 0] += value
      if name == "journal_failing", value > 0 {
        failing.append(String(line[..<space].drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }))
      }
    }
    (self.figures, self.failing) = (figures, failing)
  }

  /// The findings about the server.
  /// - Parameter ports: the ports that it should have.
  func findings(_ ports: ServerPorts) -> [Finding] {
    [running] + [otherPort(ports), wrongPort, clock?.finding, late].compactMap { $0 }
      + failing.map {
        .bad(
          "server: room \($0) cannot be written",
          "look at the disk of --data and at `journal.failed` in the log; what is played is safe once it is written"
        )
      }
  }

  /// The room and its people, as far as they may be known.
  private var running: Finding {
    guard let room = text("room") else {
      return .good(
        "server: a Bandshell server is running on this machine; its room has a password, which hides the rest"
      )
    }
    var words = ["room \(room)"]
    if case .bool(let isPlaying)? = facts["playing"] {
      words.append(isPlaying ? "playing at \(bpm) bpm" : "stopped")
    }
    if case .array(let players)? = facts["players"] {
      words.append(RunningServer.count(players.count, "player"))
    }
    if let listeners = figures["listeners"] ?? number("listeners") {
      words.append(RunningServer.count(Int(exactly: listeners) ?? 0, "listener"))
    }
    if let uptime = figures["uptime_seconds"] {
      words.append("for \(RunningServer.duration(uptime))")
    }
    return .good(
      "server: a Bandshell server is running on this machine: " + words.joined(separator: ", "))
  }

  private func otherPort(_ ports: ServerPorts) -> Finding? {
    guard case .object(let osc)? = facts["osc"], case .number(let port)? = osc["port"],
      ports.osc.port != 0,
      port != Double(ports.osc.port)
    else { return nil }
    let number = Int(exactly: port) ?? 0
    return .advice(
      "server: it takes OSC at port \(number), and not at \(ports.osc.port)",
      "bandshell doctor --osc *:\(number)")
  }

  /// OSC that came to the port of the page since the start.
  private var wrongPort: Finding? {
    guard let count = figures["osc_wrong_port_total"], count > 0 else { return nil }
    var right = "the port of OSC"
    if case .object(let osc)? = facts["osc"], case .number(let port)? = osc["port"],
      let number = Int(exactly: port)
    {
      right = "port \(number)"
    }
    let packets = RunningServer.count(Int(exactly: count) ?? 0, "packet")
    return .advice(
      "server: OSC came to the page's port, \(packets)",
      "let the controller send to \(right); `osc.misdirected` in the log names its address")
  }

  /// Sums of what came late or was lost since the start.
  private var late: Finding? {
    guard let uptime = figures["uptime_seconds"], let commands = figures["late_commands_total"],
      let buffers = figures["late_buffers_total"], let drops = figures["osc_kernel_drops_total"]
    else { return nil }
    let lost =
      drops + (figures["dropped_commands_total"] ?? 0) + (figures["room_thread_dropped_total"] ?? 0)
    let text = [
      (commands, "late commands"), (buffers, "late buffers"),
      (lost, "messages lost in full queues"),
      (figures["late_hits_total"] ?? 0, "late hits"),
    ].map { "\(Int(exactly: $0.0) ?? 0) \($0.1)" }.joined(separator: ", ")
    // The machine stalls now and then, and at the start. One a minute is more than that.
    guard commands + buffers + lost > 10 + uptime / 60 else {
      return .good("server: on time: \(text)")
    }
    return .advice(
      "server: the machine is too slow at times: \(text)",
      "end other programs, or give the server real-time rights (docs/guide/hosting.md)")
  }

  private var bpm: String {
    guard let bpm = number("bpm") else { return "unknown" }
    return Int(exactly: bpm).map { "\($0)" } ?? "\(bpm)"
  }

  private func text(_ key: String) -> String? {
    if case .string(let text)? = facts[key] { text } else { nil }
  }
  private func number(_ key: String) -> Double? {
    if case .number(let number)? = facts[key] { number } else { nil }
  }

  private static func count(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(exactly: seconds.rounded(.down)) ?? 0
    return whole < 120 ? "\(whole) s" : whole < 7_200 ? "\(whole / 60) min" : "\(whole / 3_600) h"
  }
}

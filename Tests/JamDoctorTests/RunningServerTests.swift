import JamNet
import Testing

@testable import JamDoctor

/// The doctor's findings about a server that runs, by what that answered.
@Suite struct RunningServerTests {
  private let health = """
    HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"status":"ok","room":"main","password":false,\
    "osc":{"port":8000,"hosts":["10.0.0.1"]},"playing":true,"bpm":120,"listeners":1,"players":[{"name":"ann"}]}
    """

  private func metrics(late: Int, buffers: Int = 6, failing: Int = 0) -> String {
    """
    # HELP bandshell_late_commands_total Late.
    bandshell_late_commands_total{room="main"} \(late)
    bandshell_late_commands_total{room="garden"} 1
    bandshell_late_hits_total{room="main"} 2
    bandshell_late_buffers_total{room="main"} \(buffers)
    bandshell_osc_kernel_drops_total 0
    bandshell_dropped_commands_total{room="main"} 0
    bandshell_listeners{kind="rtp"} 1
    bandshell_listeners{kind="ogg"} 2
    bandshell_journal_failing{room="main"} 0
    bandshell_journal_failing{room="garden"} \(failing)
    bandshell_uptime_seconds 7260.5
    """
  }

  @Test("room, people, listeners and what came late are told") func well() throws {
    let server = try #require(RunningServer(health: health, metrics: metrics(late: 3)))
    let findings = server.findings(ServerPorts())
    #expect(
      findings == [
        .good(
          "server: a Bandshell server is running on this machine: room main, playing at 120 bpm, 1 player, 3 listeners, for 2 h"
        ),
        .good("server: on time: 4 late commands, 6 late buffers, 0 messages lost in full queues, 2 late hits"),
      ])
  }

  @Test("another OSC port, a slow machine, a clock that was set and a disk that fails are found") func unwell() throws {
    let set = health.replacing(#""osc""#, with: #""clock":{"stepped":-60,"ago":1,"ahead":-60},"osc""#)
    let server = try #require(RunningServer(health: set, metrics: metrics(late: 400, failing: 1)))
    let other = ServerPorts(osc: Listening(host: nil, port: 9_000))
    let findings = server.findings(other)
    #expect(findings.map(\.verdict) == [.good, .advice, .advice, .advice, .bad])
    #expect(findings[1].lines.contains("takes OSC at port 8000, and not at 9000"))
    #expect(findings[3].lines.contains("401 late commands"))
    #expect(findings[4].lines.contains("room garden cannot be written"))
  }

  @Test("OSC that came to the page's port is told, with the right port") func wrongPort() throws {
    let more = metrics(late: 3) + "\nbandshell_osc_wrong_port_total 12\n"
    let findings = try #require(RunningServer(health: health, metrics: more)).findings(ServerPorts())
    #expect(findings.map(\.verdict) == [.good, .advice, .good])
    #expect(findings[1].lines.contains("12 packets") && findings[1].lines.contains("port 8000"))
  }

  @Test("a room with a password tells that there is a server, and no more") func closed() throws {
    let closed = #"{"status":"ok","password":true}"#
    let server = try #require(RunningServer(health: closed, metrics: "HTTP/1.1 403 Forbidden\r\n\r\nno"))
    #expect(server.findings(ServerPorts()).map(\.verdict) == [.good])
  }

  @Test("another program's answer is no server of ours", arguments: ["", "{}", #"{"status":"ok"}"#, "<html>", #"[1]"#])
  func strangers(answer: String) { #expect(RunningServer(health: answer, metrics: nil) == nil) }
}

import JamWire
import Testing

@testable import bandshell

/// What `bandshell monitor` shows.
@Suite struct MonitorLineTests {
  private func line(_ texts: String...) throws -> MonitorLine {
    try #require(MonitorLine(OSCMessage("/monitor", [.int64(480)] + texts.map { .string($0) })))
  }

  @Test("a line says who sent what, and what became of it") func people() throws {
    let hit = try line(
      "10.0.0.7:9000", "ann", "udp", "/pad/3", "0.8", "understood", "/pad/3: velocity 0.8", "")
    #expect(hit.text(at: "21:03:04.125") == "21:03:04.125  ann 10.0.0.7:9000 udp  /pad/3 0.8  ✓ /pad/3: velocity 0.8")
    let wrong = try line(
      "10.0.0.7:9000", "", "tcp", "/temppo", "", "refused", "there is no such address", "unknown-address")
    #expect(wrong.text(at: "0") == "0  10.0.0.7:9000 tcp  /temppo  ✗ there is no such address [unknown-address]")
    let silent = try line("10.0.0.7:9000", "", "tcp", "/temppo", "", "refused", "", "unanswered")
    #expect(silent.text(at: "0").hasSuffix("✗ refused [unanswered]"))
    let twice = try line("10.0.0.7:9000", "", "udp", "/pad/3", "1.0", "ignored", "", "repeated")
    #expect(twice.text(at: "0").hasSuffix("· the same packet came twice: it counts once"))
    let touch = try line("10.0.0.7:9000", "", "udp", "/1/fader1/z", "1.0", "ignored", "", "touch")
    #expect(touch.text(at: "0").hasSuffix("· a finger touches a control: it has no effect"))
  }

  @Test("a filter looks at all of a line, in capitals or not") func filter() throws {
    let hit = try line("10.0.0.7:9000", "Ann", "udp", "/pad/3", "0.8", "refused", "Locked", "locked")
    for words in ["ann", "10.0.0", "/PAD/3", "locked", "refused"] { #expect(hit.holds(words), "\(words)") }
    #expect(!hit.holds("bob"))
    #expect(hit.isRefused)
  }

  @Test("a line for programs is JSON, and nothing in it moves the cursor") func programs() throws {
    let hit = try line("10.0.0.7:9000", "a\"b", "udp", "/kit", "\"\u{1b}[2J\"", "understood", "", "")
    #expect(
      hit.json(at: 1.5) == """
        {"time":1.5,"frame":480,"sender":"10.0.0.7:9000","player":"a\\"b","transport":"udp","address":"/kit",\
        "arguments":"\\"\\u001b[2J\\"","verdict":"understood","reason":"","code":""}
        """)
    #expect(!hit.text(at: "0").contains("\u{1b}"))
  }

  @Test("another message is no line") func others() {
    #expect(MonitorLine(OSCMessage("/monitor", .int64(1), .string("x"))) == nil)
    #expect(MonitorLine(OSCMessage("/monitor/more", .int32(3))) == nil)
  }

  @Test("a server without a port is refused with what to write") func server() {
    #expect(throws: (any Error).self) { try MonitorCommand.parse(["--server", "somewhere"]) }
    #expect(throws: Never.self) {
      try MonitorCommand.parse(["--server", "[::1]:8000", "--refused", "--filter", "/pad"])
    }
  }
}

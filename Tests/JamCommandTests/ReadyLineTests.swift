import Testing

@testable import JamCommand

@Suite("ready line")
struct ReadyLineTests {
  @Test("what a server says is what a program that started it reads")
  func bothWays() {
    let line = "ready osc=8000 http=8088 media=8089"
    #expect(ReadyLine(line) == ReadyLine(osc: 8000, http: 8088, media: 8089))
    #expect(ReadyLine(line)?.description == line)
    #expect(ReadyLine("ready media=3 http=2 later=4 osc=1") == ReadyLine(osc: 1, http: 2, media: 3))
  }

  @Test(
    "any other line is no ready line",
    arguments: [
      "", "already osc=1 http=2 media=3", "ready", "ready osc=1 http=2", "ready osc=1 http=2 media=",
      "ready osc=1 http=2 media=65536", "ready osc=1 http=2 media=-3", "warning: osc=1 http=2 media=3",
    ])
  func others(line: String) { #expect(ReadyLine(line) == nil) }
}

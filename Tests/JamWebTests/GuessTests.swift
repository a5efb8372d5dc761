import JamCore
import NIOCore
import Testing

@testable import JamWeb

/// Passwords that come by HTTP, on a clock that the test steps.
@Suite struct GuessTests {
  private func connection() throws -> SteppedConnection {
    let ann = PlayerStatus(name: "ann", colour: "#ff0000", isHost: false, kitName: "Starter")
    let backend = try TestBackend(rooms: [TestRoom(password: "sesame", players: [ann])])
    return try SteppedConnection(backend)
  }

  private func ask(_ connection: SteppedConnection, _ path: String, _ headers: String...) throws -> String {
    try connection.receive("GET \(path) HTTP/1.1\r\nHost: t\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n")
    return try connection.sent()
  }

  private func status(_ answer: String) -> String { String(answer.split(separator: " ").dropFirst().first ?? "none") }

  @Test("by whatever way they come, ten wrong words are answered at once, and then one a second")
  func everyWay() throws {
    let connection = try connection()
    let ways = [
      "/kits?password=%", "/metrics?password=%", "/waveforms/starter/1?password=%", "/listen.opus?password=%",
      "/listen.sdp?port=5004&password=%", "/last.wav?password=%", "/health?password=%", "/osc?password=%",
      "/health?player=ann&token=%", "/rooms/attic/kits?password=%",
    ]
    for (i, way) in ways.enumerated() {
      let answer = try ask(connection, way.replacing("%", with: "guess\(i)"))
      #expect(status(answer) == (way.hasPrefix("/health?player") ? "200" : "401"), "\(way)")
    }
    #expect(try ask(connection, "/kits", "Authorization: Bearer sesame").isEmpty)
    connection.loop.advanceTime(by: .milliseconds(990))
    #expect(try connection.sent().isEmpty)
    connection.loop.advanceTime(by: .milliseconds(20))
    #expect(status(try connection.sent()) == "200")
  }

  @Test("a page of somebody who plays here waits for nobody who guesses from the same address")
  func players() throws {
    let connection = try connection()
    for i in 0..<10 { #expect(status(try ask(connection, "/kits?password=\(i)")) == "401") }
    let playing = try ask(connection, "/kits?player=ann&token=token-ann&password=sesame")
    #expect(status(playing) == "200")
  }

  @Test("what a held request brings along is kept for it: a sound comes in whole")
  func heldUpload() throws {
    let backend = try TestBackend(rooms: [TestRoom(password: "sesame", answersAtOnce: true)])
    let connection = try SteppedConnection(backend)
    for i in 0..<10 { _ = try ask(connection, "/kits?password=\(i)") }
    try connection.receive(
      "PUT /samples/bark?password=sesame HTTP/1.1\r\nHost: t\r\nContent-Length: 6\r\n\r\nabc")
    try connection.receive("def")
    connection.loop.advanceTime(by: .seconds(1))
    #expect(backend.rooms["main"]?.uploads.withLock { $0.map(\.bytes) } == [Array("abcdef".utf8)])
    connection.loop.run()
    #expect(status(try connection.sent()) == "201")
  }

  @Test("more than eight that wait at once are refused unread") func crowd() throws {
    let backend = try TestBackend(rooms: [TestRoom(password: "sesame")])
    let first = try SteppedConnection(backend)
    for i in 0..<10 { _ = try ask(first, "/kits?password=\(i)") }
    // One connection has one request in work; the next ones wait behind it.
    #expect(try ask(first, "/kits?password=x").isEmpty)
    #expect(try ask(first, "/kits?password=y").isEmpty)
    first.loop.advanceTime(by: .seconds(1))
    #expect(status(try first.sent()) == "401")
    first.loop.advanceTime(by: .seconds(1))
    #expect(status(try first.sent()) == "401")
  }

  @Test("a right password of 16 bytes waits for nobody who guesses from the same address") func strong() throws {
    let backend = try TestBackend(rooms: [TestRoom(password: "bafedogukilumaro")])
    let connection = try SteppedConnection(backend)
    for i in 0..<10 { _ = try ask(connection, "/kits?password=\(i)") }
    #expect(status(try ask(connection, "/kits?password=bafedogukilumaro")) == "200")
    #expect(try ask(connection, "/kits?password=x").isEmpty)
  }

  @Test("without a password a room has nothing to guess") func open() throws {
    let connection = try SteppedConnection()
    for _ in 0..<50 { #expect(status(try ask(connection, "/kits?password=anything")) == "200") }
  }

  @Test("what tells of a room with a password wants it; that the server is well is told to all")
  func whatIsOpen() throws {
    let connection = try connection()
    for path in ["/kits", "/metrics", "/waveforms/starter/1", "/last.wav", "/listen.opus", "/listen.sdp?port=5004"] {
      #expect(status(try ask(connection, path)) == "401", "\(path)")
    }
    let health = try ask(connection, "/health")
    #expect(health.hasSuffix(##"{"status":"ok","password":true}"##))
    #expect(status(try ask(connection, "/")) == "200")
    // Which other rooms there are is told to nobody outside.
    #expect(status(try ask(connection, "/rooms/attic/kits")) == "401")
    #expect(status(try ask(connection, "/rooms/attic/kits?password=sesame")) == "404")
    let metrics = try ask(connection, "/metrics", "Authorization: Bearer sesame")
    #expect(status(metrics) == "200")
  }
}

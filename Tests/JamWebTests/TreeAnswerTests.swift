import JamCore
import JamRoom
import JamWire
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import JamWeb

/// OSCQuery's HTTP: who gets which answer, and what a page of another site may read.
@Suite struct TreeAnswerTests {
  private static func backend(password: String? = nil) throws -> TestBackend {
    let ann = PlayerStatus(name: "ann", colour: "#ff0000", isHost: false, kitName: "Starter")
    return try TestBackend(rooms: [
      TestRoom(password: password, players: [ann]), TestRoom(name: "crypt", password: password, players: [ann]),
    ])
  }

  private static func connect(_ backend: TestBackend) throws -> SteppedConnection {
    try SteppedConnection(backend) { router in router = Router.tree(backend: backend) }
  }

  private static func ask(
    _ backend: TestBackend, _ target: String, method: String = "GET", host: String = "t", _ headers: [String] = []
  ) throws -> String {
    let connection = try connect(backend)
    let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"] + headers
    try connection.receive(lines.map { $0 + "\r\n" }.joined() + "\r\n")
    connection.loop.run()
    return try connection.sent().split(separator: "\r\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("Date:") }.joined(separator: "\r\n")
  }

  private static func status(_ answer: String) -> String { String(answer.dropFirst(9).prefix(3)) }

  @Test("the statuses of OSCQuery: a node, an attribute, nothing to tell, no attribute, no node")
  func statuses() throws {
    let backend = try Self.backend()
    let cases = [
      ("/", "200"), ("/tempo?VALUE", "200"), ("/tempo?TYPE", "200"), ("/gain?VALUE", "204"), ("/tempo?NOTHING", "400"),
      ("/nothing", "404"), ("/nothing?VALUE", "404"), ("/?HOST_INFO", "200"), ("/?HOST_INFO=1", "200"),
    ]
    for (target, status) in cases {
      let answer = try Self.ask(backend, target)
      #expect(Self.status(answer) == status, "\(target): \(answer.prefix(400))")
      if status != "204" { #expect(answer.contains("Content-Type: application/json"), "\(target)") }
    }
  }

  @Test("a connection answers one question after the other")
  func keepAlive() throws {
    let connection = try Self.connect(Self.backend())
    for _ in 0..<3 {
      try connection.receive("GET /tempo?VALUE HTTP/1.1\r\nHost: t\r\n\r\n")
      connection.loop.run()
      let answer = try connection.sent()
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("120"))
    }
    #expect(connection.channel.isActive)
  }

  @Test("HOST_INFO has the server's name, the port, the transport and the address that was reached")
  func hostInfo() throws {
    let answer = try Self.ask(Self.backend(), "/?HOST_INFO")
    #expect(answer.contains(#""OSC_PORT":8000"#) && answer.contains(#""OSC_TRANSPORT":"UDP""#))
    #expect(answer.contains(#""OSC_IP":"#) && answer.contains(#""NAME":"Bandshell on studio""#))
  }

  @Test("without the password HOST_INFO alone is told; a wrong one is refused, whatever is asked for")
  func password() throws {
    let backend = try Self.backend(password: "sesame")
    let cases = [
      ("/?HOST_INFO", "200"), ("/", "401"), ("/tempo?VALUE", "401"), ("/nothing", "401"), ("/?password=sesame", "200"),
      ("/?HOST_INFO&password=wrong", "401"), ("/tempo?VALUE&password=wrong", "401"),
      ("/tempo?VALUE&player=ann&token=token-ann", "200"), ("/tempo?VALUE&player=ann&token=wrong", "403"),
      ("/tempo?VALUE&player=bob&token=wrong", "403"),
    ]
    for (target, status) in cases { #expect(Self.status(try Self.ask(backend, target)) == status, "\(target)") }
    #expect(backend.questions.withLock { $0.compactMap(\.player) } == ["ann"])
  }

  @Test("a room that is there and one that is not answer alike without the password")
  func hiddenRooms() throws {
    let backend = try Self.backend(password: "sesame")
    let upgrade = ControlTests.upgrade
    for (rest, headers) in [
      ("/", []), ("/?HOST_INFO", []), ("/?password=wrong", []), ("/?player=ann&token=wrong", []), ("/tempo?VALUE", []),
      ("/", upgrade),
    ] {
      let there = try Self.ask(backend, "/rooms/crypt\(rest)", headers).replacing("crypt", with: "ROOM")
      let notThere = try Self.ask(backend, "/rooms/vault\(rest)", headers).replacing("vault", with: "ROOM")
      #expect(there == notThere, "\(rest)")
      #expect(!there.isEmpty)
    }
    #expect(Self.status(try Self.ask(backend, "/rooms/vault/?password=sesame")) == "404")
    #expect(Self.status(try Self.ask(backend, "/rooms/crypt/?password=sesame")) == "200")
    #expect(backend.questions.withLock { $0.map(\.room) } == ["crypt"])
  }

  @Test("wrong tokens count as guesses, as at every door")
  func guesses() throws {
    let connection = try Self.connect(Self.backend(password: "sesame"))
    for i in 0..<10 {
      try connection.receive("GET /?player=ann&token=guess\(i) HTTP/1.1\r\nHost: t\r\n\r\n")
      connection.loop.run()
      #expect(try connection.sent().hasPrefix("HTTP/1.1 403 "))
    }
    try connection.receive("GET /?password=sesame HTTP/1.1\r\nHost: t\r\n\r\n")
    connection.loop.run()
    #expect(try connection.sent().isEmpty)
  }

  @Test("a name that is not the server's gets 421, and other methods 405")
  func names() throws {
    let backend = try Self.backend()
    for target in ["/", "/?HOST_INFO", "/tempo?VALUE"] {
      #expect(Self.status(try Self.ask(backend, target, host: "evil.example")) == "421")
      #expect(Self.status(try Self.ask(backend, target, host: "192.168.1.20:8000")) == "200")
    }
    for method in ["HEAD", "POST", "PUT", "DELETE"] {
      #expect(Self.status(try Self.ask(backend, "/tempo", method: method)) == "405", "\(method)")
    }
  }

  @Test("a page of another site reads the answer only with a word, and its WebSocket is refused")
  func otherSites() throws {
    let open = try Self.backend()
    #expect(!(try Self.ask(open, "/").contains("Access-Control-Allow-Origin")))
    #expect(try Self.ask(open, "/?player=ann&token=token-ann").contains("Access-Control-Allow-Origin: *"))
    let closed = try Self.backend(password: "sesame")
    #expect(try Self.ask(closed, "/?password=sesame").contains("Access-Control-Allow-Origin: *"))
    #expect(!(try Self.ask(closed, "/?HOST_INFO").contains("Access-Control-Allow-Origin")))
    let foreign = try Self.ask(open, "/", ControlTests.upgrade + ["Origin: http://evil.example"])
    #expect(Self.status(foreign) == "403")
  }

  @Test("an upgrade gives the connection to OSC, with the player whose token it showed")
  func upgrade() throws {
    let backend = try Self.backend()
    #expect(Self.status(try Self.ask(backend, "/", ControlTests.upgrade)) == "101")
    #expect(Self.status(try Self.ask(backend, "/?player=ann&token=token-ann", ControlTests.upgrade)) == "101")
    let callers = backend.callers.withLock { $0 }
    #expect(callers.map(\.isQuery) == [true, true])
    #expect(callers.map(\.token) == [nil, "token-ann"])
  }

  @Test("an address that asks for the whole tree too often waits, and others do not")
  func shares() throws {
    let shares = TreeShares()
    let now = HostTime(nanoseconds: 1_000_000_000)
    let whole = TreeShares.units(of: TreeQuestion(path: "/", wish: .node))
    var taken = 0
    while shares.take(whole, by: "192.0.2.1", at: now) { taken += 1 }
    #expect(taken == 81)
    #expect(!shares.take(whole, by: "192.0.2.1", at: now))
    #expect(shares.take(whole, by: "192.0.2.2", at: now))
    #expect(shares.take(whole, by: "192.0.2.1", at: now.advanced(byMilliseconds: 1_000)))
  }
}

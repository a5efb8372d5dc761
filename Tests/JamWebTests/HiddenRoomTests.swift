import JamCore
import JamNet
import JamRealtime
import JamRoom
import Testing

@testable import JamWeb

/// Somebody without the password asks which rooms are there. `crypt` is, and `vault` is not.
@Suite struct HiddenRoomTests {
  private static func backend() throws -> TestBackend {
    let ann = PlayerStatus(name: "ann", colour: "#ff0000", isHost: false, kitName: "Starter")
    return try TestBackend(rooms: [
      TestRoom(password: "sesame"), TestRoom(name: "crypt", password: "sesame", players: [ann]),
    ])
  }

  private static func ask(_ connection: SteppedConnection, _ request: String) throws -> String {
    try connection.receive(request)
    connection.loop.run()
    return try connection.sent().split(separator: "\r\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("Date:") }.joined(separator: "\r\n")
  }

  /// The answer to a request for a room, on a connection of its own; the room's name is left out.
  private static func answer(_ request: String, of room: String, _ backend: TestBackend) throws -> String {
    try ask(SteppedConnection(backend), request.replacing("ROOM", with: room)).replacing(room, with: "ROOM")
  }

  /// Questions about a room at every door.
  private static func questions(_ backend: TestBackend) -> [String] {
    let router = Router.standard(backend: backend, counters: WebCounters(), limits: .standard)
    var questions: [String] = []
    for door in router.doors {
      let parts = door.split(separator: " ")
      guard parts.count == 2 else { continue }
      let path = "/rooms/ROOM\(parts[1].replacing("<name>", with: "y"))"
      let methods = parts[0] == "GET" ? ["GET", "HEAD", "OPTIONS", "POST"] : ["\(parts[0])", "OPTIONS"]
      let body = ["PUT", "POST"].contains(parts[0]) ? "Content-Length: 1\r\n\r\nx" : "\r\n"
      for method in methods {
        for query in ["", "?password=wrong", "?player=ann&token=wrong", "?player=ann&token=wrong&password=wrong"] {
          questions.append("\(method) \(path)\(query) HTTP/1.1\r\nHost: t\r\n\(body)")
        }
      }
    }
    let upgrade = ControlTests.upgrade.map { "\($0)\r\n" }.joined()
    return questions + [
      "GET /rooms/ROOM/osc HTTP/1.1\r\nHost: t\r\n\(upgrade)\r\n",
      "GET /rooms/ROOM/osc?password=wrong HTTP/1.1\r\nHost: t\r\n\(upgrade)\r\n",
      "GET /rooms/ROOM HTTP/1.1\r\nHost: t\r\n\r\n", "GET /rooms/ROOM/nothing HTTP/1.1\r\nHost: t\r\n\r\n",
      "GET /rooms/ROOM/page.js HTTP/1.1\r\nHost: t\r\n\r\n",
    ]
  }

  @Test("every door answers alike for a room that is there and for one that is not") func alike() throws {
    let backend = try Self.backend()
    let questions = Self.questions(backend)
    #expect(questions.count > 100)
    for question in questions {
      let there = try Self.answer(question, of: "crypt", backend)
      let notThere = try Self.answer(question, of: "vault", backend)
      #expect(!there.isEmpty)
      #expect(there == notThere, "\(question)")
    }
  }

  @Test("with the password each door tells which rooms are there") func told() throws {
    let backend = try Self.backend()
    for (path, there) in [("/health", "200"), ("/kits", "200"), ("/take/y", "200"), ("/osc", "426")] {
      for (room, status) in [("crypt", there), ("vault", "404")] {
        let request = "GET /rooms/\(room)\(path)?password=sesame HTTP/1.1\r\nHost: t\r\n\r\n"
        let answer = try Self.ask(SteppedConnection(backend), request)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request)")
      }
    }
  }

  @Test("a name that no room can have is refused, and is not the first room") func impossibleName() throws {
    let backend = try Self.backend()
    let name = String(repeating: "x", count: 200)
    let upgrade = ControlTests.upgrade.map { "\($0)\r\n" }.joined()
    let request = "GET /rooms/\(name)/osc HTTP/1.1\r\nHost: t\r\n\(upgrade)\r\n"
    #expect(try Self.ask(SteppedConnection(backend), request).hasPrefix("HTTP/1.1 404 "))
    #expect(backend.callers.withLock { $0.isEmpty })
  }

  @Test(
    "a wrong word counts as a guess, whether its room and its player are there or not",
    arguments: [
      "/rooms/crypt/health?player=ann&token=", "/rooms/vault/health?player=ann&token=",
      "/rooms/crypt/health?player=bob&token=", "/?player=nobody&token=", "/rooms/vault/authority.crt?player=ann&token=",
      "/rooms/vault/health?password=", "/rooms/vault/osc?password=",
    ])
  func counted(_ path: String) throws {
    let connection = try SteppedConnection(Self.backend())
    for i in 0..<10 {
      let answer = try Self.ask(connection, "GET \(path)guess\(i) HTTP/1.1\r\nHost: t\r\n\r\n")
      #expect(!answer.isEmpty)
    }
    #expect(try Self.ask(connection, "GET /kits?password=sesame HTTP/1.1\r\nHost: t\r\n\r\n").isEmpty)
  }

  @Test("a player whose token is right is no guesser") func rightToken() throws {
    let connection = try SteppedConnection(Self.backend())
    let request = "GET /rooms/crypt/health?player=ann&token=token-ann HTTP/1.1\r\nHost: t\r\n\r\n"
    for _ in 0..<20 {
      let answer = try Self.ask(connection, request)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test("guesses at one room count for all: they have one password", arguments: ["main", "crypt", "vault"])
  func together(_ room: String) throws {
    let guesses = GuessLimit<GuessSource>()
    let now = HostTime(nanoseconds: 1)
    for i in 0..<6 {
      let guesser = GuessSource(SocketAddress.ipv4(192, 0, 2, UInt8(i)))
      for _ in 0..<10 { _ = guesses.judge(isRight: false, isStrong: false, from: guesser, at: now) }
    }
    let backend = try Self.backend()
    let connection = try SteppedConnection(backend) { router in
      router = Router.standard(
        backend: backend, counters: WebCounters(), limits: .standard, guesses: guesses, now: { now })
    }
    let request = "GET /rooms/\(room)/kits?password=wrong HTTP/1.1\r\nHost: t\r\n\r\n"
    let first = try Self.ask(connection, request)
    #expect(!first.isEmpty)
    #expect(try Self.ask(connection, request).isEmpty)
  }
}

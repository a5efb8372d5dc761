import JamCore
import JamRealtime
import Testing

@testable import JamWeb

@Suite struct RouterTests {
  @Test("health tells the room, the clock, the OSC address and who is here")
  func health() async throws {
    let player = PlayerStatus(name: "Ann", colour: "#ff0000", isHost: true, kitName: "Starter")
    try await serving(try TestBackend(rooms: [TestRoom(players: [player])])) { port in
      let answer = try RawClient(port: port).ask("GET", "/health")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "application/json")
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(
        answer.text == #"{"status":"ok","room":"main","password":false,"osc":{"port":8000,"hosts":["192.168.1.20"]},"#
          + #""playing":true,"bpm":120,"beatsPerBar":4,"beatUnit":4,"bar":3,"beat":2,"phase":0.5,"age":12.5,"listeners":4,"journal":"off","#
          + ##""players":[{"name":"Ann","colour":"#ff0000","host":true,"role":"host","kit":"Starter"}]}"##)
    }
  }

  @Test("health tells the colours and the kits of those who have left, and whose loops play on")
  func healthOfLeft() async throws {
    let left = PlayerStatus(name: "Bob", colour: "#00ff00", isHost: false, kitName: "Dub")
    try await serving(try TestBackend(rooms: [TestRoom(left: [left])])) { port in
      let text = try RawClient(port: port).ask("GET", "/health").text
      #expect(text.hasSuffix(##""players":[],"left":[{"name":"Bob","colour":"#00ff00","kit":"Dub"}]}"##))
    }
    try await serving(try TestBackend(rooms: [TestRoom(password: "sesame", left: [left])])) { port in
      let text = try RawClient(port: port).ask("GET", "/health").text
      #expect(!text.contains("Bob"))
    }
  }

  @Test("health tells that the machine's clock was set") func clockSet() async throws {
    var clock = ClockReport()
    clock.steps = 1
    clock.aheadNanoseconds = 3_600_000_000_000
    clock.last = ClockStep(nanoseconds: 3_600_000_000_000, time: .now)
    try await serving(try TestBackend(clock: clock)) { port in
      let text = try RawClient(port: port).ask("GET", "/health").text
      #expect(text.contains(#""clock":{"stepped":3600,"ago":"#))
      #expect(text.contains(#","ahead":3600},"osc":{"#))
    }
  }

  @Test("/rooms/<room>/ in front addresses another room, escapes decoded")
  func otherRooms() async throws {
    try await serving(try TestBackend(rooms: [TestRoom(), TestRoom(name: "Küche")])) { port in
      let client = try RawClient(port: port)
      #expect(try client.ask("GET", "/rooms/K%C3%BCche/health").text.contains(#""room":"Küche""#))
      #expect(try client.ask("GET", "/rooms/main/health").text.contains(#""room":"main""#))
      #expect(try client.ask("GET", "/rooms/K%C3%BCche/").headers["content-type"] == "text/html; charset=utf-8")
      let unknown = try client.ask("GET", "/rooms/cellar/health")
      #expect(unknown.status == 404)
      #expect(unknown.text.contains("no room 'cellar'"))
      // The page says it in its own words, or asks for the room to be opened again.
      let page = try client.ask("GET", "/rooms/cellar/")
      #expect(page.status == 200)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      let take = try client.ask("GET", "/rooms/cellar/take/20261127-120000")
      #expect(take.status == 404)
      #expect(take.headers["content-type"] == "text/html; charset=utf-8")
      let facts = try client.ask("GET", "/rooms/cellar/take/20261127-120000.json")
      #expect(facts.headers["content-type"] == "text/plain; charset=utf-8")
      let bare = try client.ask("GET", "/rooms/K%C3%BCche?name=y")
      #expect(bare.status == 308)
      #expect(bare.headers["location"] == "/rooms/K%C3%BCche/?name=y")
    }
  }

  @Test("a room with a password shows its health to all, its players to those who know the word")
  func passwordHealth() async throws {
    let player = PlayerStatus(name: "Ann", colour: "#ff0000", isHost: false, kitName: "Starter")
    try await serving(try TestBackend(rooms: [TestRoom(password: "sesame", players: [player])])) { port in
      let client = try RawClient(port: port)
      let shut = try client.ask("GET", "/health")
      #expect(shut.status == 200)
      #expect(shut.text.contains(#""password":true"#))
      #expect(!shut.text.contains("Ann"))
      #expect(try !client.ask("GET", "/health?password=wrong").text.contains("Ann"))
      #expect(try client.ask("GET", "/health?password=sesame").text.contains("Ann"))
      #expect(try client.ask("GET", "/health", "Authorization: Bearer sesame").text.contains("Ann"))
      #expect(try client.ask("GET", "/health", "authorization: bearer sesame").text.contains("Ann"))
      #expect(try client.ask("GET", "/").status == 200)
    }
  }

  @Test("an unknown address gets 404 and the list of known ones")
  func unknownAddress() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      for path in ["/nothing", "//", "/health/", "/HEALTH", "/rooms", "/rooms/", "/index.html"] {
        let answer = try client.ask("GET", path)
        #expect(answer.status == 404 || answer.status == 400, "\(path)")
      }
      #expect(try client.ask("GET", "/nothing").text.contains("/health"))
    }
  }

  @Test("no path leads out of the table of assets")
  func pathTraversal() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      for path in [
        "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/page.css/../../etc/passwd", "/..%2f..%2fetc%2fpasswd",
        "/rooms/main/../../etc/passwd", "/rooms/..%2f..%2fetc/passwd", "/rooms/main//etc/passwd", "/./page.css",
      ] {
        let answer = try client.ask("GET", path)
        #expect(answer.status == 404, "\(path)")
        #expect(!answer.text.contains("root:"))
      }
    }
  }

  @Test("broken escapes and control characters in an address get 400")
  func malformedAddress() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      for path in [
        "/%", "/%2", "/%zz", "/%00", "/a%0d%0ab", "/%ff", "/rooms/%/health", "/rooms/%00/health", "/?a=%", "/?%zz",
      ] {
        #expect(try client.ask("GET", path).status == 400, "\(path)")
      }
      let many = (0...Query.mostPairs).map { "a\($0)=1" }.joined(separator: "&")
      #expect(try client.ask("GET", "/health?\(many)").status == 400)
    }
  }

  @Test("HEAD has the headers of GET and no body")
  func head() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      for path in ["/", "/page.js", "/health", "/nothing"] {
        let get = try client.ask("GET", path)
        let head = try client.ask("HEAD", path)
        #expect(head.status == get.status)
        #expect(head.headers["content-length"] == get.headers["content-length"])
        #expect(head.headers["content-type"] == get.headers["content-type"])
      }
    }
  }

  @Test("OPTIONS names the methods; others get 405")
  func methods() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      for path in ["/", "/health", "*"] {
        let options = try client.ask("OPTIONS", path)
        #expect(options.status == 204)
        #expect(options.headers["allow"] == "GET, HEAD, OPTIONS")
        #expect(options.headers["content-length"] == nil)
      }
      for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"] {
        let answer = try client.ask(method, "/health")
        #expect(answer.status == 405, "\(method)")
        #expect(answer.headers["allow"] == "GET, HEAD, OPTIONS")
        #expect(answer.text.contains(method))
      }
    }
  }

  @Test("an address with the host in front, as proxies send it, is understood")
  func absoluteForm() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      #expect(try client.ask("GET", "http://test/health").status == 200)
      #expect(try client.ask("GET", "http://test").status == 200)
      #expect(try client.ask("GET", "http://test?room=x").status == 200)
    }
  }
}

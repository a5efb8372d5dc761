import Testing

@testable import JamWeb

/// The sounds of a player's own pads, for that player's page.
@Suite struct PlayFilesTests {
  private let ann = PlayerStatus(name: "Ann", colour: "#ff0000", isHost: false, kitName: "Starter")

  @Test("a player's pads are told to whoever has the token")
  func list() async throws {
    try await serving(try TestBackend(rooms: [TestRoom(players: [ann])])) { port in
      let client = try RawClient(port: port)
      let answer = try client.ask("GET", "/play?player=Ann&token=token-Ann")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "application/json")
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(
        answer.text == #"{"kit":"starter","pads":[{"pad":1,"sample":"starter/1","stretch":1,"layers":[{"upTo":1,"#
          + #""gain":0.5,"sounds":[0]}]}],"instrument":"marimba","zones":[],"sounds":[{"hash":""# + TestRoom.kick
          + #"","frames":4800,"channels":1}]}"#)
      #expect(try client.ask("GET", "/play").status == 400)
      #expect(try client.ask("GET", "/play?player=Ann").status == 400)
      #expect(try client.ask("GET", "/play?player=Ann&token=wrong").status == 403)
      #expect(try client.ask("GET", "/play?player=Bob&token=wrong").status == 404)
    }
  }

  @Test("a sound is kept for good by its name, and what is no sound is not found")
  func sounds() async throws {
    try await serving(try TestBackend()) { port in
      let client = try RawClient(port: port)
      for (form, type) in [("opus", "audio/ogg"), ("flac", "audio/flac")] {
        let answer = try client.ask("GET", "/play/\(TestRoom.kick).\(form)")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == type)
        #expect(answer.headers["cache-control"] == "private, max-age=31536000, immutable")
        #expect(answer.body == [1, 2, 3])
      }
      for name in ["", "x", "x.wav", "x.opus", "\(TestRoom.kick).opus.opus", "..%2fx.opus", "\(TestRoom.kick)"] {
        #expect(try client.ask("GET", "/play/\(name)").status == 404, "\(name)")
      }
      let busy = try client.ask("GET", "/play/busy.opus")
      #expect(busy.status == 503)
      #expect(busy.headers["retry-after"] == "2")
    }
  }

  @Test("a room with a password wants it for both")
  func password() async throws {
    try await serving(try TestBackend(rooms: [TestRoom(password: "sesame", players: [ann])])) { port in
      let client = try RawClient(port: port)
      #expect(try client.ask("GET", "/play?player=Ann&token=token-Ann").status == 401)
      #expect(try client.ask("GET", "/play/\(TestRoom.kick).opus").status == 401)
      #expect(try client.ask("GET", "/play/\(TestRoom.kick).opus?password=sesame").status == 200)
      #expect(try client.ask("GET", "/rooms/cellar/play/\(TestRoom.kick).opus").status == 401)
    }
  }
}

import JamWire
import NIOCore
import Testing

@testable import JamWeb

@Suite("codes of errors by HTTP") struct ErrorCodeTests {
  @Test("a refusal carries its code in a header, as the page goes by it")
  func header() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      try client.send("PUT /samples/noise HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx")
      let noise = try client.receiveAnswer()
      #expect(noise.status == 415 && noise.headers["bandshell-error"] == "sound-unreadable")
      try client.send("PUT /samples/bark HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx")
      let bark = try client.receiveAnswer()
      #expect(bark.status == 201 && bark.headers["bandshell-error"] == nil)
      #expect(try client.ask("GET", "/projects").headers["bandshell-error"] == "projects-not-kept")
      #expect(try client.ask("GET", "/rooms/attic/kits").headers["bandshell-error"] == "no-such-room")
      #expect(try client.ask("GET", "/takes").headers["bandshell-error"] == "takes-not-kept")
    }
  }

  @Test("with a closed door nothing is brought without the token of somebody who is in")
  func door() async throws {
    let ann = PlayerStatus(name: "ann", colour: "#ff0000", isHost: false, kitName: "Starter")
    try await serving(try TestBackend(rooms: [TestRoom(players: [ann], admitted: ["ann"])])) { port in
      func put(_ path: String) throws -> (status: Int, code: String?) {
        let client = try RawClient(port: port)
        try client.send("PUT \(path) HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx")
        let answer = try client.receiveAnswer()
        return (answer.status, answer.headers["bandshell-error"])
      }
      for folder in ["samples", "kits", "blocks", "projects"] {
        for query in ["", "?pad=1", "?player=new&token=token-new"] {
          let answer = try put("/\(folder)/bark\(query)")
          #expect(answer.status == 423 && answer.code == "at-the-door", "\(folder) \(query)")
        }
      }
      #expect(try put("/samples/bark?player=ann&token=wrong").status == 423)
      for query in ["", "&pad=1"] {
        #expect(try put("/samples/bark?player=ann&token=token-ann\(query)").status == 201)
      }
      // The room reads it, and has no folder of projects.
      #expect(try put("/projects/bark?player=ann&token=token-ann").status == 404)
    }
  }

  @Test("a password that is missing and a wrong one have codes of their own")
  func password() async throws {
    try await serving(try TestBackend(rooms: [TestRoom(password: "sesame")])) { port in
      let client = try RawClient(port: port)
      #expect(try client.ask("GET", "/kits").headers["bandshell-error"] == "password-needed")
      let wrong = try client.ask("GET", "/kits?password=wrong")
      #expect(wrong.headers["bandshell-error"] == "wrong-password")
    }
  }

  @Test("the page says no refusal without its code")
  func page() throws {
    var calls = 0
    for asset in Asset.all where asset.path != "/words.js" {
      let script = String(buffer: asset.bytes)
      let isImported = script.contains(#/import \{ words \} from "\.\/words\.js"/#)
      for call in script.matches(of: #/(\("\.\/words\.js"\)\)\.)?\bwords\(([^)]*)\)/#) where isImported || call.1 != nil
      {
        calls += 1
        #expect(call.2.contains(", code"), "\(asset.path): \(call.0)")
      }
      // It goes by the status.
      guard asset.path != "/whep-line.js" else { continue }
      #expect(!script.contains(".text()).trim()"), "\(asset.path) shows an answer's words: see reasonOf")
    }
    #expect(calls >= 3)
    let words = try text(of: "/words.js")
    #expect(words.contains(#"headers.get("\#(ErrorCode.header)")"#))
  }
}

import Foundation
import Testing

@testable import JamWeb

/// The exchange of `POST /whep`; what is behind it is JamStream's.
@Suite struct WHEPTests {
  static func offer() throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: tests.appending(path: "Golden/webrtc/chromium-offer.sdp"), encoding: .utf8)
  }

  private func post(
    _ port: Int, _ body: String, path: String = "/whep", type: String? = "application/sdp", _ headers: String...
  ) throws -> Answer {
    let client = try RawClient(port: port)
    let all = (type.map { ["Content-Type: \($0)"] } ?? []) + headers
    try client.send(
      "POST \(path) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n\(all.map { $0 + "\r\n" }.joined())\r\n\(body)"
    )
    return try client.receiveAnswer()
  }

  @Test("an offer is answered with 201, the session's address, its tag and the answer; DELETE ends it once")
  func session() async throws {
    let backend = try TestBackend()
    try await serving(backend) { port in
      let answer = try post(port, try Self.offer())
      #expect(answer.status == 201)
      #expect(answer.headers["content-type"] == "application/sdp")
      #expect(answer.headers["etag"]?.first == "\"")
      #expect(answer.text.hasPrefix("v=0\r\n"))
      #expect(answer.text.contains("m=audio \(backend.media.port) UDP/TLS/RTP/SAVPF 111"))
      #expect(answer.text.contains("a=candidate:1 1 udp 2130706431 127.0.0.1 \(backend.media.port) typ host"))
      #expect(backend.rooms["main"]?.streams.listenerCount == 1)
      let address = try #require(answer.headers["location"])
      #expect(address.hasPrefix("/whep/"))
      let client = try RawClient(port: port)
      let asked = try client.ask("OPTIONS", address)
      #expect(asked.headers["allow"] == "DELETE, OPTIONS")
      #expect(asked.headers["access-control-allow-methods"] == "DELETE, OPTIONS, PATCH")
      let patch = try client.ask("PATCH", address)
      #expect(patch.status == 405)
      #expect(patch.headers["allow"] == "DELETE, OPTIONS")
      #expect(try RawClient(port: port).ask("DELETE", address).status == 200)
      #expect(try RawClient(port: port).ask("DELETE", address).status == 404)
      #expect(try RawClient(port: port).ask("DELETE", "/whep/nothing").status == 404)
    }
  }

  @Test("every answer is open to pages of other sites, refusals too")
  func crossOrigin() async throws {
    try await serving(try TestBackend(rooms: [TestRoom(), TestRoom(name: "cellar", password: "sesame")])) { port in
      let options = try RawClient(port: port).ask("OPTIONS", "/whep", "Origin: http://player.example")
      #expect(options.status == 204)
      #expect(options.headers["access-control-allow-methods"] == "POST, OPTIONS")
      #expect(options.headers["access-control-allow-headers"]?.contains("Content-Type") == true)
      #expect(options.headers["accept-post"] == "application/sdp")
      let answers = [
        try post(port, try Self.offer(), type: "application/sdp", "Origin: http://player.example"),
        try post(port, "x"), try post(port, "x", type: nil), try post(port, "x", path: "/rooms/cellar/whep"),
        try post(port, try Self.offer(), path: "/rooms/cellar/whep?password=sesame"),
      ]
      #expect(answers.map(\.status) == [201, 400, 415, 401, 201])
      #expect(answers.allSatisfy { $0.headers["access-control-allow-origin"] == "*" })
      #expect(answers[4].headers["location"]?.hasPrefix("/rooms/cellar/whep/") == true)
      // Nothing else is.
      #expect(try RawClient(port: port).ask("GET", "/health").headers["access-control-allow-origin"] == nil)
    }
  }

  @Test("what is wrong has a status of its own")
  func wrong() async throws {
    try await serving { port in
      let good = try Self.offer()
      #expect(try post(port, good, type: "text/plain").status == 415)
      #expect(try post(port, good, type: "application/sdp; charset=utf-8").status == 201)
      #expect(try post(port, "").status == 400)
      #expect(try post(port, good.replacing("a=fingerprint", with: "a=f")).text.contains("fingerprint"))
      #expect(try post(port, good.replacing("opus", with: "pcm")).status == 422)
      #expect(try post(port, good, path: "/whep?frame=7").status == 400)
      #expect(try post(port, good, path: "/whep?player=ann&token=x").status == 404)
      #expect(try post(port, String(repeating: "a=x\r\n", count: 20_000)).status == 413)
      #expect(try RawClient(port: port).ask("GET", "/whep").status == 405)
      #expect(try RawClient(port: port).ask("GET", "/whep/x").status == 405)
    }
  }
}

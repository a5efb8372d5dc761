import NIOHTTP1
import Testing

@testable import JamWeb

/// The handshake of `GET /osc`.
@Suite struct ControlTests {
  static let upgrade = [
    "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  /// The answer to a handshake at `path` with `headers`, and the connection.
  private func open(
    _ port: Int, path: String = "/osc", host: String = "localhost:8088", _ headers: [String] = upgrade
  ) throws -> (answer: Answer, client: RawClient) {
    let client = try RawClient(port: port)
    try client.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n")
    return (try client.receiveAnswer(), client)
  }

  @Test("the example of RFC 6455 1.3 is accepted, and the connection is the backend's")
  func accepted() async throws {
    let backend = try TestBackend()
    try await serving(backend) { port in
      let (answer, client) = try open(port)
      #expect(answer.status == 101)
      #expect(answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
      #expect(answer.headers["upgrade"] == "websocket")
      #expect(answer.headers["connection"] == "Upgrade")
      try handedOver(client)
      let callers = backend.callers.withLock { $0 }
      #expect(callers.count == 1)
      #expect(callers.first?.room == nil)
      #expect(callers.first?.peer.isLoopback == true)
    }
  }

  @Test("what is no handshake is told what would be one")
  func noHandshake() async throws {
    try await serving { port in
      let plain = try RawClient(port: port).ask("GET", "/osc")
      #expect(plain.status == 426)
      #expect(plain.headers["upgrade"] == "websocket")
      for i in Self.upgrade.indices {
        var headers = Self.upgrade
        headers.remove(at: i)
        #expect(try status(port, headers) == (i == 3 ? 400 : 426))
      }
      var old = Self.upgrade
      old[2] = "Sec-WebSocket-Version: 8"
      #expect(try open(port, old).answer.headers["sec-websocket-version"] == "13")
      for key in ["", "short", "dGhlIHNhbXBsZSBub25jZQ=!", "dGhlIHNhbXBsZSBub25jZQ==="] {
        #expect(try status(port, Array(Self.upgrade.dropLast()) + ["Sec-WebSocket-Key: \(key)"]) == 400)
      }
      #expect(try RawClient(port: port).ask("POST", "/osc").status == 405)
    }
  }

  /// The backend has the connection once it answers: the head may be here a moment before that.
  private func handedOver(_ client: RawClient) throws {
    try client.send([1, 2, 3])
    #expect(try client.receiveBytes(3) == [1, 2, 3])
  }

  private func status(_ port: Int, _ headers: [String], host: String = "localhost:8088") throws -> Int {
    try open(port, host: host, headers).answer.status
  }

  @Test("a foreign page is refused, the server's own and what is no browser are not")
  func origins() async throws {
    try await serving { port in
      for origin in ["http://evil.example", "http://localhost:9999", "null", "http://localhost"] {
        let refused = try status(port, Self.upgrade + ["Origin: \(origin)"])
        #expect(refused == 403, "\(origin)")
      }
      #expect(try status(port, Self.upgrade + ["Origin: http://localhost:8088"]) == 101)
      #expect(
        try open(port, path: "/osc", host: "jam.lan", Self.upgrade + ["Origin: http://jam.lan:80"]).answer.status == 101
      )
    }
  }

  @Test("the address names the room; a password with it must be right, without one it may come by OSC")
  func rooms() async throws {
    let backend = try TestBackend(rooms: [TestRoom(), TestRoom(name: "cellar", password: "sesame")])
    try await serving(backend) { port in
      let without = try open(port, path: "/rooms/cellar/osc")
      #expect(without.answer.status == 101)
      try handedOver(without.client)
      let with = try open(port, path: "/rooms/cellar/osc?password=sesame")
      #expect(with.answer.status == 101)
      try handedOver(with.client)
      #expect(try open(port, path: "/rooms/cellar/osc?password=wrong").answer.status == 401)
      #expect(try open(port, path: "/rooms/attic/osc").answer.status == 404)
      let callers = backend.callers.withLock { $0 }
      #expect(callers.map(\.room) == ["cellar", "cellar"])
      #expect(callers.map(\.password) == [nil, "sesame"])
    }
  }

  @Test("SHA-1 and base64 as their documents have them")
  func hashes() {
    func hex(_ text: String) -> String {
      SHA1.hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(hex(String(repeating: "a", count: 1_000)) == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
    let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map { Base64.encoded(Array($0.utf8)) }
    #expect(texts == ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"])
  }
}

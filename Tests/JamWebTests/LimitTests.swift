import TestSupport
import Testing

@testable import JamWeb

@Suite struct LimitTests {
  @Test("an address longer than the limit gets 414, even when its line never ends")
  func longAddress() async throws {
    try await serving { port in
      let over = try RawClient(port: port)
      let answer = try over.ask("GET", "/" + String(repeating: "a", count: 2_048))
      #expect(answer.status == 414)
      #expect(answer.text.contains("2048 bytes"))
      // The connection is fine: the address was read to its end.
      #expect(try over.ask("GET", "/health").status == 200)
      let endless = try RawClient(port: port)
      try endless.send("GET /" + String(repeating: "a", count: 100_000))
      #expect(try endless.receiveAnswer().status == 414)
      #expect(try endless.receiveAll().isEmpty)
    }
  }

  @Test(
    "headers beyond the limits get 431 and the connection ends",
    arguments: [
      ("one field too large", ["X: " + String(repeating: "a", count: 10_000)]),
      ("all together too large", (0..<10).map { "X\($0): " + String(repeating: "a", count: 4_000) }),
      ("too many", (0..<100).map { "X\($0): 1" }),
    ])
  func largeHeaders(what: String, headers: [String]) async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      try client.send("GET /health HTTP/1.1\r\nHost: test\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n")
      let answer = try client.receiveAnswer()
      #expect(answer.status == 431, "\(what)")
      #expect(answer.headers["connection"] == "close")
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test("a refusal is readable although the peer goes on sending")
  func refusalSurvivesUnreadInput() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      try client.send("GET /health HTTP/1.1\r\nHost: test\r\nX: " + String(repeating: "a", count: 500_000))
      #expect(try client.receiveAnswer().status == 431)
    }
  }

  @Test("a body gets 413 where the method is right and 405 where it is not, stated or chunked")
  func bodies() async throws {
    try await serving { port in
      for (request, status) in [
        ("GET /health HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello", 413),
        ("GET /health HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999999\r\n\r\n", 413),
        ("GET /health HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 413),
        ("POST /health HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello", 405),
        ("PUT /health HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 5000000\r\n\r\n", 405),
        ("POST /nothing HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello", 404),
      ] {
        let client = try RawClient(port: port)
        try client.send(request)
        let answer = try client.receiveAnswer()
        #expect(answer.status == status, "\(request)")
        #expect(answer.headers["connection"] == "close")
        #expect(try client.receiveAll().isEmpty)
      }
      #expect(try RawClient(port: port).ask("GET", "/health", "Content-Length: 0").status == 200)
    }
  }

  @Test(
    "what is no HTTP gets 400, another version 505, and the connection ends",
    arguments: [
      ("nonsense\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("\u{0}\u{1}\u{2}\u{3}\r\n\r\n", 400),
      ("GET / HTTP/9.9\r\n\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\nHost: t\r\nBroken header\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\nHost: t\r\n: empty\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\n\r\n", 400), ("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("GET health HTTP/1.1\r\nHost: t\r\n\r\n", 400),
    ])
  func malformed(request: String, status: Int) async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      try client.send(request)
      let answer = try client.receiveAnswer()
      #expect(answer.status == status)
      #expect(!answer.text.isEmpty)
    }
  }

  @Test(
    "what is wrong with a request is what its refusal speaks of",
    arguments: [
      ("PUT /samples/a%01b HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx", "control character"),
      ("PUT /rooms/main/samples/a%7Fb HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx", "control character"),
      ("PUT /samples/a\u{1}b HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx", "control character"),
      ("PUT /samples/a%zz HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx", "two hex digits"),
      ("PUT /samples/a%ff HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx", "UTF-8"),
      ("PUT /samples/a?player=%01 HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx", "control character"),
      ("PUT /samples/a HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n", "Content-Length is a number"),
      ("PUT /samples/a HTTP/1.1\r\nHost: t\r\nContent-Length: one\r\n\r\n", "Content-Length is a number"),
      ("PUT /samples/a HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", "told twice"),
      (
        "PUT /samples/a HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "told twice"
      ),
      ("PUT /samples/a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "hexadecimal"),
      ("PUT /samples/a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n-1\r\n", "hexadecimal"),
      ("PUT /samples/a HTTP/1.1\r\nHost: t\r\nBroken header\r\n\r\n", "a header is malformed"),
      ("nonsense\r\n\r\n", "no HTTP request"),
    ])
  func remedies(request: String, remedy: String) async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      try client.send(request)
      let answer = try client.receiveAnswer()
      #expect(answer.status == 400 && answer.text.contains(remedy), "\(request): \(answer.status) \(answer.text)")
      // A body that is not taken in is no next request.
      #expect(try client.receiveAll().isEmpty)
    }
  }

  @Test("bytes at random never bring it down")
  func noise() async throws {
    var random = SplitMix(seed: 1)
    try await serving { port in
      for _ in 0..<100 {
        let client = try RawClient(port: port)
        let bytes = (0..<Int.random(in: 1...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        try client.send(bytes)
      }
      #expect(try RawClient(port: port).ask("GET", "/health").status == 200)
    }
  }

  @Test("HTTP/1.0 and Connection: close end the connection after the answer; keep-alive keeps it")
  func keepAlive() async throws {
    try await serving { port in
      for request in [
        "GET /health HTTP/1.0\r\n\r\n", "GET /health HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: t\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
      ] {
        let client = try RawClient(port: port)
        try client.send(request)
        let answer = try client.receiveAnswer()
        #expect(answer.status == 200)
        #expect(answer.headers["connection"] == "close")
        #expect(try client.receiveAll().isEmpty)
      }
      let old = try RawClient(port: port)
      for _ in 0..<3 {
        try old.send("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try old.receiveAnswer().headers["connection"] == "keep-alive")
      }
    }
  }

  @Test("pipelined requests are answered in their order, whole files among them")
  func pipelining() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      let paths = (0..<300).map { ["/health", "/page.js", "/nothing"][$0 % 3] }
      try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: t\r\n\r\n" }.joined())
      for path in paths {
        let answer = try client.receiveAnswer()
        #expect(answer.status == (path == "/nothing" ? 404 : 200))
        #expect(answer.headers["content-type"]?.hasPrefix("text/javascript") == (path == "/page.js"))
      }
    }
  }

  @Test("beyond the limit of connections the next gets 503 and a word, and a place that is given back is free")
  func crowded() async throws {
    var limits = WebLimits.standard
    limits.connections = 3
    try await serving(limits: limits) { port in
      var clients = try (0..<3).map { _ in try RawClient(port: port) }
      for client in clients { #expect(try client.ask("GET", "/health").status == 200) }
      let refused = try RawClient(port: port).ask("GET", "/health")
      #expect(refused.status == 503)
      #expect(refused.headers["retry-after"] == "5")
      #expect(try clients[0].ask("GET", "/health").status == 200)
      clients.removeAll()
      // The places come back as soon as the server has noticed.
      while try RawClient(port: port).ask("GET", "/health").status == 503 {}
    }
  }

  @Test("one address cannot take every place, but this machine's own may")
  func crowdFromOneAddress() {
    var limits = WebLimits.standard
    limits.connectionsPerAddress = 2
    let ledger = ConnectionLedger(limits: limits)
    #expect(ledger.enter("10.0.0.1") == .welcome)
    #expect(ledger.enter("10.0.0.1") == .welcome)
    #expect(ledger.enter("10.0.0.1") == .overloaded)
    #expect(ledger.enter("10.0.0.2") == .welcome)
    for _ in 0..<256 { _ = ledger.enter("10.0.0.1") }
    #expect(ledger.enter("10.0.0.1") == .hopeless)
    for _ in 0..<5 { #expect(ledger.enter("127.0.0.1") == .welcome) }
    for _ in 0..<259 { ledger.leave("10.0.0.1") }
    #expect(ledger.enter("10.0.0.1") == .welcome)
  }
}

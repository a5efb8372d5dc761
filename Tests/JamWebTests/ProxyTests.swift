import JamNet
import NIOHTTP1
import Testing

@testable import JamWeb

/// Who asks, where a proxy stands between.
@Suite struct ProxyTests {
  private static func address(_ text: String) -> SocketAddress { SocketAddress(host: text)! }
  private static let proxies = TrustedProxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"].compactMap(AddressRange.init))

  private func visitor(
    _ peer: String, _ headers: [(String, String)], by header: TrustedProxies.Header = .xForwardedFor
  ) -> WebVisitor {
    TrustedProxies(Self.proxies.ranges, header: header).visitor(of: Self.address(peer), HTTPHeaders(headers))
  }

  @Test(
    "the last address counts that is no trusted proxy, and nothing of what stands before it",
    arguments: [
      ([("X-Forwarded-For", "192.0.2.7")], "192.0.2.7"), ([("X-Forwarded-For", "1.2.3.4, 192.0.2.7")], "192.0.2.7"),
      ([("X-Forwarded-For", "1.2.3.4,192.0.2.7, 10.1.2.3")], "192.0.2.7"),
      ([("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-For", "192.0.2.7")], "192.0.2.7"),
      ([("X-Forwarded-For", "192.0.2.7:51000")], "192.0.2.7"), ([("X-Forwarded-For", "2001:db8::7")], "2001:db8::7"),
      ([("X-Forwarded-For", "::ffff:192.0.2.7")], "192.0.2.7"),
      ([("X-Forwarded-For", "10.1.1.1, 10.2.2.2")], "10.1.1.1"),
    ])
  func named(_ headers: [(String, String)], _ expected: String) {
    let visitor = visitor("127.0.0.1", headers)
    #expect(visitor.way == .named)
    #expect(visitor.text == expected)
  }

  @Test(
    "of Forwarded the same counts, where the proxies are said to write that",
    arguments: [
      ("for=192.0.2.7", "192.0.2.7"), (#"for="[2001:db8::7]:4711";proto=https, for=10.0.0.2"#, "2001:db8::7"),
      (#"For="1.2.3.4, 5.6.7.8"; by=x, for=192.0.2.7;host="a;b,c""#, "192.0.2.7"),
    ])
  func namedByForwarded(_ line: String, _ expected: String) {
    let visitor = visitor("127.0.0.1", [("Forwarded", line)], by: .forwarded)
    #expect(visitor.way == .named)
    #expect(visitor.text == expected)
  }

  @Test("the header that the proxies do not write is never read: a visitor can neither hide nor be another by it")
  func otherHeader() {
    let headers = [
      ("Forwarded", "for=192.0.2.8;host=b.example"), ("X-Forwarded-For", "192.0.2.7"),
      ("X-Forwarded-Host", "a.example"),
    ]
    #expect(visitor("10.0.0.9", headers).text == "192.0.2.7")
    #expect(visitor("10.0.0.9", headers, by: .forwarded).text == "192.0.2.8")
    #expect(visitor("10.0.0.9", [headers[0]]).way == .hidden)
    #expect(visitor("10.0.0.9", [headers[1]], by: .forwarded).way == .hidden)
    #expect(TrustedProxies([]).host(HTTPHeaders(headers)) == "a.example")
    #expect(TrustedProxies([], header: .forwarded).host(HTTPHeaders(headers)) == "b.example")
    #expect(TrustedProxies([]).host(HTTPHeaders([headers[0]])) == nil)
  }

  @Test(
    "where nothing sound is said, the visitor is the proxy, and known to be one",
    arguments: [
      [], [("X-Forwarded-For", "unknown")], [("X-Forwarded-For", "192.0.2.7, ")], [("X-Forwarded-For", "localhost")],
      [("Forwarded", "for=_hidden")], [("Forwarded", "proto=http")],
    ] as [[(String, String)]])
  func hidden(_ headers: [(String, String)]) {
    for header in TrustedProxies.Header.allCases {
      let visitor = visitor("10.0.0.9", headers, by: header)
      #expect(visitor.way == .hidden)
      #expect(visitor.text == "10.0.0.9")
    }
  }

  @Test("a peer that nobody named is itself, whatever it says") func untrusted() {
    #expect(visitor("192.0.2.1", []).way == .direct)
    let claiming = visitor("192.0.2.1", [("X-Forwarded-For", "127.0.0.1")])
    #expect(claiming.way == .strangeProxy)
    #expect(claiming.text == "192.0.2.1")
  }

  @Test("ranges are addresses, or a prefix of them") func ranges() {
    #expect(AddressRange("127.0.0.1")?.contains(Self.address("127.0.0.2")) == false)
    #expect(AddressRange("10.0.0.0/8")?.contains(Self.address("10.255.1.2")) == true)
    #expect(AddressRange("10.0.0.0/8")?.contains(Self.address("::a00:1")) == false)
    #expect(AddressRange("2001:db8::/32")?.contains(Self.address("2001:db8:1::1")) == true)
    #expect(AddressRange("0.0.0.0/0")?.contains(Self.address("198.51.100.1")) == true)
    for text in ["", "proxy", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0.0/-1", "1.2.3.4:80"] {
      #expect(AddressRange(text) == nil, "\(text)")
    }
  }

  @Test("control, RTP and limits go by the visitor whom a trusted proxy names") func byVisitor() async throws {
    let backend = try TestBackend()
    var limits = WebLimits.standard
    limits.connectionsPerAddress = 1
    try await serving(backend, limits: limits, behind: TrustedProxies([AddressRange("127.0.0.1")!])) { port in
      let sdp = try RawClient(port: port).ask("GET", "/listen.sdp?port=5004", "X-Forwarded-For: 127.0.0.2")
      #expect(sdp.text.contains("c=IN IP4 127.0.0.2\r\n"))
      // It names nobody: RTP to the proxy would be RTP to whoever sits there.
      #expect(try RawClient(port: port).ask("GET", "/listen.sdp?port=5004").status == 422)
      let control = try RawClient(port: port)
      try control.send(
        "GET /osc HTTP/1.1\r\nHost: t\r\nX-Forwarded-For: 192.0.2.7\r\n\(ControlTests.upgrade.joined(separator: "\r\n"))\r\n\r\n"
      )
      #expect(try control.receiveAnswer().status == 101)
      try control.send([1])
      #expect(try control.receiveBytes(1) == [1])
      #expect(backend.callers.withLock { $0.map(\.peer) } == [Self.address("192.0.2.7")])
      // One connection for each visitor, however many the proxy has.
      let first = try RawClient(port: port)
      #expect(try first.ask("GET", "/health", "X-Forwarded-For: 192.0.2.8").status == 200)
      #expect(try first.ask("GET", "/health", "X-Forwarded-For: 192.0.2.8").status == 200)
      #expect(try RawClient(port: port).ask("GET", "/health", "X-Forwarded-For: 192.0.2.8").status == 503)
      #expect(try RawClient(port: port).ask("GET", "/health", "X-Forwarded-For: 192.0.2.9").status == 200)
      // The first carries somebody else now.
      #expect(try first.ask("GET", "/health", "X-Forwarded-For: 192.0.2.10").status == 200)
      #expect(try RawClient(port: port).ask("GET", "/health", "X-Forwarded-For: 192.0.2.8").status == 200)
    }
  }

  @Test(
    "a page is the server's own by the name that the visitor used",
    arguments: [
      // nginx without a line about Host, by address and by the name of an upstream block; with a line; Caddy; a public name as it came.
      (true, "127.0.0.1:8088", nil, "https://jam.example", 200), (true, "backend", nil, "https://jam.example", 200),
      (true, "127.0.0.1:8088", "jam.example", "https://jam.example", 200),
      (true, "127.0.0.1:8088", "jam.example", "https://evil.example", 403),
      (true, "jam.example", nil, "https://jam.example", 200), (true, "jam.example", nil, "https://evil.example", 403),
      // Past no proxy that was named, nothing of it counts.
      (false, "127.0.0.1:8088", nil, "https://jam.example", 403),
      (false, "127.0.0.1:8088", "jam.example", "https://jam.example", 403),
    ] as [(Bool, String, String?, String, Int)])
  func origins(_ isBehind: Bool, _ host: String, _ forwardedHost: String?, _ origin: String, _ status: Int) async throws
  {
    let backend = try TestBackend(rooms: [TestRoom()])
    let proxies = isBehind ? TrustedProxies([AddressRange("127.0.0.1")!]) : .none
    try await serving(backend, behind: proxies) { port in
      let client = try RawClient(port: port)
      let more = forwardedHost.map { "X-Forwarded-Host: \($0)\r\n" } ?? ""
      try client.send(
        "PUT /samples/bark HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\n\(more)Content-Length: 1\r\n\r\nx")
      let answer = try client.receiveAnswer()
      #expect(answer.status == (status == 200 ? 201 : 403))
    }
  }
}

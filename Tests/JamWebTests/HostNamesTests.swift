import JamCore
import JamNet
import JamRealtime
import JamTLS
import Testing

@testable import JamWeb

/// Names by which the server is asked. A page of another site may give its name the server's address.
@Suite struct HostNamesTests {
  @Test(
    "addresses and names of local networks are the server's",
    arguments: [
      "127.0.0.1", "192.168.1.20:8088", "203.0.113.7:80", "[::1]", "[::1]:8088", "[2001:DB8::7]:8088", "::1",
      "fe80::1", "[fe80::1%eth0]:8088", "127.1:8088", "localhost", "LocalHost:8088", "localhost.", "jam.localhost",
      "stage.local", "Stage.Local.:8088", "jam.lan", "jam.home.arpa:8088", "host.docker.internal", "stage", "a_b",
      "jam.lan:",
    ])
  func known(_ host: String) { #expect(HostNames().isKnown(host)) }

  @Test(
    "other names are not, and neither is what no browser sends",
    arguments: [
      "evil.example", "EVIL.example:8088", "evil.example.", "localhost.evil.example", "local.evil.example",
      "127.0.0.1.evil.example", "evil-lan.example", "xlan.example", "arpa.example", "[::1].evil.example",
      "[::1]evil.example", "[127.0.0.1]", "127.0.0.1:8088.evil.example", "127.0.0.1@evil.example",
      "evil.example:80:80", "localhost/", "local host", "[::1", "", ".", ":8088", "jam.lan:80a",
      "1.example", "evil.example\u{3002}lan",
    ])
  func unknown(_ host: String) { #expect(!HostNames().isKnown(host)) }

  @Test("names that the operator gave, the machine's own and the certificate's are the server's") func given() throws {
    var names = HostNames(given: ["Jam.Example.org"], own: ["studio.example.net", ""])
    #expect(names.isKnown("jam.example.org:8088"))
    #expect(names.isKnown("JAM.example.org."))
    #expect(names.isKnown("studio.example.net"))
    #expect(!names.isKnown("example.org"))
    #expect(!names.isKnown("x.jam.example.org"))
    #expect(!names.isKnown("club.example.org"))
    let certified = [CertificateName.host("club.example.org")]
    names.keys = try TLSKeys(
      from: { () throws(TLSKeys.Problem) in
        do throws(TLSProblem) {
          let made = try OwnAuthority(in: nil, machine: "stage", names: certified).server(names: certified)
          return TLSPair(certificates: made.certificate, key: made.key)
        } catch { throw TLSKeys.Problem("\(error)") }
      }, report: { _ in }, at: HostTime(nanoseconds: 1))
    #expect(names.isKnown("club.example.org:8443"))
    #expect(!names.isKnown("evil.example.org"))
  }

  /// Requests for every door, and what is behind none.
  private static func requests(_ backend: TestBackend) -> [(method: String, path: String)] {
    let router = Router.standard(backend: backend, counters: WebCounters(), limits: .standard)
    let doors = router.doors.compactMap { door -> (method: String, path: String)? in
      let parts = door.split(separator: " ")
      guard parts.count == 2 else { return nil }
      return (String(parts[0]), String(parts[1].replacing("<name>", with: "y")))
    }
    return doors + [("GET", "/page.js"), ("GET", "/nothing"), ("OPTIONS", "*"), ("GET", "/rooms/main"), ("TRACE", "/")]
  }

  @Test("whatever is asked for by another site's name gets 421, and the addresses in plain text") func everyDoor()
    async throws
  {
    let ann = PlayerStatus(name: "Ann", colour: "#ff0000", isHost: true, kitName: "Starter")
    let backend = try TestBackend(rooms: [TestRoom(players: [ann])])
    let requests = Self.requests(backend)
    #expect(requests.count > 25)
    try await serving(backend) { port in
      for (method, path) in requests {
        let client = try RawClient(port: port)
        try client.send(
          "\(method) \(path) HTTP/1.1\r\nHost: evil.example:\(port)\r\nOrigin: http://evil.example:\(port)\r\n"
            + ControlTests.upgrade.joined(separator: "\r\n") + "\r\n\r\n")
        let answer = try client.receiveAnswer()
        #expect(answer.status == 421, "\(method) \(path)")
        #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(answer.headers["access-control-allow-origin"] == nil)
        #expect(answer.text.contains("http://192.168.1.20:\(port)/"))
        #expect(answer.text.contains("--public NAME"))
        #expect(!answer.text.contains("Ann") && !answer.text.contains("<"))
      }
      #expect(backend.callers.withLock { $0.isEmpty })
      #expect(backend.rooms["main"]?.uploads.withLock { $0.isEmpty } == true)
    }
  }

  @Test("a request without a Host is one by address in HTTP/1.0, and malformed in 1.1") func withoutHost() async throws
  {
    let requests = [
      ("GET /health HTTP/1.0\r\n", 200), ("GET /health HTTP/1.0\r\nHost: evil.example\r\n", 421),
      ("GET /health HTTP/1.0\r\nHost: t\r\nHost: evil.example\r\n", 421), ("GET /health HTTP/1.1\r\n", 400),
      ("GET http://evil.example/health HTTP/1.1\r\nHost: t\r\n", 421),
      ("GET http://t/health HTTP/1.1\r\nHost: evil.example\r\n", 421),
      ("GET http://jam.lan:80/health HTTP/1.1\r\nHost: t\r\n", 200),
    ]
    try await serving { port in
      for (request, status) in requests {
        let client = try RawClient(port: port)
        try client.send(request + "\r\n")
        let answer = try client.receiveAnswer()
        #expect(answer.status == status, "\(request)")
      }
    }
  }

  @Test(
    "a named proxy answers for its names, unless names were given; then they hold for it, too",
    arguments: [
      ([], "jam.example", nil, 200), ([], "127.0.0.1:8088", "jam.example", 200),
      (["jam.example"], "jam.example", nil, 200), (["jam.example"], "backend", "jam.example", 200),
      (["jam.example"], "evil.example", nil, 421), (["jam.example"], "backend", "evil.example", 421),
      (["jam.example"], "evil.example", "jam.example", 421),
    ] as [([String], String, String?, Int)])
  func proxies(_ given: [String], _ host: String, _ forwardedHost: String?, _ status: Int) async throws {
    let proxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap(\.self))
    let more = forwardedHost.map { "X-Forwarded-Host: \($0)\r\n" } ?? ""
    let request = "GET /health HTTP/1.1\r\nHost: \(host)\r\nX-Forwarded-For: 192.0.2.7\r\n\(more)\r\n"
    try await serving(behind: proxies, names: HostNames(given: given)) { port in
      let client = try RawClient(port: port)
      try client.send(request)
      #expect(try client.receiveAnswer().status == status)
    }
  }

  @Test("a proxy that nobody named makes no name known, and the answer says how to name it") func strangeProxy()
    async throws
  {
    try await serving { port in
      let client = try RawClient(port: port)
      try client.send(
        "GET /health HTTP/1.1\r\nHost: jam.example\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Host: localhost\r\n\r\n"
      )
      let answer = try client.receiveAnswer()
      #expect(answer.status == 421)
      #expect(answer.text.contains("--behind ADDRESS"))
    }
  }

  @Test(
    "a page's origin has the scheme of the connection, or the one that the proxy tells",
    arguments: [
      (false, nil, "http://jam.lan", 101), (false, nil, "https://jam.lan", 403),
      (false, "https", "https://jam.lan", 403),
      (true, "https", "https://jam.lan", 101), (true, "https", "http://jam.lan", 403),
      (true, "wss", "https://jam.lan", 101), (true, "http", "https://jam.lan", 403),
      // A proxy that does not tell it may have either.
      (true, nil, "https://jam.lan", 101), (true, nil, "http://jam.lan", 101),
    ] as [(Bool, String?, String, Int)])
  func schemes(_ isBehind: Bool, _ scheme: String?, _ origin: String, _ status: Int) async throws {
    let proxies = isBehind ? TrustedProxies([AddressRange("127.0.0.1")].compactMap(\.self)) : .none
    let more = scheme.map { ["X-Forwarded-Proto: \($0)"] } ?? []
    let headers = ["Host: jam.lan", "Origin: \(origin)"] + more + ControlTests.upgrade
    try await serving(behind: proxies) { port in
      let client = try RawClient(port: port)
      try client.send("GET /osc HTTP/1.1\r\n" + headers.map { "\($0)\r\n" }.joined() + "\r\n")
      #expect(try client.receiveAnswer().status == status)
    }
  }
}

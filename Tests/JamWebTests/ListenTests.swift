import Glibc
import JamCore
import JamNet
import JamStream
import NIOCore
import Testing

@testable import JamWeb

@Suite struct ListenTests {
  @Test("/listen.opus is Ogg Opus without a length, and the sound follows the head")
  func ogg() async throws {
    let room = TestRoom()
    room.fanout.start()
    defer { room.fanout.stop() }
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      try client.send("GET /listen.opus HTTP/1.1\r\nHost: t\r\n\r\n")
      let answer = try client.receiveAnswer()
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "audio/ogg")
      #expect(answer.headers["content-length"] == nil && answer.headers["transfer-encoding"] == nil)
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(answer.headers["connection"] == "close")
      #expect(room.streams.listenerCount == 1)
      // The connection changes hands on another thread: the room plays on until its sound comes.
      var sound: [UInt8] = []
      for _ in 0..<10_000 where sound.count < 1_000 {
        room.play(buffers: 8)
        room.streams.encode()
        sound += try client.receiveWhatIsThere()
        sched_yield()
      }
      #expect(sound.starts(with: Array("OggS".utf8)))
      #expect(String(decoding: sound, as: Unicode.ASCII.self).contains("OpusHead"))
    }
  }

  @Test("a listener that goes away gives its place back")
  func leaving() async throws {
    let room = TestRoom()
    room.fanout.start()
    defer { room.fanout.stop() }
    try await serving(try TestBackend(rooms: [room])) { port in
      var client: RawClient? = try RawClient(port: port)
      try client?.send("GET /listen.opus HTTP/1.1\r\nHost: t\r\n\r\n")
      #expect(try client?.receiveAnswer().status == 200)
      client = nil
      var rounds = 0
      while room.streams.listenerCount > 0 && rounds < 100_000 {
        room.play(buffers: 8)
        room.streams.encode()
        rounds += 1
        sched_yield()
      }
      #expect(room.streams.listenerCount == 0)
    }
  }

  @Test("HEAD of a stream tells its type and takes no place")
  func heads() async throws {
    let room = TestRoom()
    try await serving(try TestBackend(rooms: [room])) { port in
      let head = try RawClient(port: port).ask("HEAD", "/listen.opus").headers
      #expect(head["content-length"] == nil)
      #expect(head["content-type"] == OggMount.mediaType)
      // Pages of other sites may play it, and nothing else of a room's own; none may read it.
      #expect(head["cross-origin-resource-policy"] == "cross-origin" && head["access-control-allow-origin"] == nil)
      let health = try RawClient(port: port).ask("HEAD", "/health").headers
      #expect(health["cross-origin-resource-policy"] == "same-origin")
      let client = try RawClient(port: port)
      #expect(try client.ask("HEAD", "/listen.sdp?port=5004").headers["content-type"] == "application/sdp")
      #expect(try client.ask("HEAD", "/listen.sdp").status == 400)
      #expect(room.streams.listenerCount == 0)
    }
  }

  @Test(
    "a wrong word in a stream's query gets 400 and what would be right",
    arguments: [
      ("/listen.opus?frame=7", "2.5, 5, 10 or 20"), ("/listen.opus?bitrate=1", "64000…256000"),
      ("/listen.sdp", "port="), ("/listen.sdp?port=80", "1024…65534"),
      ("/listen.sdp?port=99999", "1024…65534"),
      ("/listen.sdp?port=-1", "1024…65534"), ("/listen.sdp?port=5004&frame=x", "2.5, 5, 10 or 20"),
      ("/last.wav?seconds=x", "1…60"), ("/last.wav?seconds=0", "1…60"), ("/last.wav?seconds=-3", "1…60"),
      ("/last.wav?seconds=nan", "1…60"),
    ])
  func wrongQuery(path: String, hint: String) async throws {
    try await serving { port in
      let answer = try RawClient(port: port).ask("GET", path)
      #expect(answer.status == 400)
      #expect(answer.text.contains(hint))
    }
  }

  @Test("/listen.sdp leases RTP to the asker's own address, whatever the query claims")
  func sdp() async throws {
    let backend = try TestBackend()
    try await serving(backend) { port in
      let client = try RawClient(port: port)
      let answer = try client.ask("GET", "/listen.sdp?port=5004&frame=2.5&address=10.9.9.9")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "application/sdp")
      #expect(answer.text.hasPrefix("v=0\r\n"))
      // How to go on hearing it, for programs and for people.
      let renewal =
        "this RTP stream ends after 30 s: repeat the request each 20 s, as for ffmpeg, or send RTCP "
        + "receiver reports to UDP port \(backend.media.port)"
      #expect(answer.headers["bandshell-lease"] == "30;rtcp-port=\(backend.media.port);renew=\"\(renewal)\"")
      #expect(answer.text.contains("\r\ni=\(renewal)\r\n"))
      #expect(answer.text.contains("c=IN IP4 127.0.0.1\r\n"))
      #expect(answer.text.contains("m=audio 5004 RTP/AVP"))
      #expect(!answer.text.contains("10.9.9.9"))
    }
  }

  @Test("a bitrate that does not hold for its frames is raised, and the answer says so")
  func raisedBitrate() async throws {
    let room = TestRoom()
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      let raised = try client.ask("GET", "/listen.sdp?port=5004&frame=5&bitrate=64000")
      #expect(raised.text.contains("maxaveragebitrate=128000"))
      #expect(
        raised.headers["bandshell-notice"]
          == "bitrate=64000 does not hold with frames of 5 ms, so this stream has 128000 bits per second")
      // One that holds is what it was, and a standard is nothing that was asked for.
      for query in ["frame=5&bitrate=128000", "frame=10&bitrate=96000", "frame=2.5"] {
        #expect(try client.ask("GET", "/listen.sdp?port=5004&" + query).headers["bandshell-notice"] == nil)
      }
    }
  }

  @Test("RTP goes neither to an address that a header claims, nor to a proxy that nobody named")
  func claimedAddress() async throws {
    let room = TestRoom()
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      for header in ["X-Forwarded-For: 10.9.9.9", "forwarded: for=10.9.9.9", "X-Real-IP: 10.9.9.9", "Via: 1.1 cache"] {
        let answer = try client.ask("GET", "/listen.sdp?port=5004", header)
        #expect(answer.status == 422)
        #expect(answer.text.contains("--behind"))
      }
      #expect(room.streams.listenerCount == 0)
    }
  }

  @Test("a page of another site cannot aim a stream at its visitor")
  func crossSite() async throws {
    let room = TestRoom()
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      #expect(try client.ask("GET", "/listen.sdp?port=5004", "Sec-Fetch-Site: cross-site").status == 403)
      #expect(room.streams.listenerCount == 0)
      #expect(try client.ask("GET", "/listen.sdp?port=5004", "Sec-Fetch-Site: same-origin").status == 200)
    }
  }

  @Test(
    "over plain HTTP the page that asked is known by Origin and Referer",
    arguments: [
      ("Origin: http://evil.example", 403), ("Referer: http://evil.example/page?test", 403), ("Origin: null", 403),
      ("Origin: http://test:8088", 403), ("Referer: http://test@evil.example/", 403), ("Origin: http://test", 200),
      ("Origin: http://TEST:80", 200), ("Referer: http://test/watch", 200),
      // The server speaks no TLS here, so a page with that scheme is of another origin.
      ("Origin: https://test", 403), ("Referer: https://test:443/", 403),
    ])
  func crossSiteOverHTTP(header: String, status: Int) async throws {
    let room = TestRoom()
    try await serving(try TestBackend(rooms: [room])) { port in
      let answer = try RawClient(port: port).ask("GET", "/listen.sdp?port=5004", header)
      #expect(answer.status == status)
      #expect((status == 403) == answer.text.contains("another site"))
      // Whoever embeds the sound in a page aims it at nobody.
      #expect(try RawClient(port: port).ask("HEAD", "/listen.opus", header).status == 200)
    }
  }

  @Test("an IPv4 peer of a socket that takes both families is an IPv4 address again")
  func mappedAddress() throws {
    let mapped = try NIOCore.SocketAddress(ipAddress: "::ffff:192.168.1.9", port: 4000)
    #expect(JamNet.SocketAddress(mapped) == .ipv4(192, 168, 1, 9, port: 4000))
    let six = try NIOCore.SocketAddress(ipAddress: "2001:db8::1", port: 4000)
    #expect(JamNet.SocketAddress(six)?.description == "[2001:db8::1]:4000")
    #expect(JamNet.SocketAddress(try NIOCore.SocketAddress(unixDomainSocketPath: "/tmp/x")) == nil)
    #expect(JamNet.SocketAddress(nil as NIOCore.SocketAddress?) == nil)
  }

  @Test("a full room answers 503 and names its limit")
  func fullRoom() async throws {
    var limits = Limits.standard
    limits.listenersPerRoom = 1
    let room = TestRoom(limits: limits)
    room.fanout.start()
    defer { room.fanout.stop() }
    try await serving(try TestBackend(rooms: [room])) { port in
      let first = try RawClient(port: port)
      try first.send("GET /listen.opus HTTP/1.1\r\nHost: t\r\n\r\n")
      #expect(try first.receiveAnswer().status == 200)
      for path in ["/listen.opus", "/listen.sdp?port=5004"] {
        let answer = try RawClient(port: port).ask("GET", path)
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "5")
        #expect(answer.text.contains("1 listeners"))
      }
    }
  }

  private func roomWithPlayers(_ names: [String], password: String? = nil) -> TestRoom {
    TestRoom(
      password: password,
      players: names.map { PlayerStatus(name: $0, colour: "#ffffff", isHost: false, kitName: "Kit") })
  }

  @Test("a player's cue is for whoever has its token; anybody else is told where that comes from")
  func cueTokens() async throws {
    let room = roomWithPlayers(["ann"])
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      for path in ["/listen.opus?", "/listen.sdp?port=5004&"] {
        for query in ["player=ann", "player=ann&token=", "player=ann&token=token-bob", "token=x&player=ann&click=1"] {
          let answer = try client.ask("GET", path + query)
          #expect(answer.status == 403)
          #expect(answer.text.contains("/welcome") && answer.text.contains("ann"))
        }
        for query in ["player=bob&token=token-bob", "player=&token=token-ann"] {
          let answer = try client.ask("GET", path + query)
          #expect(answer.status == 404)
          #expect(answer.text.contains("leave player= out") || answer.text.contains("leave it out"))
        }
        #expect(try client.ask("GET", path + "player=ann&token=token-ann&frame=7").status == 400)
        #expect(try client.ask("HEAD", path + "player=ann&token=token-ann").status == 200)
        #expect(try client.ask("HEAD", path + "player=ann&token=x").status == 403)
      }
      #expect(room.streams.listenerCount == 0)
      #expect(try client.ask("GET", "/listen.sdp?port=5004&player=ann&token=token-ann").status == 200)
      #expect(room.streams.encoderStatistics.map(\.profile.query) == ["frame=5&bitrate=128000&player=ann"])
    }
  }

  @Test("without=me is a cue of its own, and wants a player with a token")
  func withoutMe() async throws {
    let room = roomWithPlayers(["ann"])
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      for path in ["/listen.opus?", "/listen.sdp?port=5004&"] {
        for query in ["without=me", "without=me&token=token-ann"] {
          let answer = try client.ask("GET", path + query)
          #expect(answer.status == 400 && answer.text.contains("player="), "\(path)\(query)")
        }
        let unknown = try client.ask("GET", path + "player=ann&token=token-ann&without=bob")
        #expect(unknown.status == 400 && unknown.text.contains("without=me"))
        #expect(try client.ask("GET", path + "player=ann&token=x&without=me").status == 403)
        #expect(try client.ask("GET", path + "player=bob&token=token-bob&without=me").status == 404)
        #expect(try client.ask("HEAD", path + "player=ann&token=token-ann&without=me").status == 200)
      }
      #expect(room.streams.listenerCount == 0)
      for (port, without) in [(5004, ""), (5006, "&without=me")] {
        let path = "/listen.sdp?port=\(port)&player=ann&token=token-ann\(without)"
        #expect(try client.ask("GET", path).status == 200)
      }
      let queries = room.streams.encoderStatistics.map(\.profile.query).sorted()
      let plain = "frame=5&bitrate=128000&player=ann"
      #expect(queries == [plain, "\(plain)&without=me"])
      #expect(Set(room.streams.encoderStatistics.map(\.cue)) == [0, 1])
    }
  }

  @Test("sixteen cues are encoded in a room, the next gets 503 and hears of the others")
  func sixteenCues() async throws {
    let names = (1...17).map { "p\($0)" }
    let room = roomWithPlayers(names)
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      for (n, name) in names.enumerated() {
        let answer = try client.ask("GET", "/listen.sdp?port=\(5004 + n * 2)&player=\(name)&token=token-\(name)")
        #expect(answer.status == (n < 16 ? 200 : 503))
        if n == 16 { #expect(answer.text.contains("16 streams") && answer.headers["retry-after"] == "5") }
      }
      // A renewal is no new encoder, a second listener neither.
      #expect(try client.ask("GET", "/listen.sdp?port=5004&player=p1&token=token-p1").status == 200)
      #expect(try client.ask("GET", "/listen.sdp?port=5100&player=p1&token=token-p1").status == 200)
      #expect(try client.ask("GET", "/listen.sdp?port=5102").status == 200)
    }
  }

  @Test("a cue of a room with a password wants the password, too")
  func cueWithPassword() async throws {
    try await serving(try TestBackend(rooms: [roomWithPlayers(["ann"], password: "word")])) { port in
      let client = try RawClient(port: port)
      #expect(try client.ask("HEAD", "/listen.opus?player=ann&token=token-ann").status == 401)
      #expect(try client.ask("HEAD", "/listen.opus?player=ann&token=token-ann&password=word").status == 200)
    }
  }

  @Test("sound of a room with a password wants the word, in a header or in the query")
  func password() async throws {
    try await serving(try TestBackend(rooms: [TestRoom(password: "open & shut")])) { port in
      let client = try RawClient(port: port)
      for path in ["/listen.opus", "/listen.sdp?port=5004", "/last.wav"] {
        let answer = try client.ask("GET", path)
        #expect(answer.status == 401)
        #expect(answer.headers["www-authenticate"] == "Bearer realm=\"bandshell\"")
        #expect(answer.text.contains("?password="))
        #expect(try client.ask("GET", path, "Authorization: Bearer wrong").status == 401)
        #expect(try client.ask("GET", path, "Authorization: Basic b3BlbiAmIHNodXQ=").status == 401)
        #expect(try client.ask("HEAD", path, "Authorization: Bearer open & shut").status == 200)
      }
      #expect(try client.ask("GET", "/last.wav?password=open+%26+shut").status == 200)
    }
  }
}

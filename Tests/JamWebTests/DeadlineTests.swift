import JamTLS
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import JamWeb

/// Pieces of one byte each.
private struct Drip: PieceSource {
  var left: Int

  mutating func next(allocator: ByteBufferAllocator) -> ByteBuffer? {
    guard left > 0 else { return nil }
    left -= 1
    return ByteBuffer(string: "x")
  }
}

@Suite struct DeadlineTests {
  @Test("a head that trickles in gets 408 after ten seconds, however busily it trickles")
  func slowHead() throws {
    let connection = try SteppedConnection()
    try connection.receive("GET / HTTP/1.1\r\n")
    for _ in 0..<9 {
      connection.loop.advanceTime(by: .seconds(1))
      try connection.receive("X: y\r\n")
      #expect(connection.channel.isActive)
    }
    #expect(try connection.sent().isEmpty)
    connection.loop.advanceTime(by: .seconds(1))
    #expect(try connection.sent().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    connection.loop.advanceTime(by: .seconds(3))
    #expect(!connection.channel.isActive)
    #expect(connection.counters.timeouts.load(ordering: .relaxed) == 1)
  }

  @Test("a connection that never says anything ends without a word")
  func silent() throws {
    let connection = try SteppedConnection()
    connection.loop.advanceTime(by: .seconds(9))
    #expect(connection.channel.isActive)
    connection.loop.advanceTime(by: .seconds(1))
    #expect(!connection.channel.isActive)
    #expect(try connection.sent().isEmpty)
  }

  @Test("a handshake of TLS that goes no further ends after ten seconds, however busily it trickles")
  func handshake() throws {
    let names = [CertificateName.host("stage.local")]
    let made = try OwnAuthority(in: nil, machine: "stage", names: names).server(names: names)
    let keys = try TLSKeys(
      from: { () throws(TLSKeys.Problem) in TLSPair(certificates: made.certificate, key: made.key) }, report: { _ in })
    let connection = try SteppedConnection(keys: keys)
    // A record of 512 bytes, of which few come.
    try connection.receive("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0")
    for _ in 0..<9 {
      connection.loop.advanceTime(by: .seconds(1))
      try connection.receive("\u{1}")
      #expect(connection.channel.isActive)
    }
    connection.loop.advanceTime(by: .seconds(1))
    #expect(!connection.channel.isActive)
    #expect(try connection.sent().isEmpty)
  }

  @Test("a connection may rest a minute between requests, and each request starts the minute again")
  func idle() throws {
    let connection = try SteppedConnection()
    for _ in 0..<3 {
      try connection.receive("GET /health HTTP/1.1\r\nHost: t\r\n\r\n")
      #expect(try connection.sent().hasPrefix("HTTP/1.1 200 OK\r\n"))
      connection.loop.advanceTime(by: .seconds(59))
      #expect(connection.channel.isActive)
    }
    connection.loop.advanceTime(by: .seconds(1))
    #expect(!connection.channel.isActive)
    #expect(connection.counters.timeouts.load(ordering: .relaxed) == 0)
  }

  @Test("a peer that takes nothing is not read any more, and is cut off when it stalls")
  func neverReading() throws {
    let connection = try SteppedConnection { router in
      router.get("/drip") { _, _ in Response(body: .pieces(Drip(left: 3), length: 3)) }
    }
    connection.channel.isWritable = false
    try connection.receive("GET /drip HTTP/1.1\r\nHost: t\r\n\r\nGET /health HTTP/1.1\r\nHost: t\r\n\r\n")
    #expect(try connection.sent().isEmpty)
    connection.channel.isWritable = true
    connection.channel.pipeline.fireChannelWritabilityChanged()
    let answers = try connection.sent()
    #expect(answers.contains("\r\n\r\nxxxHTTP/1.1 200 OK\r\n"))
    connection.loop.advanceTime(by: .seconds(59))
    #expect(connection.channel.isActive)
  }

  @Test("a body in pieces waits for the peer and ends the connection after twenty seconds of waiting")
  func stalledBody() throws {
    let connection = try SteppedConnection { router in
      router.get("/drip") { _, _ in Response(body: .pieces(Drip(left: 1_000), length: 1_000)) }
    }
    try connection.receive("GET /drip HTTP/1.1\r\nHost: t\r\n\r\n")
    connection.channel.isWritable = false
    connection.loop.run()
    let first = try connection.sent()
    #expect(first.hasSuffix("x") && first.filter { $0 == "x" }.count < 1_000)
    for _ in 0..<3 {
      connection.loop.advanceTime(by: .seconds(19))
      connection.channel.isWritable = true
      connection.channel.pipeline.fireChannelWritabilityChanged()
      connection.channel.isWritable = false
      connection.loop.run()
      #expect(try connection.sent().hasPrefix("x"))
    }
    connection.loop.advanceTime(by: .seconds(20))
    #expect(!connection.channel.isActive)
    #expect(connection.counters.timeouts.load(ordering: .relaxed) == 1)
  }

  @Test("a body in pieces arrives whole, and the next request is answered behind it")
  func wholeBody() throws {
    let connection = try SteppedConnection { router in
      router.get("/drip") { _, _ in Response(body: .pieces(Drip(left: 100), length: 100)) }
    }
    try connection.receive("GET /drip HTTP/1.1\r\nHost: t\r\n\r\nGET /health HTTP/1.1\r\nHost: t\r\n\r\n")
    connection.loop.run()
    #expect(try connection.sent().contains("\r\n\r\n" + String(repeating: "x", count: 100) + "HTTP/1.1 200 OK\r\n"))
  }

  @Test("a stream takes the connection over: nothing of HTTP stays behind, and no deadline ends it")
  func takeover() throws {
    let connection = try SteppedConnection { router in
      router.get("/stream") { _, _ in
        Response(
          headers: [("Content-Type", "audio/ogg")],
          body: .takeover { $0.writeAndFlush(ByteBuffer(string: "OggS"), promise: nil) })
      }
    }
    try connection.receive("GET /stream HTTP/1.1\r\nHost: t\r\n\r\n")
    connection.loop.run()
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(sent.contains("\r\nConnection: close\r\n\r\nOggS"))
    #expect(!sent.contains("Content-Length"))
    #expect(throws: ChannelPipelineError.self) {
      try connection.channel.pipeline.syncOperations.handler(type: Connection.self)
    }
    #expect(throws: ChannelPipelineError.self) {
      try connection.channel.pipeline.syncOperations.handler(type: RequestLineWatch.self)
    }
    #expect(throws: ChannelPipelineError.self) {
      try connection.channel.pipeline.syncOperations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
    }
    connection.loop.advanceTime(by: .hours(24))
    #expect(connection.channel.isActive)
  }

  @Test("whoever waits for work that takes more than a minute is told so")
  func workedTooLong() throws {
    let connection = try SteppedConnection {
      $0.put(below: "/deeds/") { _, _ in
        Response(body: .receive(BodyPlan(limit: 10, tooLarge: .text(.payloadTooLarge, ""), then: { _, _ in })))
      }
    }
    try connection.receive("PUT /deeds/a HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx")
    connection.loop.advanceTime(by: .seconds(59))
    #expect(try connection.sent().isEmpty)
    connection.loop.advanceTime(by: .seconds(1))
    let answer = try connection.sent()
    #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") && answer.contains("Retry-After: 60\r\n"))
  }

  @Test("HEAD of a stream has its head and goes on as HTTP")
  func headOfStream() throws {
    let connection = try SteppedConnection { router in
      router.get("/stream") { _, _ in Response(body: .takeover { _ in Issue.record("nobody asked for the stream") }) }
    }
    try connection.receive("HEAD /stream HTTP/1.1\r\nHost: t\r\nConnection: keep-alive\r\n\r\n")
    #expect(try connection.sent().hasPrefix("HTTP/1.1 200 OK\r\n"))
  }
}

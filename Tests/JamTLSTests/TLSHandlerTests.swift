import NIOCore
import NIOEmbedded
import Testing

@testable import JamTLS

/// The handler in a channel, and a client at the other end.
@Suite struct TLSHandlerTests {
  /// A channel with TLS and its client; the test carries bytes when it calls `exchange`.
  private final class Pair {
    let channel = EmbeddedChannel()
    let client = TLSClient()

    init(isOpen: Bool = true) throws {
      try channel.pipeline.syncOperations.addHandler(TLSHandler(.made()))
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      client.step()
      if isOpen { try exchange() }
    }

    deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

    /// - Returns: how many records came from the server.
    @discardableResult func exchange() throws -> Int {
      var records = 0
      while true {
        var isDone = true
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
          records += bytes.records
          client.receive(bytes)
          isDone = false
        }
        let bytes = client.output()
        if bytes.readableBytes > 0, channel.isActive {
          _ = try? channel.writeInbound(bytes)
          isDone = false
        }
        if isDone { return records }
      }
    }

    func heard() throws -> String {
      var all = ByteBuffer()
      while let bytes = try channel.readInbound(as: ByteBuffer.self) { all.writeImmutableBuffer(bytes) }
      return String(buffer: all)
    }

    /// Writes, and says later what came of it.
    func write(_ text: String) -> Fate {
      let fate = Fate()
      channel.write(ByteBuffer(string: text)).whenComplete { fate.result = $0 }
      return fate
    }
  }

  private final class Fate: @unchecked Sendable {
    // Unchecked: the embedded loop is the test's own thread.
    var result: Result<Void, any Error>?
    var isGood: Bool { if case .success = result { true } else { false } }
    var isBad: Bool { if case .failure = result { true } else { false } }
  }

  @Test("what is written before the handshake's end follows it, in order") func early() throws {
    let pair = try Pair(isOpen: false)
    let first = pair.write("one ")
    pair.channel.flush()
    let second = pair.write("two")
    try pair.exchange()
    #expect(pair.client.takeHeard() == "one ")
    #expect(first.isGood)
    #expect(second.result == nil)
    pair.channel.flush()
    try pair.exchange()
    #expect(pair.client.takeHeard() == "two")
    #expect(second.isGood)
  }

  @Test("small writes of one flush are one record, and an empty one keeps its promise") func small() throws {
    let pair = try Pair()
    let fates = ["a", "", "b", "c"].map(pair.write)
    pair.channel.flush()
    #expect(try pair.exchange() == 1)
    #expect(pair.client.takeHeard() == "abc")
    let empty = pair.write("")
    pair.channel.flush()
    for fate in fates + [empty] { #expect(fate.isGood) }
  }

  @Test("a client's goodbye comes behind its words, and ends the connection") func goodbye() throws {
    let pair = try Pair()
    pair.client.say("GET /")
    pair.client.end()
    try pair.exchange()
    #expect(try pair.heard() == "GET /")
    #expect(pair.client.isEnded)
    #expect(!pair.channel.isActive)
  }

  @Test("a close says goodbye and waits for nobody; what was not flushed is refused") func close() throws {
    let pair = try Pair()
    let unflushed = pair.write("late")
    try pair.channel.close().wait()
    pair.channel.embeddedEventLoop.run()
    try pair.exchange()
    #expect(pair.client.isEnded)
    #expect(pair.client.takeHeard() == "")
    #expect(unflushed.isBad)
  }

  @Test("a close within the handshake ends it, and refuses what waited for it") func closedEarly() throws {
    let pair = try Pair(isOpen: false)
    let kept = pair.write("never")
    pair.channel.flush()
    try pair.channel.close().wait()
    pair.channel.embeddedEventLoop.run()
    #expect(kept.isBad)
  }

  @Test("an end of output says goodbye behind what was written, and nothing follows") func output() throws {
    let pair = try Pair()
    let last = pair.write("last")
    pair.channel.flush()
    pair.channel.close(mode: .output, promise: nil)
    try pair.exchange()
    #expect(last.isGood)
    #expect(pair.client.takeHeard() == "last")
    #expect(pair.client.isEnded)
    let late = pair.write("more")
    pair.channel.flush()
    #expect(late.isBad)
  }

  @Test("what is no TLS gets an alert, and its channel ends") func garbage() throws {
    let pair = try Pair(isOpen: false)
    #expect(throws: TLSProblem.self) {
      try pair.channel.writeInbound(ByteBuffer(string: "\u{16}\u{3}\u{1}\0\u{5}hello"))
    }
    #expect(!pair.channel.isActive)
  }
}

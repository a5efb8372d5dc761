import COpenSSL
import NIOCore
import Testing

@testable import JamTLS

/// The machine around OpenSSL, with another OpenSSL at the other end of the memory.
@Suite struct TLSSessionTests {
  static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

  /// Carries bytes both ways until nobody has any left.
  /// - Returns: what the server was told.
  private static func exchange(_ client: TLSClient, _ session: inout TLSSession, piece: Int = .max) -> (
    text: String, ending: TLSSession.Ending?
  ) {
    var (said, ending) = (ByteBuffer(), TLSSession.Ending?.none)
    client.step()
    while true {
      var bytes = client.output()
      if bytes.readableBytes == 0 { return (String(buffer: said), ending) }
      while let part = bytes.readSlice(length: min(piece, bytes.readableBytes)), part.readableBytes > 0 {
        let step = session.receive(part)
        said.writeImmutableBuffer(step.plaintext)
        ending = ending ?? step.ending
        var answer = step.ciphertext
        while let part = answer.readSlice(length: min(piece, answer.readableBytes)), part.readableBytes > 0 {
          client.receive(part)
        }
      }
    }
  }

  private static func seal(_ text: String, _ session: inout TLSSession) throws -> ByteBuffer {
    let sealed = session.seal(ByteBuffer(string: text))
    return try #require(sealed)
  }

  @Test("a handshake, and words both ways", arguments: versions, [Int.max, 1])
  func words(version: Int32, piece: Int) throws {
    let client = TLSClient(version)
    var session = try TLSSession(.made())
    #expect(session.seal(ByteBuffer(string: "too early")) == nil)
    _ = Self.exchange(client, &session, piece: piece)
    #expect(session.state == .open)
    #expect(client.isReady)
    #expect(client.certificates == 2)
    client.say("GET /")
    #expect(Self.exchange(client, &session, piece: piece) == ("GET /", nil))
    client.receive(try Self.seal("200", &session))
    #expect(client.takeHeard() == "200")
  }

  @Test("a client's first words may come with the end of its handshake") func early() throws {
    let client = TLSClient()
    var session = try TLSSession(.made())
    client.step()
    client.receive(session.receive(client.output()).ciphertext)
    client.say("GET /")
    #expect(String(buffer: session.receive(client.output()).plaintext) == "GET /")
  }

  @Test("a megabyte goes both ways, in full records", arguments: versions) func large(version: Int32) throws {
    let client = TLSClient(version)
    var session = try TLSSession(.made())
    _ = Self.exchange(client, &session)
    let text = String(repeating: "0123456789abcdef", count: 65_536)
    client.say(text)
    #expect(Self.exchange(client, &session, piece: 4_096).text == text)
    let sealed = try Self.seal(text, &session)
    #expect(sealed.records == 64)
    client.receive(sealed)
    #expect(client.takeHeard() == text)
  }

  @Test("TLS 1.1, and TLS 1.2 without forward secrecy, are refused with an alert")
  func old() throws {
    for (client, words) in [
      (TLSClient(TLS1_1_VERSION, ciphers: "ALL:@SECLEVEL=0"), "protocol version"),
      (TLSClient(TLS1_2_VERSION, ciphers: "AES128-GCM-SHA256"), "handshake failure"),
    ] {
      var session = try TLSSession(.made())
      guard case .failed = Self.exchange(client, &session).ending else { Issue.record("no failure"); return }
      #expect(session.state == .over)
      #expect(client.fault?.contains(words) == true, "\(client.fault ?? "none")")
      // Nothing comes of what follows.
      #expect(session.receive(ByteBuffer(string: "more")).ending == nil)
      #expect(session.close().readableBytes == 0)
    }
  }

  @Test("of what a client offers HTTP/1.1 is chosen, and nothing else is asked for", arguments: versions)
  func protocols(version: Int32) throws {
    for (offer, chosen) in [(["h2", "http/1.1"], "http/1.1"), (["h2"], nil), ([], nil)] as [([String], String?)] {
      let client = TLSClient(version, protocols: offer)
      var session = try TLSSession(.made())
      _ = Self.exchange(client, &session)
      #expect(client.isReady)
      #expect(client.chosen == chosen)
    }
  }

  @Test("a client comes back by its ticket", arguments: versions) func tickets(version: Int32) throws {
    let context = try TLSContext.made()
    let client = TLSClient(version)
    var session = try TLSSession(context)
    _ = Self.exchange(client, &session)
    let ticket = try #require(client.ticket())
    defer { SSL_SESSION_free(ticket) }
    let again = TLSClient(version, ticket: ticket)
    var second = try TLSSession(context)
    _ = Self.exchange(again, &second)
    #expect(again.isReady)
    #expect(again.isResumed)
  }

  @Test("what is no TLS behind its first byte gets an alert at most") func garbage() throws {
    for rubbish in ["\u{16}\u{3}\u{1}\0\u{5}hello", "\u{16}" + String(repeating: "\0", count: 70_000)] {
      var session = try TLSSession(.made())
      let step = session.receive(ByteBuffer(string: rubbish))
      guard case .failed = step.ending else { Issue.record("no failure"); return }
      #expect(step.ciphertext.readableBytes <= 7)
      #expect(step.plaintext.readableBytes == 0)
    }
  }

  @Test("a record that somebody changed ends the connection with an alert") func changed() throws {
    let client = TLSClient()
    var session = try TLSSession(.made())
    _ = Self.exchange(client, &session)
    client.say("GET /")
    var bytes = client.output()
    bytes.setInteger(~(bytes.getInteger(at: 8) ?? UInt8(0)), at: 8)
    let step = session.receive(bytes)
    #expect(step.ending != nil)
    client.receive(step.ciphertext)
    #expect(client.fault?.contains("bad record mac") == true)
  }

  @Test("a client's goodbye comes behind its last words, and is answered", arguments: versions)
  func goodbye(version: Int32) throws {
    let client = TLSClient(version)
    var session = try TLSSession(.made())
    _ = Self.exchange(client, &session)
    client.say("GET /")
    client.end()
    #expect(Self.exchange(client, &session) == ("GET /", .closed))
    client.receive(try Self.seal("200", &session))
    client.receive(session.close())
    #expect(client.takeHeard() == "200")
    #expect(client.isEnded)
  }

  @Test("behind the own goodbye nothing is said, and the client is still heard", arguments: versions)
  func ownGoodbye(version: Int32) throws {
    let client = TLSClient(version)
    var session = try TLSSession(.made())
    _ = Self.exchange(client, &session)
    client.receive(session.close())
    #expect(client.isEnded)
    #expect(session.seal(ByteBuffer(string: "more")) == nil)
    #expect(session.close().readableBytes == 0)
    client.say("and")
    client.end()
    #expect(Self.exchange(client, &session) == ("and", .closed))
  }

  @Test("a second handshake in the same connection is refused") func renegotiation() throws {
    let client = TLSClient(TLS1_2_VERSION)
    var session = try TLSSession(.made())
    _ = Self.exchange(client, &session)
    client.renegotiate()
    let step = session.receive(client.output())
    #expect(step.plaintext.readableBytes == 0)
    client.receive(step.ciphertext)
    #expect(client.fault?.contains("no renegotiation") == true, "\(client.fault ?? "none")")
  }
}

extension ByteBuffer {
  /// How many records of TLS there are.
  var records: Int {
    var (rest, count) = (self, 0)
    while rest.readBytes(length: 3) != nil, rest.readLengthPrefixedSlice(as: UInt16.self) != nil { count += 1 }
    return count
  }
}

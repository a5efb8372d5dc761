import JamNet
import TestSupport
import Testing

@testable import JamBonjour

@Suite("Messages of multicast DNS") struct DNSMessageTests {
  func read(_ bytes: [UInt8]) throws(DNSError) -> DNSMessage {
    let result = bytes.withUnsafeBytes { raw -> Result<DNSMessage, DNSError> in
      do throws(DNSError) { return .success(try DNSMessage(raw)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  func name(_ text: String) -> DNSName { DNSName(text) ?? .root }

  var full: DNSMessage {
    var message = DNSMessage(isResponse: true)
    let type = name("_osc._udp.local")
    let instance = type.prepending("Ann's jam. At home") ?? .root
    let host = name("box.local")
    message.questions = [DNSQuestion(type, .pointer), DNSQuestion(instance, .any, wantsUnicast: true)]
    message.answers = [
      DNSRecord(type, .pointer(instance), lifetime: 4_500, isUnique: false),
      DNSRecord(instance, .service(DNSService(port: 8_000, host: host)), lifetime: 120, isUnique: true),
      DNSRecord(
        instance, .text(DNSText(["txtvers": "1", "room": "main", "path": "/"])), lifetime: 4_500, isUnique: true),
    ]
    message.authorities = [DNSRecord(host, .address(.ipv4(192, 168, 1, 5)), lifetime: 120, isUnique: false)]
    message.additionals = [
      DNSRecord(
        host, .address(.ipv6([0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5])), lifetime: 120, isUnique: true),
      DNSRecord(host, .types(next: host, [.a, .aaaa]), lifetime: 120, isUnique: true),
      DNSRecord(host, .other(DNSType(rawValue: 13), [1, 2, 3]), lifetime: 0, isUnique: false),
    ]
    return message
  }

  @Test("what was written is read the same") func roundTrip() throws {
    let message = full
    let bytes = message.encoded()
    #expect(try read(bytes) == message)
    // Names are compressed: `_osc._udp.local` stands there once.
    #expect(bytes.count < 330)
  }

  @Test("a question of another program is read") func foreign() throws {
    // `_osc._udp.local`, type PTR, class IN with the bit that asks for unicast, and the same name by
    // a pointer with type SRV.
    let bytes: [UInt8] =
      [0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 4] + Array("_osc".utf8) + [4] + Array("_udp".utf8) + [5]
      + Array("local".utf8) + [0, 0, 12, 0x80, 1, 0xc0, 12, 0, 33, 0, 1]
    let message = try read(bytes)
    #expect(!message.isResponse)
    #expect(
      message.questions == [
        DNSQuestion(name("_osc._udp.local"), .pointer, wantsUnicast: true),
        DNSQuestion(name("_osc._udp.local"), .service),
      ])
  }

  @Test("names are equal in any case of their letters, and keep theirs") func names() {
    let name = name("Box.LOCAL")
    #expect(name == self.name("bOx.local"))
    #expect(name.hashValue == self.name("box.local").hashValue)
    #expect(name.description == "Box.LOCAL")
    #expect(DNSName(labels: ["a.b", "local"])?.labels == ["a.b", "local"])
    #expect(name.isWithin(self.name("local")) && !name.isWithin(self.name("cal")))
    #expect(name.parent == self.name("local"))
    #expect(DNSName.root.parent == .root)
  }

  @Test("a label that is too long is cut at a character, and a name that is too long is none") func longNames() {
    let label = String(repeating: "é", count: 40)
    #expect(DNSName(labels: [label])?.labels == [String(repeating: "é", count: 31)])
    let long = Array(repeating: String(repeating: "a", count: 63), count: 4)
    #expect(DNSName(labels: long) == nil)
    #expect(DNSName(labels: Array(long.prefix(3)))?.prepending(long[0]) == nil)
  }

  @Test("a text tells its values, and cuts a long one at a character") func texts() {
    let text = DNSText(["txtvers": "1", "path": String(repeating: "é", count: 200)])
    #expect(text["TXTVERS"] == "1")
    #expect(text["path"]?.utf8.count == 250)
    #expect(text["room"] == nil)
    #expect(DNSText([:]).bytes == [0])
    #expect(DNSText(strings: [Array("flag".utf8), Array("a==b".utf8)])["flag"] == "")
    #expect(DNSText(strings: [Array("a==b".utf8)])["a"] == "=b")
  }

  /// A head that tells one question, and what follows it.
  func question(_ name: [UInt8]) -> [UInt8] { [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, 12, 0, 1] }

  @Test("pointers lead back alone")
  func pointers() {
    // To itself, ahead, behind the end, and two that lead to each other.
    for name: [UInt8] in [[0xc0, 12], [0xc0, 14], [0xff, 0xff], [1, 97, 0xc0, 16, 0xc0, 12]] {
      #expect(throws: DNSError.malformedName) { try read(question(name)) }
    }
    // The head's own bytes are a place like any other: twelve empty labels.
    #expect(throws: Never.self) { try read(question([0xc0, 0])) }
    #expect(throws: DNSError.malformedName) { try read(question([0x80, 0])) }
  }

  @Test("a long name by pointers costs no more than 255 bytes") func chains() {
    // Each of 100 names is a label in front of the one before it.
    var bytes: [UInt8] = [0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 3, 97, 97, 97, 0, 0, 12, 0, 1]
    var last = 12
    for _ in 1..<100 {
      let place = bytes.count
      bytes += [3, 97, 97, 97, 0xc0 | UInt8(last >> 8), UInt8(last & 0xff), 0, 12, 0, 1]
      last = place
    }
    #expect(throws: DNSError.nameTooLong) { try read(bytes) }
  }

  @Test("more entries than a network has are refused before they are read") func counts() {
    #expect(throws: DNSError.tooManyEntries) { try read([0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]) }
  }

  @Test("a record whose data has another length is malformed") func lengths() throws {
    var message = DNSMessage(isResponse: true)
    message.answers = [DNSRecord(name("a"), .address(.ipv4(1, 2, 3, 4)), lifetime: 1, isUnique: false)]
    let bytes = message.encoded()
    var longer = bytes + [0]
    longer[bytes.count - 5] = 5
    #expect(throws: DNSError.malformedData) { try read(longer) }
    for count in 0..<bytes.count {
      #expect(throws: DNSError.endsEarly) { try read(Array(bytes.prefix(count))) }
    }
    #expect(throws: DNSError.malformedData) { try read([0, 0, 0x84, 3, 0, 0, 0, 0, 0, 0, 0, 0]) }
  }

  @Test("no bytes make the reader trap, and what is read can be written") func anyBytes() throws {
    var random = RunSeed.numbers()
    let whole = full.encoded()
    for round in 0..<5_000 {
      var bytes = whole
      if round % 4 == 0 {
        bytes = (0..<random.below(600)).map { _ in UInt8(random.below(256)) }
        // The head of a message that says little, so that the rest is read.
        for (place, byte) in [0, 0, 0x84, 0, 0, 2, 0, 2, 0, 1, 0, 1].enumerated() where place < bytes.count {
          bytes[place] = UInt8(byte)
        }
      } else {
        bytes = random.damaging(whole, head: 60)
      }
      do throws(DNSError) {
        let message = try read(bytes)
        #expect(try read(message.encoded()) == message, "round \(round)")
      } catch {
        continue
      }
    }
  }
}

import JamCore
import JamWire
import Testing

/// `/heard` in front of hits.
@Suite struct HeardTests {
  private let hit = OSCMessage("/pad/1", .float(1))

  private func heard(_ messages: OSCMessage...) throws -> [UInt32?] {
    try OSCPacket(OSCPacket.encode(messages)).elements.map(\.heard)
  }

  @Test("what stands first in a bundle, or behind its number, holds for all of the bundle")
  func head() throws {
    #expect(try heard(OSCMessage("/heard", .int64(4_294_967_295)), hit, hit) == [.max, .max])
    #expect(try heard(OSCMessage("/heard", .int32(-1)), hit) == [.max])
    #expect(try heard(OSCMessage("/heard", .double(48_000)), hit) == [48_000])
    let numbered = try OSCPacket(
      OSCPacket.encode([OSCMessage("/seq", .int32(7)), OSCMessage("/heard", .int64(9)), hit]))
    #expect(numbered.sequence == 7 && numbered.elements.map(\.heard) == [9])
    #expect(numbered.elements.map(\.message) == [hit])
  }

  @Test("elsewhere it is a message, which is told where it belongs")
  func elsewhere() throws {
    #expect(try heard(hit, OSCMessage("/heard", .int64(9)), hit) == [nil, nil, nil])
    #expect(try heard(OSCMessage("/heard", .int64(9)), OSCMessage("/seq", .int32(7)), hit) == [9, 9])
    #expect(complaint("/heard", .int64(9)).contains("first in a bundle"))
    #expect(complaint("/heard", .int64(4_294_967_296)).contains("−2147483648…4294967295"))
    #expect(complaint("/heard", .string("now")).contains("/heard"))
    #expect(complaint("/heard").contains("missing"))
  }

  @Test("a second one in a bundle holds for what follows it; behind one that is none nothing was heard")
  func second() throws {
    let (first, second) = (OSCMessage("/heard", .int64(9)), OSCMessage("/heard", .int64(12)))
    #expect(try heard(first, second, hit) == [12])
    #expect(try heard(first, hit, second, hit, hit) == [9, 12, 12])
    #expect(try heard(first, hit, OSCMessage("/heard", .string("now")), hit) == [9, nil, nil])
  }

  @Test("a bundle's word holds in it alone, not in another inside or around it")
  func nested() throws {
    func element(_ bytes: [UInt8]) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - $0 * 8)) } + bytes
    }
    let head = OSCPacket.encode([])
    let inner = OSCPacket.encode([OSCMessage("/heard", .int64(5)), hit])
    let outer = head + element(hit.encoded()) + element(inner) + element(hit.encoded())
    #expect(try OSCPacket(outer).elements.map(\.heard) == [nil, 5, nil])
    let around = head + element(OSCMessage("/heard", .int64(6)).encoded()) + element(OSCPacket.encode([hit]))
    #expect(try OSCPacket(around).elements.map(\.heard) == [nil])
  }

  @Test("no number that is none, and no timestamp that is none, is taken off the head")
  func bad() throws {
    for argument in [OSCArgument.double(.nan), .double(.infinity), .double(5e9), .string("x"), .int64(.max)] {
      let elements = try OSCPacket(OSCPacket.encode([OSCMessage("/heard", argument), hit])).elements
      #expect(elements.map(\.heard) == [nil, nil])
    }
  }

  @Test("a score, in which nobody hears anything, has it as a message to be refused")
  func score() throws {
    var reader = ScoreReader()
    let messages = [OSCMessage("/seq", .int32(7)), OSCMessage("/heard", .int64(9)), hit]
    let read = try reader.receive(ScoreWriter.encode(ScoreBundle(frame: .zero, messages: messages)))
    #expect(read.flatMap(\.messages).map(\.address) == ["/seq", "/heard", "/pad/1"])
  }

  @Test("timing is one of three words")
  func timing() throws {
    #expect(try request("/timing", .string("heard")) == .command(.set(.timing, .text("heard"))))
    #expect(try request("/timing", .int32(2)) == .command(.set(.timing, .text("interval"))))
    #expect(try request("/timing") == .command(.read(.timing)))
    #expect(complaint("/timing", .string("late")).contains("live, heard or interval"))
  }
}

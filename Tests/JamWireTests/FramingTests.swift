import JamWire
import Testing

@Suite struct FramingTests {
  let packets = [
    OSCMessage("/pad/3", .float(1)).encoded(),
    OSCMessage("/ping", .blob([0xc0, 0xdb, 0xdc, 0xdd, 0xc0])).encoded(),
    OSCPacket.encode([OSCMessage("/stop"), OSCMessage("/play")]),
  ]

  /// All packets that come out when `stream` goes in by pieces of `size`.
  func decode(_ stream: [UInt8], by size: Int, limit: Int = 65_536) throws(FramingError) -> [[UInt8]] {
    var decoder = FrameDecoder(limit: limit)
    var out: [[UInt8]] = []
    var start = 0
    while start < stream.count {
      let piece = Array(stream[start..<min(start + size, stream.count)])
      let result = piece.withUnsafeBytes { bytes in
        Result { () throws(FramingError) in try decoder.receive(bytes) { out.append(Array($0)) } }
      }
      try result.get()
      start += size
    }
    return out
  }

  @Test(
    "packets come out as they went in, however the stream is cut", arguments: [Framing.lengthPrefix, .slip],
    [1, 2, 3, 7, 1_000])
  func roundTrip(framing: Framing, size: Int) throws {
    let stream = packets.flatMap { framing.frame($0) }
    #expect(try decode(stream, by: size) == packets)
  }

  @Test("the first byte tells the framing") func detection() throws {
    for (bytes, framing) in [
      ([0xc0], Framing.slip), ([UInt8(ascii: "/")], .slip), ([UInt8(ascii: "#")], .slip), ([0], .lengthPrefix),
    ] as [([UInt8], Framing)] {
      var decoder = FrameDecoder()
      #expect(decoder.framing == nil)
      try bytes.withUnsafeBytes { try decoder.receive($0) { _ in } }
      #expect(decoder.framing == framing)
    }
  }

  @Test("SLIP with an END at the end only is read too") func singleEnd() throws {
    let stream = packets.flatMap { Framing.slip.frame($0).dropFirst() }
    #expect(try decode(stream, by: 5) == packets)
  }

  @Test("half a packet waits") func half() throws {
    var decoder = FrameDecoder()
    let stream = Framing.lengthPrefix.frame(packets[0])
    var count = 0
    try stream.dropLast().withUnsafeBytes { try decoder.receive($0) { _ in count += 1 } }
    #expect(count == 0)
    #expect(decoder.waitingBytes == stream.count - 1)
    try stream.suffix(1).withUnsafeBytes { try decoder.receive($0) { _ in count += 1 } }
    #expect(count == 1)
    #expect(decoder.waitingBytes == 0)
  }

  @Test("a length of 0 is an empty packet, and the stream goes on") func emptyFrame() throws {
    let stream = [0, 0, 0, 0] + Framing.lengthPrefix.frame(packets[0])
    #expect(try decode(stream, by: 3) == [[], packets[0]])
  }

  @Test("what is too long, or no framing at all, ends the stream for good") func garbage() {
    #expect(throws: FramingError.tooLong(bytes: 1_000, limit: 100)) { try decode([0, 0, 3, 0xe8], by: 4, limit: 100) }
    #expect(throws: FramingError.badLength(0x4745_5420)) { try decode(Array("GET / HTTP".utf8), by: 100) }
    #expect(throws: FramingError.badLength(3)) { try decode([0, 0, 0, 3, 1, 2, 3], by: 100) }
    #expect(throws: FramingError.badEscape(1)) { try decode([0xc0, 0xdb, 1], by: 1) }
    #expect(throws: FramingError.tooLong(bytes: 101, limit: 100)) {
      try decode([0xc0] + [UInt8](repeating: 1, count: 200), by: 7, limit: 100)
    }
    var decoder = FrameDecoder()
    let bad: [UInt8] = [0, 0, 0, 3]
    #expect(throws: FramingError.self) { try bad.withUnsafeBytes { try decoder.receive($0) { _ in } } }
    let good = Framing.lengthPrefix.frame(packets[0])
    #expect(throws: FramingError.self) { try good.withUnsafeBytes { try decoder.receive($0) { _ in } } }
  }
}

import JamCore
import JamWire
import Testing

@Suite struct OSCPacketTests {
  let hit = OSCMessage("/pad/3", .float(1)).encoded()

  func bundle(_ elements: [UInt8]..., tag: UInt64 = 1) -> [UInt8] {
    var bytes: [UInt8] = Array("#bundle\0".utf8)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: tag >> UInt64(56 - $0 * 8)) }
    for element in elements { bytes += length(element.count) + element }
    return bytes
  }

  func length(_ n: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: n >> (24 - $0 * 8)) } }

  func nested(_ depth: Int) -> [UInt8] { (0..<depth).reduce(hit) { inner, _ in bundle(inner) } }

  @Test("every truncation of a message is refused") func truncatedMessages() {
    let message = OSCMessage("/ping", .string("some text"), .blob([1, 2, 3]), .double(1), .int64(2)).encoded()
    // An address alone is a message; with types it needs the values that they promise.
    for count in 0..<message.count where count != 8 {
      #expect(throws: OSCError.self, "\(count) bytes") { try OSCPacket(Array(message.prefix(count))) }
    }
  }

  @Test("every truncation of a bundle is refused or has fewer messages") func truncatedBundles() throws {
    let whole = bundle(hit, hit)
    for count in 0..<whole.count {
      let packet = try? OSCPacket(Array(whole.prefix(count)))
      #expect((packet?.elements.count ?? 0) < 2, "\(count) bytes")
    }
  }

  @Test("bundles are read to the depth of the limit and no further") func depth() throws {
    #expect(try OSCPacket(nested(8)).elements.count == 1)
    #expect(throws: OSCError.bundleTooDeep(limit: 8)) { try OSCPacket(nested(9)) }
    #expect(throws: OSCError.bundleTooDeep(limit: 8)) { try OSCPacket(nested(200)) }
  }

  @Test("an element that claims more than there is is refused") func pastEnd() {
    var bytes = bundle()
    bytes += length(1_000) + hit
    #expect(throws: OSCError.elementPastEnd(claimed: 1_000, available: hit.count)) { try OSCPacket(bytes) }
    bytes = bundle() + length(0xffff_fffc) + hit
    #expect(throws: OSCError.elementPastEnd(claimed: -4, available: hit.count)) { try OSCPacket(bytes) }
    #expect(OSCError.elementPastEnd(claimed: -4, available: 8).description.contains("claims -4 bytes"))
    #expect(FramingError.badLength(0xffff_fffc).description.hasPrefix("-4 is no packet's length"))
  }

  @Test("a packet beyond the limit is refused with the limit's size") func tooLong() {
    let bytes = OSCMessage("/chat", .string(String(repeating: "x", count: 9_000))).encoded()
    #expect(throws: OSCError.tooLong(bytes: bytes.count, limit: 8_192)) { try OSCPacket(bytes) }
    #expect(throws: Never.self) { try OSCPacket(bytes, limit: 65_536) }
  }

  @Test("a missing comma, an unknown type and text that is not UTF-8 are told with their address") func badMessages() {
    let noComma: [UInt8] = Array("/pad/3\0\0f\0\0\0".utf8) + [0, 0, 0, 0]
    #expect(throws: OSCError.missingComma(address: "/pad/3")) { try OSCPacket(noComma) }
    let unknown: [UInt8] = Array("/pad/3\0\0,r\0\0".utf8) + [0, 0, 0, 0]
    #expect(throws: OSCError.unknownType("r", address: "/pad/3")) { try OSCPacket(unknown) }
    let text: [UInt8] = Array("/chat\0\0\0,s\0\0".utf8) + [0xff, 0xfe, 0, 0]
    #expect(throws: OSCError.textNotUTF8(address: "/chat")) { try OSCPacket(text) }
    let control: [UInt8] = Array("/pa\u{7}\0\0\0\0".utf8)
    #expect(throws: OSCError.addressUnprintable) { try OSCPacket(control) }
    #expect(throws: OSCError.notOSC) { try OSCPacket(Array("GET / HTTP/1.1\r\n\r\n\0\0".utf8)) }
    #expect(throws: OSCError.notOSC) { try OSCPacket(Array("#bundel\0".utf8) + [UInt8](repeating: 0, count: 8)) }
    #expect(throws: OSCError.empty) { try OSCPacket([]) }
    #expect(throws: OSCError.unaligned(bytes: 5, address: "/pad")) { try OSCPacket(Array("/pad\0".utf8)) }
    let cut: [UInt8] = Array("/pad/1\0\0,f\0\0".utf8) + [0x3f, 0x80]
    #expect(throws: OSCError.unaligned(bytes: 14, address: "/pad/1")) { try OSCPacket(cut) }
    #expect(OSCError.unaligned(bytes: 14, address: "/pad/1").address == "/pad/1")
    #expect(throws: OSCError.unaligned(bytes: 7)) { try OSCPacket(Array("/pad/1 ".utf8)) }
    let blob: [UInt8] = Array("/x\0\0,b\0\0".utf8) + [0xff, 0xff, 0xff, 0xff]
    #expect(throws: OSCError.truncatedArguments(address: "/x")) { try OSCPacket(blob) }
  }

  @Test("a slash that is missing, and type tags where the length tells one number, are what they must have been")
  func leftOut() throws {
    func message(_ address: String, _ rest: [UInt8] = []) throws -> OSCMessage? {
      let bytes = Array(address.utf8) + [UInt8](repeating: 0, count: 4 - address.utf8.count % 4) + rest
      return try OSCPacket(bytes).elements.first?.message
    }
    #expect(try message("pad/1", Array(",f\0\0".utf8) + [0x3f, 0x80, 0, 0]) == OSCMessage("/pad/1", .float(1)))
    #expect(try message("play") == OSCMessage("/play"))
    for value in [1, 0.5, -6, 0.001, 127, 1e6, -1e-6] as [Float] {
      let word = withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
      #expect(try message("/pad/1", word) == OSCMessage("/pad/1", .float(value)))
    }
    for value in [0, 1, -1, 64, 127, 9_000, 48_000, 65_535, -1_000, 1 << 23] as [Int32] {
      let word = withUnsafeBytes(of: value.bigEndian) { Array($0) }
      #expect(try message("/pad/1", word) == OSCMessage("/pad/1", .int32(value)))
    }
    #expect(throws: OSCError.missingComma(address: "/pad/1")) { try message("/pad/1", [0x3f, 0x80, 0, 0, 0, 0, 0, 0]) }
    // Tags without a value are tags.
    #expect(throws: OSCError.truncatedArguments(address: "/pad/1")) { try message("/pad/1", Array(",f\0\0".utf8)) }
    #expect(try message("/pad/1", Array(",\0\0\0".utf8)) == OSCMessage("/pad/1"))
  }

  @Test("one bad message in a bundle leaves the good ones") func badAmongGood() throws {
    let bad: [UInt8] = Array("/pad/3\0\0,r\0\0".utf8) + [0, 0, 0, 0]
    let packet = try OSCPacket(bundle(hit, bad, hit))
    #expect(packet.elements.count == 2)
    #expect(packet.refusals == [.unknownType("r", address: "/pad/3")])
  }

  @Test("an address without type tags has no arguments") func noTypes() throws {
    #expect(try OSCPacket(Array("/stop\0\0\0".utf8)).elements.map(\.message) == [OSCMessage("/stop")])
  }

  @Test("only a whole number at the head of the outermost bundle numbers it") func sequence() throws {
    let number = OSCMessage("/seq", .float(7)).encoded()
    #expect(try OSCPacket(bundle(number, hit)).sequence == 7)
    #expect(try OSCPacket(bundle(hit, number)).sequence == nil)
    #expect(try OSCPacket(bundle(bundle(number, hit))).sequence == nil)
    #expect(try OSCPacket(bundle(hit, number)).elements.count == 2)
    let fraction = OSCMessage("/seq", .float(7.5)).encoded()
    #expect(try OSCPacket(bundle(fraction, hit)).sequence == nil)
    #expect(complaint("/seq", .int32(7)).hasPrefix("it must be the first message of a bundle"))
  }

  @Test("a packet's memory serves the next one") func reuse() throws {
    var packet = OSCPacket()
    bundle(hit, hit).withUnsafeBytes { try? packet.decode($0) }
    #expect(packet.elements.count == 2)
    hit.withUnsafeBytes { try? packet.decode($0) }
    #expect(packet.elements.count == 1)
    [1, 2, 3].withUnsafeBytes { try? packet.decode($0) }
    #expect(packet.elements.isEmpty)
  }

  @Test("many messages share packets that any network carries; few stand alone") func pack() throws {
    let messages = (0..<400).map { OSCMessage("/pad/\($0 % 16 + 1)/transpose/random", .float(Float($0))) }
    let packets = OSCPacket.pack(messages)
    #expect(packets.allSatisfy { $0.bytes.count <= 1_200 } && packets.count < 20)
    #expect(packets.reduce(0) { $0 + $1.messages } == 400)
    #expect(try packets.flatMap { try OSCPacket($0.bytes).elements.map(\.message) } == messages)
    #expect(OSCPacket.pack(Array(messages.prefix(16))).map(\.bytes) == messages.prefix(16).map { $0.encoded() })
  }
}

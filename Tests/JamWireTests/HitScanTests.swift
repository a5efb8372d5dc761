import JamCore
import JamWire
import Testing

@Suite struct HitScanTests {
  private func hits(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { HitScan.hits($0) } }

  @Test("a hit is one, however it is written") func messages() {
    for pad in ["1", "9", "16"] {
      #expect(hits(OSCMessage("/pad/\(pad)", .float(1)).encoded()) == 1)
      #expect(hits(OSCMessage("/pad/\(pad)", .int32(1)).encoded()) == 1)
      #expect(hits(OSCMessage("/pad/\(pad)").encoded()) == 1)
    }
    for key in ["0", "60", "127"] { #expect(hits(OSCMessage("/key/\(key)", .float(1)).encoded()) == 1, "\(key)") }
    #expect(hits(OSCMessage("/key", .int32(60), .float(1)).encoded()) == 1)
  }

  @Test("a bundle of hits is as many as it holds, with its number and what was heard in front") func bundles() {
    let hit = OSCMessage("/pad/3", .float(1))
    #expect(hits(OSCPacket.encode([hit, hit])) == 2)
    #expect(hits(OSCPacket.encode([OSCMessage("/seq", .int32(1)), OSCMessage("/heard", .int64(7)), hit])) == 1)
  }

  @Test("everything else is none") func others() {
    for address in [
      "/pad/3/gain", "/pad/*", "/pad/", "/pad/x", "/pads/1", "/sync", "/room/a/pad/1", "/pad/100",
      "/key/60/y", "/key/6/bend", "/key/127/y", "/key/1000", "/key/x", "/key/*", "/keys", "/key/root",
    ] {
      #expect(hits(OSCMessage(address, .float(1)).encoded()) == 0, "\(address)")
    }
    let hit = OSCMessage("/pad/3", .float(1))
    #expect(hits(OSCPacket.encode([hit, OSCMessage("/pad/3/gain", .float(1))])) == 0)
    #expect(hits(OSCPacket.encode([OSCMessage("/seq", .int32(1))])) == 0)
    #expect(hits(OSCPacket.encode(Array(repeating: hit, count: 100))) == 0)
    #expect(hits([]) == 0)
    // Cut anywhere it is read nowhere else.
    let bundle = OSCPacket.encode([hit, hit])
    for count in 0..<bundle.count where count != 16 + 20 { #expect(hits(Array(bundle.prefix(count))) == 0, "\(count)") }
  }
}

@Suite struct ContinuousValueTests {
  private func isValue(_ address: String, _ arguments: OSCArgument...) -> Bool {
    var reader = CommandReader()
    let message = OSCMessage(address, arguments)
    let first = reader.isContinuousValue(message)
    // Known addresses are no others.
    _ = try? reader.read(message)
    #expect(reader.isContinuousValue(message) == first)
    return first
  }

  @Test("a value of a continuous control is one, also by a pattern and with a name in front") func values() {
    #expect(isValue("/tempo", .float(100)))
    #expect(isValue("/pad/3/gain", .int32(-3)))
    #expect(isValue("/pad/*/gain", .float(-3)))
    #expect(isValue("/player/ann/gain", .float(-3)))
    #expect(isValue("/room/main/tempo", .float(100)))
  }

  @Test("what is refused, chosen, switched, pressed or asked for is none") func others() {
    #expect(!isValue("/tempo", .float(9_000)))
    #expect(!isValue("/tempo", .float(.nan)))
    #expect(!isValue("/tempo"))
    #expect(!isValue("/pad/*/gain", .float(.infinity)))
    #expect(!isValue("/pad/3", .float(1)))
    #expect(!isValue("/pad/3/mode", .int32(1)))
    #expect(!isValue("/pad/3/mute", .int32(1)))
    #expect(!isValue("/tempo/nudge", .float(10)))
    #expect(!isValue("/undo", .float(1)))
    #expect(!isValue("/nowhere", .float(1)))
    #expect(!isValue("/pad/[/gain", .float(1)))
  }
}

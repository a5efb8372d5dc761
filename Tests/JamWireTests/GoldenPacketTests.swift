import JamCore
import JamWire
import Testing

/// Bytes that no OSC library wrote (`Tests/Golden/osc/make.py`), against ours, both ways.
@Suite struct GoldenPacketTests {
  static let tag = OSCTimetag(raw: 0xe8d4_a510_8000_0000)

  static let messages: [(name: String, message: OSCMessage)] = [
    ("hit", OSCMessage("/pad/3", .float(0.75))),
    ("hit-no-argument", OSCMessage("/pad/16")),
    ("hit-number-argument", OSCMessage("/pad", .int32(5), .float(1))),
    ("release", OSCMessage("/pad/3", .float(0))),
    ("hello", OSCMessage("/hello", .string("Änna"), .string("main"), .string(""), .string("t0k3n"))),
    ("pad-gain", OSCMessage("/pad/12/gain", .float(-6.5))),
    ("signature", OSCMessage("/signature", .int32(7), .int32(8))),
    ("chat", OSCMessage("/chat", .string("drop on three"))),
    ("player-hit", OSCMessage("/player/anna/pad/4", .float(0.5))),
    (
      "every-type",
      OSCMessage(
        "/ping", .int32(-5), .float(1.5), .int64(-(1 << 40)), .double(2.25), .string("text"), .symbol("symbol"),
        .blob([1, 2, 3, 4, 5]), .timetag(tag), .character(UInt8(ascii: "x")), .midi(0x0090_3c64), .true, .false,
        .nil, .infinitum)
    ),
  ]

  @Test("a golden message is read", arguments: messages.map(\.name))
  func readMessage(name: String) throws {
    let message = try #require(GoldenPacketTests.messages.first { $0.name == name }).message
    let packet = try OSCPacket(Golden.packet("\(name).osc"))
    #expect(packet.elements == [OSCPacket.Element(timetag: .immediate, message: message)])
    #expect(packet.sequence == nil)
  }

  @Test("a golden message is written", arguments: messages.map(\.name))
  func writeMessage(name: String) throws {
    let message = try #require(GoldenPacketTests.messages.first { $0.name == name }).message
    #expect(try message.encoded() == Golden.packet("\(name).osc"))
  }

  @Test("a golden bundle is read and written") func bundle() throws {
    let tag = OSCTimetag(raw: 0xe8d4_a510_4000_0000)
    let messages = [OSCMessage("/pad/1", .float(1)), OSCMessage("/pad/2", .float(0.5))]
    let bytes = try Golden.packet("bundle.osc")
    #expect(try OSCPacket(bytes).elements == messages.map { OSCPacket.Element(timetag: tag, message: $0) })
    #expect(OSCPacket.encode(messages, at: tag) == bytes)
  }

  @Test("a golden number stands apart from its bundle's messages") func numbered() throws {
    let packet = try OSCPacket(Golden.packet("bundle-numbered.osc"))
    #expect(packet.sequence == 42)
    #expect(packet.elements.map(\.message.address) == ["/pad/1"])
  }

  @Test("messages of golden nested bundles carry the innermost timetag") func nested() throws {
    let packet = try OSCPacket(Golden.packet("bundle-nested.osc"))
    #expect(packet.elements.map(\.message.address) == ["/tempo", "/pad/9", "/stop"])
    #expect(packet.elements.map(\.timetag.raw) == [1, 0xe8d4_a511_0000_0000, 0xe8d4_a511_0000_0000])
  }

  @Test("golden feedback: the next beat in a bundle with its moment, the position with its twins") func feedback()
    throws
  {
    // The clock stands so that the host's zero is the tag's second.
    let clock = ServerClock(
      origin: HostTime(nanoseconds: 0), wallNanoseconds: (0xe8d4_a512 - 2_208_988_800) * 1_000_000_000)
    let next = Event.nextBeat(bar: 3, beat: 4, bpm: 120, at: HostTime(nanoseconds: 500_000_000))
    #expect(try AddressTable.standard.feedback(for: next, clock: clock).encoded() == Golden.packet("beat-next.osc"))
    let position = Event.position(bar: 2, beat: 1, phase: 0.5, bpm: 120)
    #expect(try AddressTable.standard.feedback(for: position, clock: clock).encoded() == Golden.packet("position.osc"))
  }
}

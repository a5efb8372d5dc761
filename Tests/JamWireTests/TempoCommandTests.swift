import JamCore
import JamWire
import Testing

@Suite struct TempoCommandTests {
  @Test("a MIDI clock's messages come as type m, as a blob, or as bytes")
  func clock() throws {
    let forms: [[OSCArgument]] = [
      [.midi(0xf8_0000)], [.midi(0x03f8_0000)], [.blob([0xf8])], [.int32(0xf8)], [.float(248), .float(0), .float(0)],
    ]
    for form in forms {
      var reader = CommandReader()
      let request = try reader.read(OSCMessage("/midi", form))?.request
      #expect(request == .command(.midiClock(.tick)), "\(form)")
    }
    #expect(try request("/midi", .midi(0xfa_0000)) == .command(.midiClock(.start)))
    #expect(try request("/midi", .int32(0xfb)) == .command(.midiClock(.continue)))
    #expect(try request("/midi", .blob([0xfc])) == .command(.midiClock(.stop)))
    #expect(try request("/midi", .midi(0xf2_0503)) == .command(.midiClock(.position(5 + 3 * 128))))
    #expect(try request("/midi", .int32(0xf2), .int32(127), .int32(127)) == .command(.midiClock(.position(16_383))))
    #expect(try request("/midi", .int32(0xfe)) == nil, "active sensing says nothing")
  }

  @Test("other MIDI messages, and what is none, are told what is understood")
  func notClock() {
    let wrong: [[OSCArgument]] = [
      [.midi(0x90_3c40)], [.blob([])], [.blob([0xf2, 5])], [.int32(0xf2)], [.int32(0xf2), .int32(128), .int32(0)],
      [.int32(256)], [.float(.nan)], [.float(0.5)], [.string("clock")], [.int32(-8)], [.midi(0xf8_0000), .int32(0)],
    ]
    for form in wrong {
      var reader = CommandReader()
      do {
        let request = try reader.read(OSCMessage("/midi", form))?.request
        Issue.record("\(form) was read as \(String(describing: request))")
      } catch {
        #expect(error.description.contains("0xf8"), "\(error)")
      }
    }
    #expect(complaint("/midi").contains("missing"))
    #expect(complaint("/midi", .int32(1), .int32(1), .int32(1), .int32(1)).contains("too many"))
  }

  @Test("roles, votes and the room's undo have their addresses")
  func addresses() throws {
    #expect(try request("/role", .string("listener")) == .command(.set(.role, .text("listener"))))
    #expect(try request("/role") == .command(.read(.role)))
    let bob = PlayerName("bob")!
    #expect(try request("/player/bob/role", .int32(2)) == .command(.set(.roleOf(bob), .text("listener"))))
    #expect(try request("/player/bob/role") == .command(.read(.roleOf(bob))))
    #expect(complaint("/role", .string("king")).contains("listener"))
    #expect(try request("/tempo/mode", .string("vote")) == .command(.set(.tempoMode, .text("vote"))))
    #expect(try request("/tempo/vote", .int32(120)) == .command(.set(.tempoVote, .float(120))))
    #expect(try request("/tempo/source") == .command(.read(.tempoSource)))
    #expect(complaint("/tempo/source", .string("bob")).contains("read"))
    #expect(try request("/room/undo") == .command(.roomUndo))
    #expect(try request("/room/redo", .float(0)) == nil)
    #expect(
      try addressed("/room/main/room/redo") == AddressedRequest(room: PlayerName("main"), request: .command(.roomRedo)))
  }

  @Test("a pattern that fits all of one's settings changes nobody's role")
  func patterns() throws {
    #expect(try request("/{role,mute}", .int32(1)) == .commands([.set(.mute, .bool(true))]))
  }
}

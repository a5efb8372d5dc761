import JamCore
import JamWire
import Testing

/// What controllers send beside the table, each form with its counterexample.
@Suite("What controllers really send") struct AsItComesTests {
  /// A message from its parts, as no encoder of ours would write it.
  private func message(_ address: String, _ types: String, _ floats: Float...) throws -> OSCMessage? {
    func padded(_ text: String) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: 4 - text.utf8.count % 4)
    }
    var bytes = padded(address) + padded(types)
    for float in floats { withUnsafeBytes(of: float.bitPattern.bigEndian) { bytes += Array($0) } }
    return try OSCPacket(bytes).elements.first?.message
  }

  @Test("a text that is a number counts as one, where a number is wanted") func texts() throws {
    for (address, text, value) in [
      ("/gain", "-6", -6), ("/tempo", "100.5", 100.5), ("/loop/bars", "8", 8), ("/pad/3", "0.8", 0.8),
      ("/pad/3", "0", 0), ("/n/gain", ".5", 0.5), ("/macro/1", "1e-1", 0.1), ("/step/3/5", "1", 1),
    ] as [(String, String, Float)] {
      #expect(try request(address, .string(text)) == request(address, .float(value)), "\(address) \(text)")
      #expect(try request(address, .symbol(text)) == request(address, .float(value)), "\(address) \(text)")
    }
    // A text in the place of a name, a text or an id stays one.
    #expect(try request("/kit", .string("3")) == .command(.chooseKit(.id("3"))))
    #expect(try request("/chat", .string("100")) != nil)
    #expect(try request("/buildup", .string("late")) == .command(.buildUp(bpm: nil, bars: 8, .late)))
  }

  @Test(
    "a text that may mean something else is refused as before",
    arguments: ["", "0,8", "1,500", "nan", "inf", "0x10", "80%", "6 dB", "½", "--1", "1e", "1.2.3"])
  func noNumbers(text: String) {
    #expect(complaint("/gain", .string(text)) == "gain must be a number, not the text '\(text)' (/gain)")
  }

  @Test("numbers that a text writes are checked as numbers are") func checked() {
    #expect(complaint("/tempo", .string("500")) == "bpm 500 is out of range: 20…300 bpm (/tempo)")
    #expect(complaint("/gain", .string("1e999")) == "gain is not a finite number (/gain)")
    #expect(complaint("/pad", .string("17")).hasPrefix("pad 17 is out of range"))
  }

  @Test("on, off, true, false, yes and no switch") func switches() throws {
    for word in ["on", "true", "YES", "1"] {
      #expect(try request("/metronome", .string(word)) == request("/metronome", .true), "\(word)")
      #expect(try request("/play", .string(word)) == request("/play", .int32(1)), "\(word)")
      #expect(try request("/pad/3", .string(word)) != .command(.release(Pad(3)!)))
    }
    for word in ["off", "False", "no", "0"] {
      #expect(try request("/metronome", .string(word)) == request("/metronome", .false), "\(word)")
      #expect(try request("/play", .string(word)) == nil, "\(word)")
      #expect(try request("/pad/3", .string(word)) == .command(.release(Pad(3)!)), "\(word)")
    }
    #expect(complaint("/metronome", .string("loud")).hasPrefix("on must be T, F or a number"))
    #expect(complaint("/gain", .string("on")).hasPrefix("gain must be a number"))
  }

  @Test("bang is no argument, where a number is wanted") func bang() throws {
    #expect(try request("/play", .symbol("bang")) == request("/play"))
    #expect(try request("/pad/3", .string("bang")) == request("/pad/3"))
    #expect(try request("/metronome", .string("bang")) == request("/metronome"))
    #expect(try request("/gain", .string("bang")) == request("/gain"))
    // It may be a name or a text.
    #expect(try request("/chat", .string("bang")) != nil)
    #expect(try request("/kit", .string("bang")) == .command(.chooseKit(.id("bang"))))
    #expect(try request("/hello", .string("bang")) != nil)
  }

  @Test("an index may be written, where no word has digits") func indices() throws {
    #expect(try request("/pad/3/mode", .string("3")) == .command(.set(.pad(.mode, Pad(3)!), .text("repeat"))))
    #expect(complaint("/pad/3/mode", .string("4")).hasPrefix("mode '4' is unknown"))
    #expect(complaint("/pad/3/mode", .string("1.5")).hasPrefix("mode '1.5' is unknown"))
    // 8 may mean 1/8.
    #expect(complaint("/quantize", .string("8")).contains("'8' is unknown"))
  }

  @Test("the elements of an array are arguments") func arrays() throws {
    #expect(try message("/pad/3", ",[f]", 0.5) == OSCMessage("/pad/3", .float(0.5)))
    #expect(try message("/a", ",f[f[T]f]", 1, 2, 3) == OSCMessage("/a", .float(1), .float(2), .true, .float(3)))
    #expect(try message("/a", ",[]") == OSCMessage("/a"))
    for types in [",[f", ",f]", ",]f[", ",[[f]"] {
      #expect(throws: OSCError.self, "\(types)") { try message("/a", types, 1) }
    }
  }

  @Test("a MIDI message is as hard as it says, where a hit, a press or 0…1 is wanted") func midi() throws {
    func note(_ status: UInt32, _ first: UInt32, _ second: UInt32) -> OSCArgument {
      .midi(status << 16 | first << 8 | second)
    }
    #expect(try request("/pad/3", note(0x90, 36, 127)) == request("/pad/3", .float(1)))
    #expect(try request("/pad/3", note(0x95, 36, 64)) == request("/pad/3", .float(64.0 / 127)))
    #expect(try request("/pad/3", note(0x90, 36, 0)) == .command(.release(Pad(3)!)))
    #expect(try request("/pad/3", note(0x80, 36, 99)) == .command(.release(Pad(3)!)))
    #expect(try request("/macro/1", note(0xb0, 7, 127)) == request("/macro/1", .float(1)))
    #expect(try request("/play", note(0xb0, 7, 0)) == nil)
    #expect(complaint("/gain", note(0xb0, 7, 1)) == "gain must be a number, not a MIDI message (/gain)")
    #expect(complaint("/loop/bars", note(0xb0, 7, 1)).hasPrefix("bars must be a whole number"))
    #expect(complaint("/pad/3", note(0xf8, 0, 0)).hasPrefix("velocity must be a number"))
  }

  @Test("as many values as a pattern has addresses are one for each, in the order of the braces") func spread() throws {
    guard case .commands(let both)? = try request("/macro/{1,2}", .float(0.25), .float(0.75)) else {
      Issue.record("no commands")
      return
    }
    #expect(try both.map(Request.command) == [request("/macro/1", .float(0.25)), request("/macro/2", .float(0.75))])
    guard case .commands(let turned)? = try request("/macro/{2,1}", .float(0.25), .float(0.75)) else {
      Issue.record("no commands")
      return
    }
    #expect(try turned.map(Request.command) == [request("/macro/2", .float(0.25)), request("/macro/1", .float(0.75))])
    guard case .commands(let filter)? = try request("/fx/filter/{resonance,lowpass}", .float(0.5), .float(900)) else {
      Issue.record("no commands")
      return
    }
    #expect(
      try filter.map(Request.command) == [
        request("/fx/filter/resonance", .float(0.5)), request("/fx/filter/lowpass", .float(900)),
      ])
    // One value is for all, and none asks all.
    #expect(try request("/pad/{1,3}/gain", .float(-6)) != nil)
    #expect(try request("/pad/{1,3}/gain") != nil)
    #expect(try request("/pad/*/gain") != nil)
    #expect(complaint("/pad/{1,3}/gain", .float(1), .float(2), .float(3)).contains("3 arguments are too many"))
    #expect(complaint("/macro/{1,2}", .float(0.5), .float(7)).hasPrefix("drive 7 is out of range"))
  }

  @Test("two numbers for one fader, and an address for an XY pad, are told what to do") func pads() {
    #expect(
      complaint("/gain", .float(0), .float(1))
        == "2 arguments are too many: it takes 1; an XY pad's two numbers go to a pattern of two addresses, "
        + "as /macro/{1,2} (/gain)")
    for address in ["/xy", "/1/xy", "/1/xy2", "/XY1"] {
      #expect(complaint(address, .float(0), .float(1)).contains("/macro/{1,2}"), "\(address)")
    }
    #expect(!complaint("/pad/3", .float(1), .float(1)).contains("XY"))
    #expect(!complaint("/tempoo").contains("XY"))
  }

  @Test("/note with numbers is a key") func notes() throws {
    #expect(try request("/note", .int32(60), .int32(100)) == request("/key", .int32(60), .int32(100)))
    #expect(try request("/note", .float(60), .float(0)) == .command(.release(Pad(key: 60)!)))
    // A program that sends back what it was told plays nothing.
    #expect(
      complaint("/note", .string("ann"), .int32(60), .float(0.5), .int32(1), .float(1))
        == "note must be a whole number, not the text 'ann' (/note)")
    #expect(complaint("/note", .int32(128)).hasPrefix("note 128 is out of range"))
  }

  @Test("faders of 0…1 and −1…1 have a range for MIDI, and no others") func midiRanges() throws {
    var reader = CommandReader()
    func range(_ address: String) -> ClosedRange<Double>? {
      _ = try? reader.read(OSCMessage(address, .int32(64)))
      return reader.midiRange(of: address)
    }
    #expect(range("/macro/1") == 0...1)
    #expect(range("/fx/chorus/mix") == 0...1)
    #expect(range("/pad/3/pan") == -1...1)
    #expect(range("/n/gain") == 0...1)
    #expect(range("/key/60/y") == 0...1)
    for address in ["/gain", "/tempo", "/pad/3", "/pad/3/mode", "/metronome", "/loop/bars", "/nothing", "/kit/name"] {
      #expect(range(address) == nil, "\(address)")
    }
    #expect(MIDIFader.value(of: 127, in: 0...1) == 1)
    #expect([0, 64, 127].map { MIDIFader.value(of: $0, in: -1...1) } == [-1, 0, 1])
    for argument in [.true, .float(0.5), .int32(128), .float(-1), .string("5")] as [OSCArgument] {
      #expect(MIDIFader.number(of: OSCMessage("/macro/1", argument)) == nil)
    }
  }
}

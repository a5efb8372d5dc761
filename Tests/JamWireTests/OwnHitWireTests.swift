import JamCore
import JamWire
import Testing

/// The number of a hit that its client sounds itself, on the wire and in scores; and a mix of one's own.
@Suite struct OwnHitWireTests {
  private let pad = Pad(3)!
  private let key = Pad(key: 60)!

  @Test("the number stands behind the velocity, in any of the types of numbers; 0 is none")
  func numbers() throws {
    for own in [OSCArgument.int32(9), .int64(9), .float(9), .double(9), .string("9")] {
      #expect(try request("/pad/3", .float(0.5), own) == .command(.strike(pad, Strike(0.5)!, OwnHit(9))))
      #expect(try request("/key/60", .float(0.5), own) == .command(.strike(key, Strike(0.5)!, OwnHit(9))))
    }
    #expect(try request("/pad/3", .float(0.5), .int32(0)) == .command(.strike(pad, Strike(0.5)!)))
    let midi = Strike(100, isInteger: true)!
    #expect(try request("/pad/3", .int32(100), .int32(9)) == .command(.strike(pad, midi, OwnHit(9))))
    #expect(try request("/pad/3", .true, .int32(9)) == .command(.hit(pad, .full, OwnHit(9))))
    #expect(try request("/pad/3", .float(0), .int32(9)) == .command(.release(pad)))
    #expect(try request("/pad/3") == .command(.hit(pad, .full)))
  }

  @Test("a number out of range, a third argument, and a number at other addresses are refused")
  func refused() {
    for own in [OSCArgument.int32(-1), .int64(1 << 31), .float(-3)] {
      #expect(complaint("/pad/3", .float(0.5), own).contains("own"))
    }
    #expect(complaint("/pad/3", .float(0.5), .int32(1), .int32(2)).contains("2"))
    for address in ["/pad", "/key", "/note"] {
      #expect(complaint(address, .int32(3), .float(0.5), .int32(7)) != "none", "\(address)")
    }
    #expect(complaint("/n/pad/3", .float(0.5), .int32(7)) != "none")
  }

  @Test("values for several pads are one for each, as they were")
  func spread() throws {
    #expect(
      try request("/pad/{1,2}", .float(0.5), .float(0.25))
        == .commands([.strike(Pad(1)!, Strike(0.5)!), .strike(Pad(2)!, Strike(0.25)!)]))
    #expect(try request("/n/pad/3", .float(0.5)) == .command(.hit(pad, Velocity(0.5)!)))
  }

  @Test("a score holds the number, and is read as the same hit; other hits are written as before")
  func score() throws {
    let table = AddressTable.standard
    let ann = PlayerName("ann")!
    var reader = CommandReader(isScore: true)
    for (pad, address) in [(pad, "/player/ann/pad/3"), (key, "/player/ann/key/60")] {
      let command = Command.hit(pad, Velocity(0.5)!, OwnHit(9))
      let message = try #require(table.message(for: command, by: ann))
      #expect(message == OSCMessage(address, .float(0.5), .int32(9)))
      #expect(try reader.read(message)?.request == .command(command))
      #expect(table.message(for: .hit(pad, Velocity(0.5)!), by: ann) == OSCMessage(address, .float(0.5)))
    }
    let most = Command.hit(pad, .full, OwnHit(Int64(Int32.max)))
    #expect(try reader.read(try #require(table.message(for: most, by: ann)))?.request == .command(most))
  }

  @Test("OSCQuery draws one fader for a pad, as before")
  func tree() throws {
    for path in ["/pad/3", "/key/60"] {
      let answer = QueryTree.standard.answer(path: path, wish: .attribute(.type), view: QueryView(asker: .player))
      #expect(String(decoding: answer.json, as: UTF8.self) == #"{"TYPE":"f"}"#)
    }
  }

  @Test("a mix of one's own is set, toggled, asked for and told at its addresses, whatever the name")
  func mix() throws {
    let bob = PlayerName("bob")!
    #expect(try request("/mix/bob/gain", .float(-12)) == .command(.set(.mixGain(bob), .float(-12))))
    #expect(try request("/mix/bob/gain") == .command(.read(.mixGain(bob))))
    #expect(try request("/mix/bob/mute", .int32(1)) == .command(.set(.mixMute(bob), .bool(true))))
    #expect(try request("/mix/bob/mute") == .command(.toggle(.mixMute(bob))))
    #expect(try request("/mix/level") == .command(.levelMix))
    #expect(try request("/mix/level", .float(1)) == .command(.levelMix))
    #expect(try request("/mix/level", .float(0)) == nil)
    #expect(try request("/n/mix/bob/gain", .float(1)) == .command(.set(.mixGain(bob), .float(12))))
    for level in [-60.5, 12.5] as [Float] { #expect(complaint("/mix/bob/gain", .float(level)).contains("−60…12")) }
    let name = PlayerName("Änn & Co")!
    let settings = [(Setting.mixGain(name), "/mix/Änn_&_Co/gain"), (.mixMute(name), "/mix/Änn_&_Co/mute")]
    for (setting, address) in settings {
      let value: SettingValue = setting == .mixGain(name) ? .float(-3) : .bool(true)
      let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 0)
      let told = AddressTable.standard.feedback(for: .value(setting, value), clock: clock)
      #expect(told.messages.map(\.address) == [address])
      #expect(try request(address, told.messages[0].arguments[0]) == .command(.set(setting, value)))
    }
    let level = PlayerName("level")!
    #expect(try request("/mix/level/gain", .float(-3)) == .command(.set(.mixGain(level), .float(-3))))
  }

  @Test("OSCQuery shows a mix of one's own for everybody who is here, and for kept names")
  func mixTree() {
    let view = QueryView(
      asker: .player,
      [
        OSCMessage("/player/bob/gain", .float(0)), OSCMessage("/mix/bob/gain", .float(-6)),
        OSCMessage("/mix/gone/gain", .float(-9)),
      ])
    for path in ["/mix/bob/gain", "/mix/bob/mute", "/mix/gone/gain", "/mix/level"] {
      #expect(QueryTree.standard.contains(path, in: view), "\(path)")
    }
    #expect(!QueryTree.standard.contains("/mix/nobody/gain", in: view))
    #expect(!QueryTree.standard.contains("/player/gone/gain", in: view))
    #expect(
      QueryTree.standard.values(at: "/mix", in: view) == [
        OSCMessage("/mix/bob/gain", .float(-6)), OSCMessage("/mix/gone/gain", .float(-9)),
      ])
  }
}

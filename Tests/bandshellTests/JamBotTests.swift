import JamCore
import JamWire
import Testing

@testable import bandshell

/// What `bandshell jam` says, by what it hears.
@Suite struct JamBotTests {
  private func bot(bars: Int? = nil) -> JamBot {
    var bot = JamBot(name: "jam", room: "attic", password: "word", mood: .dark, mostBars: bars)
    _ = bot.receive(
      OSCMessage(
        "/welcome", .string("attic"), .string("jam-2"), .int32(1), .int32(2), .int32(3),
        .string("t")))
    return bot
  }

  private func addresses(_ orders: [JamBot.Order]) -> [String] {
    orders.map { order in
      switch order {
      case .now(let message), .at(_, let message): message.address
      }
    }
  }

  /// Hears a bar of four beats.
  private func bar(_ number: Int, _ bot: inout JamBot) -> [[JamBot.Order]] {
    (1...4).map { beat in
      bot.receive(
        OSCMessage("/beat/next", .int32(Int32(number)), .int32(Int32(beat)), .float(120)),
        at: OSCTimetag(raw: UInt64(number * 4 + beat) << 32))
    }
  }

  @Test("it comes in by name, room and password, and asks for a groove of its mood")
  func begins() {
    var bot = JamBot(name: "jam", room: "attic", password: "word", mood: .dark)
    #expect(
      bot.greeting == [
        OSCMessage("/hello", .string("jam"), .string("attic"), .string("word"), .string(""))
      ])
    let orders = bot.receive(OSCMessage("/welcome", .string("attic"), .string("jam-2")))
    #expect(orders.contains(.now(OSCMessage("/groove", .string("dark")))))
    #expect(bot.player == "jam-2" && bot.takeNotices().count == 1 && bot.takeNotices().isEmpty)
  }

  @Test("it changes something every eight bars, and plays a fill before")
  func turns() {
    var bot = bot()
    _ = bot.receive(OSCMessage("/groove/parts", .string("drums bass chords")))
    for pad in [6, 7] { _ = bot.receive(OSCMessage("/pad/\(pad)/category", .string("tom"))) }
    for number in 1...7 { #expect(bar(number, &bot).allSatisfy { $0.isEmpty }) }
    let last = bar(8, &bot)
    // The first beat is told before its bar begins: an order would be carried out on its line.
    #expect(last[0].isEmpty)
    #expect(addresses(last[1]).count == 1 && addresses(last[1])[0].hasPrefix("/groove"))
    // Two sixteenths, then four, the first on the beat's own moment.
    #expect(addresses(last[2]).count == 2 && addresses(last[3]).count == 4)
    guard case .at(let timetag, let message)? = last[3].first else {
      Issue.record("no fill")
      return
    }
    #expect(timetag == OSCTimetag(raw: 36 << 32) && message.address == "/pad/7")
    #expect(bar(9, &bot).allSatisfy { $0.isEmpty })
  }

  @Test("a beat that is told again, as after a change of the tempo, changes nothing and is no bar")
  func toldAgain() {
    var bot = bot()
    _ = bot.receive(OSCMessage("/groove/parts", .string("drums bass chords")))
    for number in 1...7 { _ = bar(number, &bot) }
    for (beat, orders) in [(1, 0), (1, 0), (2, 1), (2, 0)] {
      let message = OSCMessage("/beat/next", .int32(8), .int32(Int32(beat)), .float(120))
      let given = bot.receive(message)
      #expect(given.count == orders)
    }
    #expect(bot.bars == 8)
  }

  @Test("a part that rests comes back with the next change")
  func rests() {
    var bot = bot()
    _ = bot.receive(OSCMessage("/groove/parts", .string("drums bass chords")))
    var changes: [String] = []
    for number in 1...160 { changes += addresses(bar(number, &bot)[1]) }
    #expect(changes.count == 20 && changes.contains("/groove"))
    let parts = changes.filter { $0 != "/groove" }
    #expect(
      !parts.isEmpty
        && zip(parts, parts.dropFirst()).enumerated().allSatisfy {
          $0.offset % 2 == 1 || $0.element.0 == $0.element.1
        })
  }

  @Test("it leaves after its bars, and its music goes with it")
  func leaves() {
    var bot = bot(bars: 2)
    _ = bot.receive(OSCMessage("/groove/parts", .string("drums")))
    for (lane, name) in [(1, "rock straight"), (3, "groove drums"), (4, "groove bass")] {
      _ = bot.receive(OSCMessage("/lane/\(lane)/1", .string(name)))
    }
    for number in 1...2 {
      _ = bar(number, &bot)
      #expect(!bot.isOver)
    }
    _ = bar(3, &bot)
    #expect(bot.isOver)
    #expect(bot.farewell.map(\.address) == ["/lane/3/clear", "/lane/4/clear", "/bye"])
  }

  @Test("a refusal at the door, or of its first groove, ends it; a later one does not")
  func refusals() {
    for address in ["/hello", "/groove"] {
      var bot = bot()
      _ = bot.receive(OSCMessage("/error", .string(address), .string("no"), .string("code")))
      #expect(bot.failure == "no")
    }
    var bot = bot()
    _ = bot.receive(OSCMessage("/groove/parts", .string("drums")))
    _ = bot.takeNotices()
    _ = bot.receive(OSCMessage("/error", .string("/groove"), .string("locked"), .string("locked")))
    #expect(bot.failure == nil && bot.takeNotices() == ["locked"])
  }

  @Test("an address is a server's OSC port, or its page with a room")
  func addressesOfServers() {
    #expect(JamAddress("127.0.0.1:8000") == JamAddress("osc.tcp://127.0.0.1:8000"))
    #expect(JamAddress("http://host:8088/rooms/the%20attic")?.room == "the attic")
    #expect(JamAddress("http://host")?.room == nil && JamAddress("http://host") != nil)
    for text in ["", "host", "ftp://host:1", "host:70000", "127.0.0.1:8000/x"] {
      #expect(JamAddress(text) == nil, "\(text)")
    }
  }
}

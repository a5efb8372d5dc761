import JamCore
import Testing

@testable import JamWire

/// `/seat/<n>/…`, made from the rows of `/player/<name>/…`.
@Suite struct SeatAddressTests {
  private let table = AddressTable.standard

  @Test("whatever is sent to a player's name is sent to a seat as well, with the same arguments")
  func twins() throws {
    let begin = "/player/<name>/"
    let named = table.entries.filter { $0.access != .sent && $0.template.hasPrefix(begin) }
    #expect(named.count >= 7)
    for entry in named {
      let template = "/seat/<n>/\(entry.template.dropFirst(begin.count))"
      let twin = try #require(table.entries.first { $0.template == template }, "\(template)")
      #expect(twin.access == entry.access && twin.scope == entry.scope && twin.arguments == entry.arguments)
      #expect(twin.isButton == entry.isButton, "\(template)")
    }
  }

  @Test("every request to a seat is about whoever sits there, and about nobody who is called `player`")
  func everyRow() throws {
    let name = try #require(PlayerName("anna"))
    for entry in table.entries where entry.isOfSeat && entry.access != .sent {
      let address = entry.address(numbers: [3, 0], texts: [])
      let read: Request?
      if entry.access == .trigger || entry.isButton {
        read = try request(address, .float(1))
      } else {
        read = try request(address)
      }
      guard case .command(let command)? = read else {
        Issue.record("\(address)")
        continue
      }
      switch command {
      case .read(let setting), .toggle(let setting), .set(let setting, _):
        #expect(setting.seat == 3, "\(address)")
        if case .ofSeat(_, let plain) = setting { #expect(plain.naming(name).namedPlayer == name, "\(address)") }
      default:
        #expect(command.namedPlayer == .anybody, "\(address)")
        #expect(command.naming(name).namedPlayer == name, "\(address)")
      }
    }
  }

  @Test("every command and setting at a player's name knows the name, and can be given another")
  func namedRows() throws {
    let (anna, bob) = (try #require(PlayerName("anna")), try #require(PlayerName("bob")))
    let rows = AddressTable.playerRows.filter { $0.template.hasPrefix(SettingRow.namedPlayer) }
    #expect(rows.count >= 8)
    for entry in rows {
      var arguments = WireArguments(address: entry.template)
      arguments.texts = [anna.text]
      guard case .command(let command)? = try entry.build?(arguments) else {
        Issue.record("\(entry.template)")
        continue
      }
      #expect(command.namedPlayer == anna, "\(entry.template)")
      #expect(command.naming(bob).namedPlayer == bob, "\(entry.template)")
    }
  }

  @Test("a fader of 0…1 moves a seat's channel, and asks for it; what is only read says so, and a lit button acts")
  func shares() throws {
    let (gain, mute) = (Setting.ofSeat(3, .channelGain(.anybody)), Setting.ofSeat(3, .channelMute(.anybody)))
    let set = try #require(try addressed("/n/seat/3/gain", .float(0.5)))
    let value = try #require(gain.row.kind.value(atShare: 0.5))
    #expect(set == AddressedRequest(seat: 3, isShare: true, request: .command(.set(gain, value))))
    #expect(try request("/n/seat/3/gain") == .command(.read(gain)))
    #expect(try request("/n/seat/3/mute", .float(1)) == .command(.set(mute, .bool(true))))
    #expect(try request("/n/seat/3/solo") == .command(.read(.ofSeat(3, .channelSolo(.anybody)))))
    #expect(table.share(gain, value) == OSCMessage("/n/seat/3/gain", .float(0.5)))
    #expect(complaint("/n/seat/3/taken", .float(1)).hasPrefix("it can only be read"))
    #expect(try request("/n/seat/3/admit", .float(1)) == request("/seat/3/admit", .float(1)), "a lit button")
    var score = CommandReader(isScore: true)
    #expect(throws: WireError.self) { try score.read(OSCMessage("/n/seat/3/gain", .float(0.5))) }
  }

  @Test("/sync asks at a seat, in front of an address too, and whether the player there is in")
  func questions() throws {
    let gain = try table.question("/seat/3/gain")
    #expect(gain.command == .read(.ofSeat(3, .channelGain(.anybody))) && gain.seat == 3 && gain.actingSeat == nil)
    let pad = try table.question("/room/attic/seat/3/pad/1/gain")
    #expect(pad.command == .read(.pad(.gain, Pad(1)!)) && pad.actingSeat == 3 && pad.seat == nil)
    #expect(pad.room == PlayerName("attic")! && pad.player == nil)
    #expect(pad.sent == "/room/attic/seat/3/pad/1/gain" && pad.hasPrefix && !gain.hasPrefix)
    let (seat, name) = (try table.question("/seat/3/admit"), try table.question("/player/anna/admit"))
    #expect(seat.command == .read(.ofSeat(3, .admitted(.anybody))))
    #expect(name.command == .read(.admitted(PlayerName("anna")!)))
  }

  @Test("a setting of a seat is set, toggled and asked for, and comes back from its own message")
  func settings() throws {
    let gain = Setting.ofSeat(3, .channelGain(.anybody))
    let mute = Setting.ofSeat(64, .channelMute(.anybody))
    #expect(
      try addressed("/seat/3/gain", .float(-3))
        == AddressedRequest(seat: 3, request: .command(.set(gain, .float(-3)))))
    #expect(try request("/seat/3/gain") == .command(.read(gain)))
    #expect(try request("/seat/64/mute") == .command(.toggle(mute)))
    #expect(
      try addressed("/room/attic/seat/64/mute", .true)
        == AddressedRequest(
          room: PlayerName("attic")!, seat: 64, request: .command(.set(mute, .bool(true)))))
    let commands: [Command] = [
      .set(gain, .float(-3)), .read(gain), .toggle(mute), .set(.ofSeat(1, .channelSolo(.anybody)), .bool(true)),
      .set(.ofSeat(1, .roleOf(.anybody)), .text("listener")), .read(.ofSeat(2, .seatOf(.anybody))),
      .read(.seatName(7)), .read(.seatTaken(7)), .read(.seatOf(PlayerName("anna")!)),
    ]
    for command in commands {
      let message = try #require(table.message(for: command), "\(command)")
      var reader = CommandReader()
      #expect(try reader.read(message)?.request == .command(command), "\(message)")
    }
  }

  @Test("a kick and an admission name the seat: the edge finds the name")
  func names() throws {
    #expect(
      try addressed("/seat/3/kick", .int32(30))
        == AddressedRequest(seat: 3, request: .command(.kick(.anybody, seconds: 30))))
    #expect(try addressed("/seat/3/admit") == AddressedRequest(seat: 3, request: .command(.admit(.anybody))))
    #expect(
      try addressed("/seat/3/takeback") == AddressedRequest(seat: 3, request: .command(.takeBackAll(.anybody))))
    #expect(try addressed("/seat/3/kick", .float(0)) == nil, "the button came up")
  }

  @Test("a seat in front of another address is for the player there, as a name is")
  func inFront() throws {
    let hit = try #require(try request("/pad/1", .float(0.5)))
    #expect(try addressed("/seat/3/pad/1", .float(0.5)) == AddressedRequest(actingSeat: 3, request: hit))
    #expect(
      try addressed("/room/attic/seat/3/pad/1/gain", .float(-3))
        == AddressedRequest(
          room: PlayerName("attic")!, actingSeat: 3, request: .command(.set(.pad(.gain, Pad(1)!), .float(-3)))))
    #expect(complaint("/seat/3/hello", .string("x")).hasPrefix("it concerns the sender alone"))
  }

  @Test("what a seat cannot be is refused with words")
  func refusals() {
    for address in ["/seat/65/gain", "/seat/65/pad/1"] {
      #expect(complaint(address, .float(1)).hasPrefix("seat 65 is out of range"), "\(complaint(address, .float(1)))")
    }
    #expect(complaint("/seat/0/gain", .float(1)).hasPrefix("seat 0 is out of range"))
    #expect(complaint("/seat/3/name", .string("x")).hasPrefix("it can only be read"))
    #expect(complaint("/seat/*/gain", .float(1)).hasPrefix("patterns work on one's own pads"))
    #expect(complaint("/seat/3/gains", .float(1)).hasPrefix("there is no such address"))
    #expect(complaint("/seat/x/gain", .float(1)).hasPrefix("there is no such address"))
    #expect(complaint("/seat/3").hasPrefix("there is no such address"))
  }

  @Test("a score knows its players by name alone")
  func scores() {
    for address in ["/player/ann/seat/3/gain", "/seat/3/gain", "/seat/3/pad/1"] {
      var score = CommandReader(isScore: true)
      #expect(throws: WireError.unknownAddress(address)) { try score.read(OSCMessage(address, .float(1))) }
    }
  }

  @Test("a value of a seat is told at the seat's address, and only under the topic that asks for seats")
  func feedback() throws {
    let told: [(Setting, SettingValue, OSCMessage)] = [
      (.ofSeat(3, .channelGain(.anybody)), .float(-6), OSCMessage("/seat/3/gain", .float(-6))),
      (.ofSeat(3, .channelSolo(.anybody)), .bool(true), OSCMessage("/seat/3/solo", .int32(1))),
      (.ofSeat(3, .admitted(.anybody)), .bool(false), OSCMessage("/seat/3/admit", .int32(0))),
      (.seatName(3), .text("anna"), OSCMessage("/seat/3/name", .string("anna"))),
      (.seatTaken(64), .bool(false), OSCMessage("/seat/64/taken", .int32(0))),
    ]
    for (setting, value, message) in told {
      let event = Event.value(setting, value)
      #expect(table.feedback(for: event, clock: ServerClock()).messages == [message])
      #expect(event.topic == .seats)
    }
    let number = Event.value(.seatOf(PlayerName("anna")!), .integer(3))
    #expect(
      table.feedback(for: number, clock: ServerClock()).messages == [OSCMessage("/player/anna/seat", .int32(3))])
    #expect(number.topic == .state)
    #expect(!Topics.standard.contains(.seats))
    #expect(try request("/subscribe/seats") == .session(.subscribe(port: nil, topics: .seats)))
    #expect(
      try request("/subscribe", .int32(9_001), .string("state"), .string("seats"))
        == .session(.subscribe(port: 9_001, topics: [.state, .seats])))
  }
}

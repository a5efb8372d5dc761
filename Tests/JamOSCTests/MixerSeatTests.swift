import JamCore
import JamNet
import JamWire
import Testing

@testable import JamOSC

/// Mixers that know players by their seats.
@Suite struct MixerSeatTests {
  /// A host that asked for seats, and nothing else.
  private func mixer(_ rig: EdgeRig) throws -> Controller {
    let mixer = try Controller(rig)
    try mixer.hello("desk")
    mixer.send("/host", .string("word"))
    mixer.send("/subscribe", .string("seats"))
    rig.pass(milliseconds: 1_000)
    _ = mixer.received()
    return mixer
  }

  private func player(_ rig: EdgeRig, _ name: String, host: UInt8 = 2) throws -> Controller {
    let player = try Controller(rig, host: .ipv4(127, 0, 0, host))
    try player.hello(name)
    rig.pass(milliseconds: 100)
    return player
  }

  private func last(_ address: String, _ messages: [OSCMessage]) -> [OSCArgument]? {
    messages.last { $0.address == address }?.arguments
  }

  @Test("a mixer is told who sits down at the first seat, and who leaves it") func labels() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    let anna = try player(rig, "anna")
    var told = mixer.received()
    #expect(last("/seat/1/name", told) == [.string("anna")] && last("/seat/1/taken", told) == [.int32(1)])
    #expect(last("/seat/1/gain", told) == [.float(0)] && last("/seat/1/mute", told) == [.int32(0)])
    #expect(!told.contains { $0.address.hasPrefix("/player/") }, "it asked for seats alone")
    anna.send("/bye")
    rig.pass(milliseconds: 100)
    told = mixer.received()
    #expect(last("/seat/1/name", told) == [.string("")] && last("/seat/1/taken", told) == [.int32(0)])
  }

  @Test("a fader of a seat moves the player's channel; it has no echo, and shows what others do") func faders() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    let anna = try player(rig, "anna")
    anna.send("/host", .string("word"))
    rig.pass(milliseconds: 100)
    _ = (mixer.received(), anna.received())
    mixer.send("/seat/1/gain", .float(-6))
    rig.pass(milliseconds: 100)
    #expect(mixer.received("/seat/1/gain").isEmpty)
    let told = anna.received()
    #expect(last("/player/anna/gain", told) == [.float(-6)])
    #expect(!told.contains { $0.address.hasPrefix("/seat/") }, "nobody else's traffic grows")
    anna.send("/player/anna/gain", .float(-3))
    rig.pass(milliseconds: 100)
    #expect(mixer.received("/seat/1/gain") == [[.float(-3)]])
    // A button is told to its presser, too, at the control's own address.
    mixer.send("/seat/1/mute")
    rig.pass(milliseconds: 100)
    #expect(mixer.received("/seat/1/mute") == [[.int32(1)]])
    for number in 0..<200 {
      anna.send("/player/anna/gain", .float(-Float(number) / 10))
      rig.pass(milliseconds: 1)
    }
    rig.pass(milliseconds: 50)
    let values = mixer.received("/seat/1/gain")
    #expect((5...9).contains(values.count) && values.last == [.float(-19.9)], "\(values.count) in 200 ms")
  }

  @Test("who uses a seat has asked for seats: values come with the other feedback, the next subscription's too")
  func byUse() throws {
    let rig = try EdgeRig()
    let mixer = try Controller(rig)
    try mixer.hello("desk")
    rig.pass(milliseconds: 100)
    #expect(!mixer.received().contains { $0.address.hasPrefix("/seat/") })
    mixer.send("/seat/9/gain")
    #expect(mixer.received("/seat/9/gain") == [[.float(0)]])
    _ = try player(rig, "anna")
    var told = mixer.received()
    #expect(last("/seat/2/name", told) == [.string("anna")] && last("/player/anna/seat", told) == [.int32(2)])
    mixer.send("/subscribe")
    _ = try player(rig, "berta", host: 3)
    told = mixer.received()
    #expect(last("/seat/3/name", told) == [.string("berta")] && last("/player/berta/gain", told) == [.float(0)])
    // Whoever names other topics wants no seats any more.
    mixer.send("/subscribe", .string("state"))
    _ = try player(rig, "carla", host: 4)
    told = mixer.received()
    #expect(last("/player/carla/seat", told) == [.int32(4)])
    #expect(!told.contains { $0.address.hasPrefix("/seat/") })
  }

  @Test(
    "a subscription to seats brings all labels, the mixer's own where it sits then, again with each subscription",
    arguments: [["seats"], ["state", "seats"]])
  func subscribed(topics: [String]) throws {
    let rig = try EdgeRig()
    _ = try player(rig, "anna")
    for name in ["desk", nil] {
      let mixer = try Controller(rig)
      if let name { try mixer.hello(name) }
      rig.pass(milliseconds: 1_000)
      for _ in 0..<2 {
        _ = mixer.received()
        mixer.send(OSCMessage("/subscribe", topics.map { .string($0) }).encoded())
        rig.pass(milliseconds: 1_000)
        let told = mixer.received()
        #expect(told.count { $0.address.hasPrefix("/seat/") && $0.address.hasSuffix("/name") } == 64)
        #expect(last("/seat/1/name", told) == [.string("anna")] && last("/seat/1/gain", told) == [.float(0)])
        #expect(last("/seat/64/name", told) == [.string("desk")])
        #expect(told.contains { $0.address == "/tempo" } == topics.contains("state"))
      }
    }
  }

  @Test("who uses a seat's address keeps its own seat, also when it says its name again; who subscribes moves")
  func readers() throws {
    let rig = try EdgeRig()
    _ = try player(rig, "anna")
    let berta = try player(rig, "berta", host: 3)
    let seat = { rig.on { [room = rig.room] in room.assumeIsolated { $0.seat(of: PlayerName("berta")!) } } }
    berta.send("/sync", .string("/seat/1/gain"))
    berta.send("/seat/1/gain", .float(-20))
    try berta.hello("berta")
    #expect(seat() == 2)
    berta.send("/subscribe", .string("seats"))
    #expect(seat() == 64)
  }

  @Test("/sync tells a mixer all labels, and the channels of those who are there; nobody else is told of seats")
  func state() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    let anna = try player(rig, "anna")
    rig.pass(milliseconds: 500)
    _ = (mixer.received(), anna.received())
    mixer.send("/sync")
    anna.send("/sync")
    rig.pass(milliseconds: 1_000)
    let told = mixer.received()
    for seat in 1...64 {
      let name = seat == 1 ? "anna" : seat == 64 ? "desk" : ""
      #expect(last("/seat/\(seat)/name", told) == [.string(name)])
      #expect(last("/seat/\(seat)/taken", told) == [.int32(name.isEmpty ? 0 : 1)])
    }
    let faders = told.filter { $0.address.hasPrefix("/seat/") && $0.address.hasSuffix("/gain") }.map(\.address)
    #expect(faders == ["/seat/1/gain", "/seat/64/gain"])
    let own = anna.received()
    #expect(last("/player/anna/seat", own) == [.int32(1)])
    #expect(!own.contains { $0.address.hasPrefix("/seat/") })
  }

  @Test("a fader of 0…1 moves a seat's channel, and is told what others do and the state")
  func shares() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    let anna = try player(rig, "anna")
    anna.send("/host", .string("word"))
    _ = mixer.received()
    mixer.send("/n/seat/1/gain", .float(0.5))
    rig.pass(milliseconds: 100)
    #expect(anna.received("/player/anna/gain").last == [.float(-24)])
    anna.send("/player/anna/gain", .float(-6))
    rig.pass(milliseconds: 100)
    var told = mixer.received()
    #expect(last("/seat/1/gain", told) == [.float(-6)] && last("/n/seat/1/gain", told) == [.float(0.75)])
    mixer.send("/sync", .string("/seat/1/gain"))
    #expect(mixer.received("/seat/1/gain") == [[.float(-6)]])
    mixer.send("/n/seat/1/gain")
    #expect(mixer.received("/n/seat/1/gain") == [[.float(0.75)]])
    mixer.send("/sync")
    rig.pass(milliseconds: 1_000)
    told = mixer.received()
    #expect(last("/n/seat/1/gain", told) == [.float(0.75)])
  }

  @Test("/sync with a seat in front tells a host that player's value, and nobody else's") func questions() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    let anna = try player(rig, "anna")
    anna.send("/pad/1/gain", .float(-6))
    rig.pass(milliseconds: 100)
    _ = (mixer.received(), anna.received())
    mixer.send("/sync", .string("/seat/1/pad/1/gain"))
    #expect(mixer.received() == [OSCMessage("/seat/1/pad/1/gain", .float(-6))])
    mixer.send("/sync", .string("/pad/1/gain"))
    #expect(mixer.received("/pad/1/gain") == [[.float(0)]])
    for address in ["/seat/1/loop/record", "/player/anna/loop/record", "/room/main/loop/record"] {
      mixer.send("/sync", .string(address))
      #expect(mixer.received() == [OSCMessage(address, .float(0))])
    }
    mixer.send("/n/seat/1/pad/1/gain")
    let share = mixer.received()
    #expect(share.map(\.address) == ["/n/seat/1/pad/1/gain"])
    mixer.send("/sync", .string("/n/seat/1/pad/1/gain"))
    #expect(mixer.received() == share)
    // Others' values are right while a state is still on its way, too.
    mixer.send("/sync")
    mixer.send("/sync", .string("/player/anna/pad/1/gain"))
    rig.pass(milliseconds: 1_000)
    #expect(mixer.received("/player/anna/pad/1/gain") == [[.float(-6)]])
    anna.send("/sync", .string("/seat/64/pad/1/gain"))
    #expect(anna.received("/error").last?.last == .string("other-player"))
  }

  @Test("an error names the address that was sent, with all that stands in front") func errors() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    mixer.send("/room/door", .int32(1))
    let anna = try player(rig, "anna")
    _ = (mixer.received(), anna.received())
    for address in ["/n/tempo", "/n/seat/64/gain", "/n/seat/64/pad/1/gain", "/seat/64/pad/1/gain", "/n/nope"] {
      anna.send(address, .float(0.5))
      rig.pass(milliseconds: 50)
      #expect(anna.received("/error").map(\.first) == [.string(address)])
    }
    for address in ["/seat/5/loop/record", "/n/seat/5/pad/1/gain"] {
      mixer.send("/sync", .string(address))
      #expect(mixer.received("/error").map(\.first) == [.string(address)])
    }
    anna.send("/sync", .string("/player/desk/loop/record"))
    #expect(anna.received("/error").map(\.first) == [.string("/player/desk/loop/record")])
  }

  @Test("a seat has a light for the door: off while its player waits, and on once the player is let in")
  func door() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    mixer.send("/room/door", .int32(1))
    _ = try player(rig, "anna")
    #expect(mixer.received("/seat/1/admit").last == [.int32(0)])
    mixer.send("/sync", .string("/seat/1/admit"))
    #expect(mixer.received("/seat/1/admit") == [[.int32(0)]])
    mixer.send("/seat/1/admit", .float(1))
    rig.pass(milliseconds: 100)
    #expect(mixer.received("/seat/1/admit").last == [.int32(1)])
  }

  @Test("taking back at a seat is about whoever sits there") func takingBack() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    let anna = try player(rig, "anna")
    anna.send("/pad/1/gain", .float(-6))
    rig.pass(milliseconds: 100)
    _ = (mixer.received(), anna.received())
    mixer.send("/seat/1/takeback", .float(1))
    rig.pass(milliseconds: 100)
    #expect(mixer.received("/error").isEmpty)
    #expect(anna.received("/pad/1/gain").last == [.float(0)])
  }

  @Test("a fader of an empty seat is refused with its own code and address") func empty() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    for address in ["/seat/40/gain", "/seat/40/pad/1", "/seat/40/kick"] {
      mixer.send(address, .float(3))
      rig.pass(milliseconds: 10)
      let error = mixer.received("/error").last
      #expect(error?.first == .string(address) && error?.last == .string("seat-empty"), "\(String(describing: error))")
    }
    #expect(rig.hits().isEmpty)
  }

  @Test("who is no host moves nobody's fader by the seat either, and is told so at the seat's address")
  func rights() throws {
    let rig = try EdgeRig()
    _ = try mixer(rig)
    _ = try player(rig, "anna")
    let berta = try player(rig, "berta", host: 3)
    _ = berta.received()
    for address in ["/seat/1/gain", "/seat/1/pad/1", "/seat/1/kick"] {
      berta.send(address, .float(2))
      rig.pass(milliseconds: 10)
      let error = try #require(berta.received("/error").last)
      #expect(["host-only", "other-player"].map { .string($0) }.contains(error.last), "\(error)")
    }
    #expect(rig.playerNames.contains("anna") && rig.hits().isEmpty)
  }

  @Test("a host plays for the player at a seat, sends it out, and lets it in again") func deeds() throws {
    let rig = try EdgeRig()
    let mixer = try mixer(rig)
    _ = try player(rig, "anna")
    let names = rig.playerNames
    mixer.send("/seat/1/pad/1", .float(1))
    rig.pass(milliseconds: 50)
    #expect(rig.hits().map(\.bus) == [names.firstIndex(of: "anna")])
    _ = mixer.received()
    mixer.send("/seat/1/kick")
    rig.pass(milliseconds: 50)
    #expect(rig.playerNames == ["desk"])
    #expect(mixer.received("/seat/1/name").last == [.string("")])
    mixer.send("/seat/1/admit")
    rig.pass(milliseconds: 50)
    #expect(mixer.received("/error").isEmpty)
    _ = try player(rig, "anna", host: 3)
    #expect(mixer.received("/seat/1/name").last == [.string("anna")])
  }
}

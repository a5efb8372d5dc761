import JamCore
import JamNet
import JamWire
import Testing

@Suite struct WhoIsWhoTests {
  @Test("a nameless hit lets a guest in and sounds one constant delay after it arrived") func guest() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/pad/3", .float(0.5))
    #expect(rig.hits() == [EdgeRig.Hit(pad: 3, frame: 48_000 + 240, bus: 0)])
    #expect(rig.playerNames == ["guest-127.0.0.1"])
  }

  @Test("all nameless senders of one address are one guest, and others are others") func oneGuest() throws {
    let rig = try EdgeRig()
    let sockets = try (0..<3).map { _ in try Controller(rig) }
    for controller in sockets { controller.send("/pad/1", .float(1)) }
    try Controller(rig, host: .ipv4(127, 0, 0, 2)).send("/pad/1", .float(1))
    #expect(rig.hits().map(\.bus) == [0, 0, 0, 1])
    #expect(rig.playerNames == ["guest-127.0.0.1", "guest-127.0.0.2"])
  }

  @Test("guests do not take the places of those who say their name, and silent ones make way") func crowd() throws {
    let rig = try EdgeRig()
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    for i in 1...40 { rig.take(hit, from: .ipv4(10, 0, 0, UInt8(i), port: 9_000)) }
    #expect(rig.playerNames.count == 32)
    try Controller(rig).hello("anna")
    #expect(rig.playerNames.contains("anna"))
    rig.pass(milliseconds: 6_000)
    rig.take(hit, from: .ipv4(10, 0, 0, 40, port: 9_000))
    #expect(rig.playerNames.count == 33)
    #expect(rig.playerNames.contains("guest-10.0.0.40"))
  }

  @Test("a guest is dropped after 60 s of silence, not before") func silence() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/pad/1", .float(1))
    rig.pass(milliseconds: 59_000)
    #expect(rig.playerNames.count == 1)
    controller.send("/pad/1", .float(0))
    rig.pass(milliseconds: 59_000)
    #expect(rig.playerNames.count == 1)
    rig.pass(milliseconds: 3_000)
    #expect(rig.playerNames.isEmpty)
    controller.send("/pad/2", .float(1))
    #expect(rig.hits().last?.pad == 2)
  }

  @Test("hello is answered by welcome and the full state") func hello() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/hello", .string("anna"))
    let messages = controller.received()
    let welcome = try #require(messages.first)
    #expect(welcome.address == "/welcome")
    #expect(
      Array(welcome.arguments.prefix(5)) == [.string("main"), .string("anna"), .int32(1), .float(120), .int32(4)])
    let addresses = Set(messages.map(\.address))
    for entry in AddressTable.standard.entries where entry.template == "/tempo" || entry.template == "/kit" {
      #expect(addresses.contains(entry.template))
    }
    #expect(addresses.contains("/pad/16/name") && addresses.contains("/master/gain") && addresses.contains("/play"))
  }

  @Test("the token resumes the player from another port") func token() throws {
    let rig = try EdgeRig()
    let token = try Controller(rig, host: .ipv4(127, 0, 0, 2)).hello("anna")
    let second = try Controller(rig)
    #expect(try second.hello("anna", token: token) == token)
    #expect(rig.playerNames == ["anna"])
    second.send("/pad/1", .float(1))
    #expect(rig.hits().map(\.bus) == [0])
  }

  @Test("another host of the same name gets a number, however silent the first is") func sameName() throws {
    let rig = try EdgeRig()
    try Controller(rig).hello("anna")
    rig.pass(milliseconds: 60_000)
    try Controller(rig, host: .ipv4(127, 0, 0, 2)).hello("anna")
    #expect(rig.playerNames == ["anna", "anna-2"])
  }

  @Test("hello again renames") func rename() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    try controller.hello("anna")
    try controller.hello("berta")
    #expect(rig.playerNames == ["berta"])
  }

  @Test("nobody takes a name that is kept out, or a listener's, by coming in under another one first")
  func keptNames() throws {
    let rig = try EdgeRig()
    let host = try Controller(rig)
    try host.hello("host")
    host.send("/host", .string("word"))
    let kim = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try kim.hello("kim")
    let lee = try Controller(rig, host: .ipv4(127, 0, 0, 3))
    try lee.hello("lee")
    host.send("/player/lee/role", .string("listener"))
    lee.send("/bye")
    host.send("/player/kim/kick")
    let other = try Controller(rig, host: .ipv4(127, 0, 0, 4))
    let token = try other.hello("other")
    let guest = try Controller(rig, host: .ipv4(127, 0, 0, 5))
    guest.send("/pad/1", .float(1))
    for (name, reason) in [("kim", "/player/kim/admit"), ("lee", "made lee a listener")] {
      for controller in [other, guest] {
        controller.send("/hello", .string(name))
        #expect(controller.received("/error").last?[1].text?.contains(reason) == true)
      }
    }
    #expect(rig.playerNames == ["host", "other", "guest-127.0.0.5"])
    // Its token resumes the membership, under its old name.
    #expect(try Controller(rig).hello("kim", token: token) == token)
    #expect(rig.playerNames == ["host", "other", "guest-127.0.0.5"])
    host.send("/player/kim/admit")
    try other.hello("kim")
    #expect(rig.playerNames == ["host", "kim", "guest-127.0.0.5"])
  }

  @Test("a guest that says its name keeps its place") func guestNamed() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/pad/1/gain", .float(-6))
    try controller.hello("anna")
    #expect(rig.playerNames == ["anna"])
    controller.send("/pad/1/gain")
    #expect(controller.received("/pad/1/gain") == [[.float(-6)]])
  }

  @Test("bye leaves") func bye() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    try controller.hello("anna")
    controller.send("/bye", .int32(0))
    #expect(rig.playerNames == ["anna"])
    controller.send("/bye")
    #expect(rig.playerNames.isEmpty)
  }

  @Test("a named player leaves when its lease is over") func lease() throws {
    let rig = try EdgeRig()
    try Controller(rig).hello("anna")
    rig.pass(milliseconds: 890_000)
    #expect(rig.playerNames == ["anna"])
    rig.pass(milliseconds: 20_000)
    #expect(rig.playerNames.isEmpty)
  }

  @Test("a room with a password lets nobody in without it") func password() throws {
    let rig = try EdgeRig(password: "sesame")
    let controller = try Controller(rig)
    controller.send("/pad/1", .float(1))
    #expect(rig.hits().isEmpty)
    let error = try #require(controller.received("/error").first)
    #expect(error.first == .string("/pad/1"))
    #expect(error[1].text?.contains("password") == true)
    controller.send("/password", .string("wrong"))
    #expect(controller.received("/error").map { $0[1].text?.contains("is not the password") } == [true])
    controller.send("/subscribe")
    #expect(controller.received("/error").count == 1)
    controller.send("/password", .string("sesame"))
    rig.pass(milliseconds: 3)
    controller.send("/pad/1", .float(1))
    #expect(rig.hits().count == 1)
    #expect(controller.received("/error").isEmpty)
    let other = try Controller(rig)
    other.send("/hello", .string("anna"), .string("main"), .string("sesame"))
    #expect(other.received("/welcome").count == 1)
  }

  @Test("another player is a host's business") func otherPlayers() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let berta = try Controller(rig)
    try anna.hello("anna")
    try berta.hello("berta")
    berta.send("/player/anna/pad/1", .float(1))
    #expect(rig.hits().isEmpty)
    #expect(berta.received("/error").first?.first == .string("/player/anna/pad/1"))
    anna.send("/player/anna/pad/1", .float(1))
    #expect(rig.hits().map(\.bus) == [0])
    berta.send("/host", .string("word"))
    berta.send("/player/anna/pad/2", .float(1))
    #expect(rig.hits().map(\.bus) == [0])
    #expect(berta.received("/host") == [[.int32(1)]])
    berta.send("/player/anna/kick")
    #expect(rig.playerNames == ["berta"])
    #expect(anna.received("/kicked") == [[.string("berta"), .int32(600)]])
    // Neither pads nor another name let it in from there, and a host's word does.
    anna.send("/pad/1", .float(1))
    anna.send("/hello", .string("carla"))
    let errors = anna.received("/error").compactMap(\.[1].text)
    #expect(errors.count == 2 && errors.allSatisfy { $0.contains("put ") })
    #expect(rig.playerNames == ["berta"])
    berta.send("/player/anna/admit")
    rig.pass(milliseconds: 3)
    try anna.hello("anna")
    anna.send("/pad/1", .float(1))
    #expect(rig.hits().count == 1)
  }

  @Test("names of any script are reached by their address") func anyScript() throws {
    let rig = try EdgeRig()
    let joerg = try Controller(rig)
    let host = try Controller(rig)
    try joerg.hello("Jörg 日本")
    try host.hello("host")
    host.send("/host", .string("word"))
    host.send("/player/Jörg_日本/gain", .float(-6))
    rig.pass(milliseconds: 40)
    #expect(joerg.received("/player/Jörg_日本/gain").last == [.float(-6)])
    host.send("/player/Jörg_日本/pad/2", .float(1))
    #expect(rig.hits().map(\.bus) == [0])
  }

  @Test("a room that is not there is named with those that are") func unknownRoom() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/room/cellar/pad/1", .float(1))
    let error = try #require(controller.received("/error").first)
    #expect(error.first == .string("/room/cellar/pad/1"))
    #expect(error[1].text?.contains("main") == true)
  }

  @Test("another room's address does not move the sender's own room") func home() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/room/attic/tempo")
    #expect(controller.received("/tempo") == [[.float(77)]])
    controller.send("/tempo")
    #expect(controller.received("/tempo") == [[.float(120)]])
    controller.send("/pad/1", .float(1))
    #expect(rig.playerNames == ["guest-127.0.0.1"])
  }

  @Test("after a wrong password, what wants none is not told of it, and what wants one says so plainly")
  func wrongOnce() throws {
    let rig = try EdgeRig(password: "sesame")
    let controller = try Controller(rig)
    controller.send("/password", .string("wrong"))
    _ = controller.received()
    controller.send("/tempo")
    let text = try #require(controller.received("/error").first?[1].text)
    #expect(text.contains("wants a password"))
  }

  @Test("who was in comes through the door with its token, also where a nameless message came first")
  func tokenAfterGuest() throws {
    let rig = try EdgeRig()
    let host = try Controller(rig)
    try host.hello("ann")
    host.send("/host", .string("word"))
    let bob = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    let token = try bob.hello("bob")
    bob.send("/bye")
    host.send("/room/door", .int32(1))
    let again = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    again.send("/pad/1/gain", .float(-6))
    #expect(rig.playerNames.contains("guest-127.0.0.2"))
    try again.hello("bob", token: token)
    #expect(rig.playerNames.contains("bob"))
    _ = rig.hits()
    again.send("/pad/1", .float(1))
    #expect(rig.hits().count == 1)
    // With a token that nobody had, one waits.
    let stranger = try Controller(rig, host: .ipv4(127, 0, 0, 3))
    stranger.send("/pad/1/gain", .float(-6))
    try stranger.hello("eve", token: "no token")
    stranger.send("/pad/1", .float(1))
    #expect(rig.hits().isEmpty)
  }
}

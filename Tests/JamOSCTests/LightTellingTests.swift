import JamCore
import JamNet
import JamWire
import Testing

@testable import JamOSC

/// Controllers that know addresses and numbers alone: what `/subscribe` brings them, lights, questions about one
/// address, and `/n/…`.
@Suite struct LightTellingTests {
  /// Subscribed, with the state in its hands.
  private func panel(_ rig: EdgeRig) throws -> (Controller, [OSCMessage]) {
    let controller = try Controller(rig)
    controller.send("/subscribe")
    rig.pass(milliseconds: 100)
    return (controller, controller.received())
  }

  // MARK: The state

  @Test("a subscription brings the state, the player's own once there is a player") func state() throws {
    let rig = try EdgeRig()
    let (controller, first) = try panel(rig)
    #expect(first.contains { $0.address == "/tempo" } && first.contains(OSCMessage("/scene/8", .float(0))))
    #expect(first.contains { $0.address == "/buildup/state" })
    #expect(!first.contains { $0.address == "/kit" }, "it has no player, and plays nothing")
    #expect(rig.playerNames.isEmpty)
    controller.send("/pad/1", .float(1))
    rig.pass(milliseconds: 100)
    let then = controller.received()
    #expect(then.contains { $0.address == "/kit" } && then.contains(OSCMessage("/loop/record", .float(0))))
    _ = rig.hits()
  }

  @Test("whoever lost the network subscribes again and has the state; a connection has it once") func again() throws {
    let rig = try EdgeRig()
    let (controller, _) = try panel(rig)
    controller.send("/subscribe")
    rig.pass(milliseconds: 100)
    #expect(controller.received("/tempo").count == 1)
  }

  @Test("a list that is asked for while the state is being told comes, too") func list() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    for address in ["/subscribe", "/sync", "/kits", "/samples"] {
      controller.throwIn(OSCMessage(address).encoded())
    }
    rig.take()
    rig.pass(milliseconds: 200)
    let told = controller.received()
    #expect(told.contains { $0.address == "/tempo" } && told.contains { $0.address == "/kits/item" })
  }

  @Test("topics without the state bring none") func topics() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/subscribe", .string("hits"))
    rig.pass(milliseconds: 100)
    #expect(controller.received().isEmpty)
  }

  @Test("a welcome comes before the state, also for who has just subscribed") func welcome() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.throwIn(OSCMessage("/subscribe").encoded())
    controller.throwIn(OSCMessage("/hello", .string("anna")).encoded())
    rig.take()
    rig.pass(milliseconds: 100)
    let told = controller.received()
    let welcome = try #require(told.firstIndex { $0.address == "/welcome" })
    #expect(told[welcome...].contains { $0.address == "/kit" } && told[welcome...].contains { $0.address == "/tempo" })
  }

  @Test("an address that may be forged gets one line, within what it paid for, and the state by its cookie")
  func unproven() throws {
    let rig = try EdgeRig(nearness: .attached)
    let controller = try Controller(rig)
    controller.send("/subscribe")
    let told = controller.received()
    #expect(told.map(\.address) == ["/notice", "/cookie"])
    let notice = try #require(told.first)
    #expect(notice.arguments.first == .string("/subscribe") && notice.arguments.last == .string("state-later"))
    rig.pass(milliseconds: 500)
    #expect(!controller.received().contains { $0.address == "/tempo" })
    controller.send("/cookie", try #require(told.last?.arguments.first))
    rig.pass(milliseconds: 100)
    #expect(controller.received("/tempo").count == 1)
  }

  @Test(
    "the state that /hello and /sync bring to such an address has the same line, once it is paid for",
    arguments: [OSCMessage("/hello", .string("anna")), OSCMessage("/sync")])
  func unprovenState(request: OSCMessage) throws {
    let rig = try EdgeRig(nearness: .attached)
    let controller = try Controller(rig)
    controller.send(request.encoded())
    let first = controller.received()
    #expect(first.contains { $0.address == "/cookie" }, "the cookie is worth more than the line")
    for _ in 0..<5 { controller.send("/pad/1", .float(0)) }
    let notices = (first + controller.received()).filter { $0.address == "/notice" }
    #expect(notices.count { $0.arguments.last == .string("state-later") } == 1)
  }

  @Test("an address that is no neighbour is refused in one line, which says how") func elsewhere() throws {
    let rig = try EdgeRig(isAttached: false)
    let controller = try Controller(rig)
    for _ in 0..<8 { controller.send("/subscribe", .string("state"), .string("beat"), .string("hits")) }
    let told = controller.received()
    #expect(Set(told.map(\.address)).isSubset(of: ["/cookie", "/error"]))
    controller.send("/cookie", try #require(told.first { $0.address == "/cookie" }?.arguments.first))
    controller.send("/subscribe")
    rig.pass(milliseconds: 100)
    #expect(controller.received().contains { $0.address == "/tempo" })
  }

  // MARK: Lights

  @Test("a button is lit at its own address, also for the one who pressed it") func lights() throws {
    let rig = try EdgeRig()
    let (controller, _) = try panel(rig)
    controller.send("/loop/bars", .int32(1))
    rig.pass(milliseconds: 100)
    _ = controller.received()
    controller.send("/loop/record", .float(1))
    rig.pass(milliseconds: 1_900)
    var lights = controller.received("/loop/record")
    rig.pass(milliseconds: 2_500)
    lights += controller.received("/loop/record")
    // A transport that stood begins at bar 1, so the pass begins soon.
    #expect(lights.last == [.float(0)] && lights.contains([.float(1)]))
    #expect(lights.allSatisfy { [[.float(0)], [.float(0.5)], [.float(1)]].contains($0) })
  }

  // MARK: One address

  @Test("everything that the state tells is told singly, too, and the same") func singly() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    rig.pass(milliseconds: 100)
    anna.send("/unsubscribe")
    rig.pass(milliseconds: 100)
    _ = anna.received()
    anna.send("/sync")
    rig.pass(milliseconds: 100)
    let state = Dictionary(grouping: anna.received(), by: \.address).mapValues { $0.map(\.arguments) }
    #expect(state.count > 800)
    for (address, values) in state.sorted(by: { $0.key < $1.key }) {
      anna.send("/sync", .string(address))
      rig.pass(milliseconds: 1)
      let told = anna.received()
      #expect(told.allSatisfy { $0.address == address } && told.map(\.arguments) == values, "\(address) \(told)")
    }
    #expect(rig.hits().isEmpty)
    #expect(anna.received("/loop/record").isEmpty, "nothing was triggered")
    anna.send("/loop/state")
    #expect(anna.received("/loop/state") == [[.string("empty")]])
  }

  @Test("what the server sends answers a question, or says that it holds no value") func sentOut() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    anna.send("/play")
    rig.pass(milliseconds: 1_000)
    anna.send("/unsubscribe")
    rig.pass(milliseconds: 100)
    for entry in AddressTable.standard.entries where entry.access == .sent {
      _ = anna.received()
      anna.send("/sync", .string(entry.template))
      // Errors are told ten a second.
      rig.pass(milliseconds: 150)
      let told = anna.received()
      // A list may be empty.
      if told.isEmpty { continue }
      // Some lists are refused where nothing is kept.
      let isRefused = told.count == 1 && told[0].address == "/error"
      #expect(isRefused || told.allSatisfy { $0.address == entry.template }, "\(entry.template) \(told)")
    }
    for address in ["/position", "/position/phase", "/beat", "/buildup/state", "/tempo/votes", "/player/loop"] {
      _ = anna.received()
      anna.send("/sync", .string(address))
      #expect(anna.received(address).count == 1, "\(address)")
    }
  }

  // MARK: Shares

  @Test("a fader of 0…1 sets, is answered and is told, and is not moved by itself") func shares() throws {
    let rig = try EdgeRig()
    let (anna, berta) = (try Controller(rig), try Controller(rig))
    try anna.hello("anna")
    try berta.hello("berta")
    rig.pass(milliseconds: 200)
    _ = (anna.received(), berta.received())
    anna.send("/n/modulation", .float(0.25))
    rig.pass(milliseconds: 100)
    #expect(anna.received().allSatisfy { !$0.address.hasSuffix("/modulation") })
    let told = berta.received()
    #expect(told.contains(OSCMessage("/modulation", .float(0.25))), "who uses no share is told the value alone")
    #expect(!told.contains { $0.address == "/n/modulation" })
    berta.send("/modulation", .float(0.75))
    rig.pass(milliseconds: 100)
    let fed = anna.received()
    #expect(fed.contains(OSCMessage("/n/modulation", .float(0.75))))
    #expect(fed.contains(OSCMessage("/modulation", .float(0.75))))
    berta.send("/n/modulation")
    let answers = berta.received().filter { $0.address.hasSuffix("/modulation") }
    #expect(answers == [OSCMessage("/n/modulation", .float(0.75))])
    berta.send("/sync", .string("/n/loop/bars"))
    #expect(berta.received("/n/loop/bars") == [[.float(Float(Double(3) / 63))]], "4 bars of 1…64")
    berta.send("/n/tempo", .float(1.5))
    let error = try #require(berta.received("/error").first)
    #expect(error[1].text?.contains("0…1") == true, "\(error)")
  }

  @Test("a button of 0…1 triggers, is lit where it was pressed, and is told its refusal there")
  func buttonsOfShares() throws {
    let rig = try EdgeRig()
    let (anna, berta) = (try Controller(rig), try Controller(rig))
    try anna.hello("anna")
    try berta.hello("berta")
    anna.send("/loop/bars", .int32(1))
    rig.pass(milliseconds: 200)
    _ = (anna.received(), berta.received())
    anna.send("/n/loop/record", .float(0))
    rig.pass(milliseconds: 100)
    #expect(!anna.received().contains { $0.address.hasSuffix("/loop/record") }, "0 does nothing")
    anna.send("/n/loop/record", .float(1))
    rig.pass(milliseconds: 1_900)
    var lights = anna.received("/n/loop/record")
    rig.pass(milliseconds: 2_500)
    let told = anna.received()
    lights += told.filter { $0.address == "/n/loop/record" }.map(\.arguments)
    #expect(lights.last == [.float(0)] && lights.contains([.float(1)]))
    #expect(told.contains(OSCMessage("/loop/record", .float(0))), "beside the address itself")
    let kit = TestSounds.kit().kit.id
    anna.send("/n/kit/\(kit)")
    #expect(anna.received("/n/kit/\(kit)") == [[.float(1)]])
    anna.send("/n/kit/\(kit)", .float(1))
    #expect(!anna.received().contains { $0.address == "/error" })
    anna.send("/n/scene/3", .float(1))
    #expect(anna.received("/error").first?.first == .string("/n/scene/3"), "nothing was kept there")
    _ = rig.hits()
    anna.send("/n/pad/2", .float(0.5))
    rig.pass(milliseconds: 100)
    #expect(rig.hits().count == 1)
  }

  @Test("the state brings the faders of 0…1 as well, to those who use them") func sharesOfState() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    rig.pass(milliseconds: 200)
    anna.send("/n/modulation", .float(0.5))
    anna.send("/n/swing")
    rig.pass(milliseconds: 100)
    _ = anna.received()
    anna.send("/sync")
    rig.pass(milliseconds: 100)
    let told = anna.received().filter { $0.address.hasPrefix("/n/") }
    #expect(Set(told.map(\.address)) == ["/n/swing", "/n/modulation"] && told.count == 2)
    #expect(told.contains(OSCMessage("/n/modulation", .float(0.5))))
    anna.send("/subscribe")
    rig.pass(milliseconds: 100)
    #expect(anna.received("/n/modulation") == [[.float(0.5)]])
  }

  @Test("an address that may be forged is told a share with its value, or neither") func sparingShares() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    let berta = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    anna.send("/subscribe", .string("state"))
    anna.send("/n/modulation", .float(0.5))
    rig.pass(milliseconds: 100)
    _ = anna.received()
    var (told, moves) = (0, 0)
    for _ in 0..<12 {
      anna.send("/pad/2", .float(0))
      for _ in 0..<10 {
        moves += 1
        berta.send("/modulation", .float(Float(moves) / 256))
        rig.pass(milliseconds: 50)
        let messages = anna.received()
        let values = messages.filter { $0.address == "/modulation" }.map(\.arguments)
        #expect(messages.filter { $0.address == "/n/modulation" }.map(\.arguments) == values, "move \(moves)")
        told += values.count
      }
    }
    #expect(told >= 10 && told < moves, "\(told)")
  }

  @Test("what the room does not have takes no place among the shares, so that real faders have it") func strangeShares()
    throws
  {
    let rig = try EdgeRig()
    let (anna, berta) = (try Controller(rig), try Controller(rig))
    try anna.hello("anna")
    try berta.hello("berta")
    rig.pass(milliseconds: 200)
    for number in 0..<Endpoint.mostShares {
      anna.send("/n/kit/none-\(number)")
      anna.send("/n/player/nobody-\(number)/gain", .float(0.5))
    }
    anna.send("/n/kit/" + String(repeating: "x", count: 8_000))
    rig.pass(milliseconds: 2_000)
    anna.send("/n/swing")
    _ = anna.received()
    berta.send("/swing", .float(0.1))
    rig.pass(milliseconds: 100)
    #expect(anna.received("/n/swing").count == 1)
  }

  @Test("a panel at another port is told the shares that its host's hand uses") func panelOfHost() throws {
    let rig = try EdgeRig()
    let (panel, hand, other) = (try Controller(rig), try Controller(rig), try Controller(rig))
    hand.send("/subscribe", .int32(Int32(panel.socket.localAddress.port)))
    hand.send("/n/swing", .float(0.5))
    try other.hello("other")
    rig.pass(milliseconds: 200)
    _ = (panel.received(), other.received())
    other.send("/swing", .float(0))
    rig.pass(milliseconds: 100)
    #expect(panel.received("/n/swing") == [[.float(0)]])
  }
}

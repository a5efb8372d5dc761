import JamCore
import JamNet
import JamWire
import Testing

@testable import JamOSC

/// Controllers that announce themselves, and the players whose lights they show.
@Suite struct ControllerLinkTests {
  private static let tablet = SocketAddress.ipv4(192, 0, 2, 7, port: 9_000)

  /// The rig's edge sees these controllers.
  private func announce(_ controllers: [FoundController], to rig: EdgeRig) {
    rig.on { [edge = rig.edge] in
      edge.controllers.sockets = [.anyIPv4(port: 8_000)]
      edge.controllers.found.replace(with: controllers)
    }
  }

  private func announce(_ name: String, at controller: Controller, to rig: EdgeRig) {
    announce(
      [FoundController(name: name, addresses: [.loopback(port: controller.socket.localAddress.port)])], to: rig)
  }

  private func items(_ messages: [OSCMessage]) -> [[OSCArgument]] {
    messages.filter { $0.address == "/controllers/item" }.map(\.arguments)
  }

  private func codes(_ controller: Controller) -> [String] {
    controller.received("/error").compactMap { $0.last?.text }
  }

  @Test("a player sends its lights to a controller, which then plays for the player") func link() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let pad = try Controller(rig)
    try anna.hello("anna")
    announce("Ann's iPad", at: pad, to: rig)
    anna.send("/controllers")
    let port = Int32(pad.socket.localAddress.port)
    var list = anna.received()
    #expect(items(list) == [[.string("Ann's iPad"), .string("127.0.0.1"), .int32(port), .string("off"), .string("")]])
    #expect(list.contains(OSCMessage("/controllers/end", .int32(1))))

    anna.send("/controller/lights", .string("Ann's iPad"))
    rig.pass(milliseconds: 200)
    list = anna.received()
    #expect(items(list).last?.suffix(2) == [.string("on"), .string("anna")])
    #expect(pad.received().contains { $0.address == "/pad/16/name" }, "the full state, with nothing sent")
    anna.send("/pad/3/gain", .float(-6))
    rig.pass(milliseconds: 50)
    #expect(pad.received("/pad/3/gain") == [[.float(-6)]])

    pad.send("/pad/1", .float(1))
    #expect(rig.hits().map(\.pad) == [1])
    #expect(rig.playerNames == ["anna"], "no guest plays")
    pad.send("/pad/3/gain", .float(-9))
    rig.pass(milliseconds: 50)
    #expect(anna.received("/pad/3/gain") == [[.float(-9)]])
    #expect(pad.received("/pad/3/gain").isEmpty, "its own fader is not moved")
  }

  @Test("lights are turned off again, and end as their player leaves") func unlink() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let pad = try Controller(rig)
    announce("iPad", at: pad, to: rig)
    for end in ["/controller/lights", "/bye"] {
      try anna.hello("anna")
      anna.send("/controller/lights", .string("iPad"))
      rig.pass(milliseconds: 100)
      _ = pad.received()
      if end == "/bye" { anna.send(end) } else { anna.send(end, .string("iPad"), .int32(0)) }
      rig.pass(milliseconds: 600)
      _ = pad.received()
      try anna.hello("anna")
      anna.send("/tempo", .float(end == "/bye" ? 99 : 98))
      rig.pass(milliseconds: 1_000)
      #expect(pad.received().isEmpty, "after \(end)")
      anna.send("/bye")
      rig.pass(milliseconds: 600)
    }
  }

  @Test("a controller that says another name, or goodbye, plays for itself, and its player stays")
  func ownName() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let pad = try Controller(rig)
    try anna.hello("anna")
    announce("iPad", at: pad, to: rig)
    anna.send("/controller/lights", .string("iPad"))
    pad.send("/bye")
    #expect(rig.playerNames == ["anna"])
    anna.send("/controller/lights", .string("iPad"))
    rig.pass(milliseconds: 200)
    _ = pad.received()
    try pad.hello("pad")
    #expect(rig.playerNames.sorted() == ["anna", "pad"])
    rig.on { [edge = rig.edge] in #expect(edge.controllers.links.isEmpty) }
  }

  @Test("nobody takes another player's controller, and one that is not there has a code") func refusals() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let bob = try Controller(rig)
    let pad = try Controller(rig)
    try anna.hello("anna")
    try bob.hello("bob")
    announce("iPad", at: pad, to: rig)
    anna.send("/controller/lights", .string("iPad"))
    _ = bob.received()
    bob.send("/controller/lights", .string("iPad"))
    bob.send("/controller/lights", .string("iPad"), .int32(0))
    bob.send("/controller/lights", .string("iPod"))
    #expect(codes(bob) == ["controller-taken", "controller-taken", "unknown-controller"])
    bob.send("/controllers")
    #expect(items(bob.received()).first?.suffix(2) == [.string("taken"), .string("anna")])
    // In another room nobody learns who has it.
    bob.send("/hello", .string("bob"), .string("attic"))
    rig.pass(milliseconds: 50)
    _ = bob.received()
    bob.send("/controllers")
    #expect(items(bob.received()).first?.suffix(2) == [.string("taken"), .string("")])
  }

  @Test("an address that may be forged sends nobody's lights anywhere") func unprovenAsker() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    announce([FoundController(name: "iPad", addresses: [Self.tablet])], to: rig)
    let cookie = try #require(anna.received("/cookie").first?.first)
    anna.send("/controller/lights", .string("iPad"))
    rig.on { [edge = rig.edge] in #expect(edge.controllers.links.isEmpty) }
    anna.send("/cookie", cookie)
    _ = anna.received()
    anna.send("/controller/lights", .string("iPad"))
    rig.on { [edge = rig.edge] in #expect(edge.controllers.links.count == 1) }
  }

  @Test("only addresses of attached networks are offered, and none of the server's own") func offered() throws {
    let rig = try EdgeRig(isAttached: false)
    let anna = try Controller(rig)
    anna.send("/cookie", try #require(Cookies.earn(anna)))
    anna.send("/hello", .string("anna"))
    announce([FoundController(name: "far", addresses: [Self.tablet])], to: rig)
    rig.pass(milliseconds: 1_500)
    _ = anna.received()
    anna.send("/controllers")
    #expect(anna.received().contains(OSCMessage("/controllers/end", .int32(0))))
    let near = try EdgeRig()
    announce([FoundController(name: "itself", addresses: [.loopback(port: 8_000)])], to: near)
    near.on { [edge = near.edge] in #expect(edge.controllers.reachable.isEmpty) }
  }

  @Test("a controller that only shows lights gets a bounded number of bytes, and does not keep its player")
  func bounds() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    anna.send("/cookie", try #require(anna.received("/cookie").first?.first))
    announce([FoundController(name: "iPad", addresses: [Self.tablet])], to: rig)
    anna.send("/controller/lights", .string("iPad"))
    let given = SendCredit(at: rig.time)
    given.vouch()
    #expect(given.hasCreditForState && given.credit == SendCredit.mostCredit)
    #expect(given.maySend(bytes: 30_000))
    let left = given.credit
    // Off and on again brings no second gift.
    given.vouch()
    #expect(given.credit == left)
    // The lights go on without a packet from the controller, for longer than a lease.
    for _ in 0..<100 {
      rig.pass(milliseconds: 20_000)
      anna.send("/ping")
      _ = anna.received()
    }
    rig.on { [edge = rig.edge] in #expect(edge.controllers.links.count == 1) }
    // Then its player falls silent.
    rig.pass(milliseconds: 1_000_000)
    #expect(rig.playerNames.isEmpty)
    rig.on { [edge = rig.edge] in
      #expect(edge.controllers.links.isEmpty)
      #expect(!edge.feedback.has(Subscriber.Key(.datagram(socket: 0, path: NetworkPath(peer: Self.tablet)))))
    }
  }

  @Test("another port of the controller's machine plays for the player, and one at a time has the lights")
  func otherPort() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    anna.send("/cookie", try #require(anna.received("/cookie").first?.first))
    announce([FoundController(name: "iPad", addresses: [Self.tablet])], to: rig)
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    let sender = Self.tablet.with(port: 50_001)
    // It was a guest before.
    rig.take(hit, from: sender)
    #expect(rig.playerNames.count == 2)
    rig.pass(milliseconds: 200)
    anna.send("/controller/lights", .string("iPad"))
    #expect(rig.playerNames == ["anna"])
    _ = rig.hits()
    rig.take(hit, from: sender)
    rig.pass(milliseconds: 10)
    rig.take(hit, from: sender)
    #expect(rig.playerNames == ["anna"] && rig.hits().map(\.pad) == [1, 1])
    func ports() -> [UInt16] {
      rig.on { [edge = rig.edge] in
        edge.feedback.subscribers.keys.filter { $0.peer.host == Self.tablet.host }.map(\.peer.port).sorted()
      }
    }
    #expect(ports() == [9_000, 50_001])
    anna.send("/controller/lights", .string("iPad"), .int32(0))
    #expect(ports() == [])
  }

  @Test("connections that watched the list and have ended leave their places") func watchers() {
    let links = ControllerLinks(
      proofs: AddressProofs(networks: PluggedNetworks(list: { nil }), nearness: nil))
    let origins = OriginIndex()
    for _ in 0..<ControllerLinks.mostWatchers { links.watch(origins.next()) { _ in true } }
    let (refused, page) = (origins.next(), origins.next())
    links.watch(refused) { _ in true }
    #expect(links.watchers.count == ControllerLinks.mostWatchers && !links.watchers.contains(refused))
    links.watch(page) { _ in false }
    #expect(links.watchers == [page])
  }

  @Test("a link outlives a restart of the server") func restart() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let pad = try Controller(rig)
    try anna.hello("anna")
    announce("iPad", at: pad, to: rig)
    anna.send("/controller/lights", .string("iPad"))
    rig.pass(milliseconds: 200)
    rig.beginAnew(KeptSenders(rig.senders.text))
    announce("iPad", at: pad, to: rig)
    rig.pass(milliseconds: 600)
    _ = pad.received()
    rig.on { [edge = rig.edge] in #expect(edge.controllers.links.count == 1) }
    anna.send("/pad/3/gain", .float(-3))
    rig.pass(milliseconds: 100)
    #expect(pad.received("/pad/3/gain") == [[.float(-3)]])
  }
}

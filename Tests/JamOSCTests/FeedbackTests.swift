import JamCore
import JamNet
import JamWire
import Testing

@Suite struct FeedbackTests {
  @Test("a change is told to the others at the control's own address, and not to its cause") func noEcho() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let berta = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try anna.hello("anna")
    try berta.hello("berta")
    rig.pass(milliseconds: 100)
    _ = (anna.received(), berta.received())
    anna.send("/tempo", .int32(99))
    rig.pass(milliseconds: 50)
    #expect(berta.received("/tempo") == [[.float(99)]])
    #expect(anna.received("/tempo").isEmpty)
  }

  @Test("feedback comes 30 times a second at most, and the latest value wins") func latestWins() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let berta = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try anna.hello("anna")
    try berta.hello("berta")
    rig.pass(milliseconds: 100)
    _ = berta.received()
    for i in 0..<200 {
      anna.send("/master/gain", .float(-Float(i) / 10))
      rig.pass(milliseconds: 1)
    }
    rig.pass(milliseconds: 50)
    let values = berta.received("/master/gain")
    #expect((5...9).contains(values.count), "\(values.count) in 200 ms")
    #expect(values.last == [.float(-19.9)])
  }

  @Test("what else a control changes is told to its cause too: a hit's pending, a kit's names") func consequences()
    throws
  {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    anna.send("/ping")
    rig.pass(milliseconds: 100)
    _ = anna.received()
    anna.bundle(OSCMessage("/pad/1", .float(1)), at: rig.tag(500))
    rig.pass(milliseconds: 50)
    #expect(anna.received("/pad/1/pending") == [[.int32(1)]])
    anna.send("/pad/1/cancel")
    rig.pass(milliseconds: 50)
    #expect(anna.received("/pad/1/pending") == [[.int32(0)]])
    anna.send("/kit", .string("test"))
    rig.pass(milliseconds: 50)
    let told = anna.received()
    #expect(told.contains { $0.address == "/pad/16/name" })
    #expect(!told.contains { $0.address == "/kit" })
    _ = rig.hits()
  }

  @Test("what is pressed without a value is told to whoever pressed it, too; what is set is not") func pressed() throws
  {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    rig.pass(milliseconds: 100)
    _ = anna.received()
    anna.send("/stop")
    rig.pass(milliseconds: 50)
    #expect(anna.received("/play") == [[.int32(0)]])
    anna.send("/play")
    rig.pass(milliseconds: 50)
    #expect(anna.received("/play") == [[.int32(1)]])
    anna.send("/metronome", .int32(1))
    rig.pass(milliseconds: 50)
    #expect(anna.received("/metronome").isEmpty)
    anna.send("/metronome")
    rig.pass(milliseconds: 50)
    #expect(anna.received("/metronome") == [[.int32(0)]])
  }

  @Test("a timetagged command takes effect, is told and can be read at its time, and not before") func scheduled()
    throws
  {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let berta = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try anna.hello("anna")
    try berta.hello("berta")
    anna.send("/ping")
    rig.pass(milliseconds: 100)
    _ = (anna.received(), berta.received())
    anna.bundle(OSCMessage("/tempo", .float(200)), OSCMessage("/stop"), at: rig.tag(1_000))
    rig.pass(milliseconds: 900)
    anna.send("/tempo")
    anna.send("/play")
    #expect(anna.received("/tempo") == [[.float(120)]])
    #expect(berta.received().contains { $0.address == "/beat" })
    rig.pass(milliseconds: 150)
    let told = berta.received()
    #expect(told.contains(OSCMessage("/tempo", .float(200))) && told.contains(OSCMessage("/play", .int32(0))))
  }

  @Test("a late hit is told to whoever sent it, subscribed or not") func lateToAGuest() throws {
    let rig = try EdgeRig()
    let guest = try Controller(rig)
    guest.bundle(OSCMessage("/pad/1", .float(1)), at: rig.tag(-200))
    #expect(guest.received("/late").count == 1)
  }

  @Test("a flood of others' hits does not crowd out the receipts of one's own") func ownReceipts() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let flood = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try anna.hello("anna")
    rig.pass(milliseconds: 100)
    var receipts = 0
    for _ in 0..<40 {
      for _ in 0..<100 { flood.throwIn(OSCMessage("/pad/1", .float(1)).encoded()) }
      rig.take()
      anna.send("/pad/2", .float(1))
      receipts += anna.received("/receipt").count
      _ = rig.hits()
    }
    #expect(receipts == 40)
  }

  @Test("subscribers are told of everybody's hits while one player hits 5,000 times a second")
  func oneFlood() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let bob = try Controller(rig, host: .ipv4(127, 0, 0, 3))
    let flood = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try anna.hello("anna")
    try bob.hello("bob")
    try flood.hello("flood")
    rig.pass(milliseconds: 100)
    var told = 0
    // Two seconds, a hit of bob's every 50 ms.
    for _ in 0..<40 {
      for _ in 0..<5 {
        rig.pass(milliseconds: 10)
        for _ in 0..<50 { flood.throwIn(OSCMessage("/pad/1", .float(1)).encoded()) }
        rig.take()
        _ = rig.hits()
      }
      bob.send("/pad/2", .float(1))
      told += anna.received("/hit").count { $0.first == .string("bob") }
    }
    #expect(told == 40)
  }

  @Test("a player's own values go to its own connections alone") func ownValues() throws {
    let rig = try EdgeRig()
    let first = try Controller(rig)
    let second = try Controller(rig)
    let stranger = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    let token = try first.hello("anna")
    try second.hello("anna", token: token)
    try stranger.hello("berta")
    rig.pass(milliseconds: 100)
    _ = (first.received(), second.received(), stranger.received())
    first.send("/pad/3/gain", .float(-6))
    rig.pass(milliseconds: 50)
    #expect(second.received("/pad/3/gain") == [[.float(-6)]])
    #expect(stranger.received("/pad/3/gain").isEmpty)
    #expect(first.received("/pad/3/gain").isEmpty)
  }

  @Test("a subscription to another port takes feedback there, also for a host's nameless senders") func otherPort()
    throws
  {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    let panel = try Controller(rig)
    controller.send("/subscribe", .int32(Int32(panel.socket.localAddress.port)))
    try Controller(rig).send("/pad/3", .float(1))
    let messages = panel.received()
    #expect(messages.contains { $0.address == "/hit" })
    #expect(messages.contains { $0.address == "/receipt" })
    #expect(controller.received("/hit").isEmpty)
    controller.send("/unsubscribe")
    try Controller(rig).send("/pad/4", .float(1))
    #expect(panel.received("/hit").isEmpty)
  }

  @Test("topics are what was asked for") func topics() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/subscribe", .string("beat"), .string("meters"))
    controller.send("/pad/3", .float(1))
    rig.pass(milliseconds: 1_000)
    let addresses = Set(controller.received().map(\.address))
    #expect(addresses == ["/beat", "/beat/next", "/meter", "/loudness"])
  }

  @Test("beats and positions are told without being asked for twice") func clock() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    try controller.hello("anna")
    rig.pass(milliseconds: 100)
    _ = controller.received()
    rig.pass(milliseconds: 1_000)
    let messages = controller.received()
    #expect(messages.count { $0.address == "/beat" } == 2)
    #expect((28...31).contains(messages.count { $0.address == "/position" }))
    #expect(messages.count { $0.address == "/position/phase" } == messages.count { $0.address == "/position" })
  }

  @Test("a subscription ends with its lease, and any message renews it") func lease() throws {
    let rig = try EdgeRig(isAttached: false)
    let controller = try Controller(rig)
    let cookie = try #require(Cookies.earn(controller))
    controller.send("/cookie", cookie)
    controller.send("/subscribe", .string("beat"))
    rig.pass(milliseconds: 50_000)
    controller.send("/ping")
    rig.pass(milliseconds: 50_000)
    _ = controller.received()
    rig.pass(milliseconds: 1_000)
    #expect(!controller.received("/beat").isEmpty)
    rig.pass(milliseconds: 15_000)
    _ = controller.received()
    rig.pass(milliseconds: 5_000)
    #expect(controller.received().isEmpty)
  }

  @Test("a meter tells peaks to who wants them") func meters() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/subscribe", .string("meters"))
    rig.pass(milliseconds: 1_000)
    let meters = controller.received("/meter").filter { $0.first == .string("master") }
    #expect((19...21).contains(meters.count))
  }
}

enum Cookies {
  /// Sends until the rig has been sent enough to answer with the cookie.
  static func earn(_ controller: Controller) -> OSCArgument? {
    for _ in 0..<4 { controller.send("/sync") }
    return controller.received("/cookie").first?.first
  }
}

@Suite struct AmplificationTests {
  @Test("an address elsewhere gets no more bytes than it sent until it echoed its cookie") func guardHolds() throws {
    let rig = try EdgeRig(isAttached: false)
    let controller = try Controller(rig)
    var sent = 0
    for i in 0..<200 {
      let bytes = OSCMessage(i % 2 == 0 ? "/sync" : "/kits").encoded()
      sent += bytes.count
      controller.send(bytes)
    }
    let back = controller.received()
    #expect(!back.isEmpty)
    #expect(back.reduce(0) { $0 + $1.encoded().count } <= sent)
    let cookie = try #require(back.first { $0.address == "/cookie" }?.arguments.first)
    // So many answers are owed for.
    rig.pass(milliseconds: 1_500)
    controller.send("/cookie", .string("not it"))
    rig.pass(milliseconds: 3)
    controller.send("/sync")
    #expect(controller.received("/tempo").isEmpty)
    controller.send("/cookie", cookie)
    rig.pass(milliseconds: 3)
    controller.send("/sync")
    #expect(controller.received("/tempo") == [[.float(120)]])
  }

  @Test("nobody elsewhere is subscribed in somebody's name") func spoofedSubscriber() throws {
    let rig = try EdgeRig(isAttached: false)
    let victim = try Controller(rig)
    // What a forger sends under the victim's address.
    for _ in 0..<10 { victim.send("/subscribe", .string("position"), .string("meters"), .string("beat")) }
    victim.send("/hello", .string("mallory"))
    let answers = victim.received().reduce(0) { $0 + $1.encoded().count }
    #expect(
      answers <= 11 * OSCMessage("/subscribe", .string("position"), .string("meters"), .string("beat")).encoded().count)
    rig.pass(milliseconds: 2_000)
    #expect(victim.received().isEmpty)
  }
}

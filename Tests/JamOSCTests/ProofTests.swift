import JamCore
import JamNet
import JamWire
import Testing

@testable import JamOSC

/// Whose address it is: rights, memberships and what may be sent to it.
@Suite struct ProofTests {
  /// Its wire bytes, as `SendCredit` counts them.
  private static func wire(_ bytes: Int) -> Int { bytes + 28 }

  private func role(_ name: String, in rig: EdgeRig) -> String? {
    rig.on { [room = rig.room] in
      room.assumeIsolated { room in room.player(named: PlayerName(name)!).flatMap { room.player($0)?.role.word } }
    }
  }

  // MARK: Rights

  @Test("at an address that may be forged the host's word waits for the cookie, and only then does it make a host")
  func hostWord() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    anna.send("/host", .string("word"))
    let answers = anna.received()
    let cookie = try #require(answers.first { $0.address == "/cookie" }?.arguments.first)
    let error = try #require(answers.first { $0.address == "/error" })
    #expect(error.arguments.first == .string("/host") && error.arguments[1].text?.contains("/cookie") == true)
    #expect(role("anna", in: rig) == "player")
    anna.send("/cookie", cookie)
    #expect(role("anna", in: rig) == "host")
    #expect(anna.received("/host").first == [.int32(1)])
  }

  @Test("words are not tried from addresses that may be forged: nobody is locked out in another's name")
  func forgedGuesses() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    for number in 0..<50 {
      rig.take(
        OSCMessage("/host", .string("guess \(number)")).encoded(),
        from: .ipv4(127, 0, 0, 1, port: UInt16(40_000 + number)))
    }
    let cookie = try #require(anna.received("/cookie").first?.first)
    anna.send("/cookie", cookie)
    anna.send("/host", .string("word"))
    #expect(role("anna", in: rig) == "host")
  }

  @Test(
    "a host's token resumes its membership at another address, and acts as a host there once that has proven itself")
  func resumedHost() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    let answers = anna.received()
    let token = try #require(answers.first { $0.address == "/welcome" }?.arguments.last)
    anna.send("/cookie", try #require(answers.first { $0.address == "/cookie" }?.arguments.first))
    anna.send("/host", .string("word"))
    try Controller(rig, host: .ipv4(127, 0, 0, 3)).send("/hello", .string("bob"))
    let phone = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    phone.send("/hello", .string("anna"), .string(""), .string(""), token)
    // Each pays for its answer: an error takes more than one message brings.
    for _ in 0..<4 { phone.send("/player/bob/kick") }
    phone.send("/player/bob/pad/1", .float(1))
    phone.send("/lock", .string("tempo"))
    phone.bundle(OSCMessage("/player/bob/kick"), at: rig.tag(100))
    rig.pass(milliseconds: 200)
    #expect(rig.hits().isEmpty)
    #expect(rig.playerNames == ["anna", "bob"])
    let told = phone.received()
    #expect(told.contains { $0.address == "/error" && $0.arguments[1].text?.contains("/cookie") == true })
    phone.send("/pad/1", .float(1))
    #expect(rig.hits().map(\.bus) == [0])
    phone.send("/cookie", try #require(told.first { $0.address == "/cookie" }?.arguments.first))
    phone.send("/player/bob/kick")
    #expect(rig.playerNames == ["anna"])
  }

  // MARK: Memberships

  @Test("the same address and name are not the same player: the token alone is") func sameName() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let token = try anna.hello("anna")
    anna.send("/host", .string("word"))
    anna.send("/pad/1/gain", .float(-6))
    let thief = try Controller(rig)
    let other = try thief.hello("anna")
    #expect(other != token)
    #expect(rig.playerNames == ["anna", "anna-2"])
    #expect(role("anna-2", in: rig) == "player")
  }

  @Test("a controller that was restarted takes its name again where its old port is silent, and is no host by it")
  func restarted() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let token = try anna.hello("anna")
    anna.send("/host", .string("word"))
    anna.send("/pad/1/gain", .float(-6))
    rig.pass(milliseconds: 3_100)
    let restarted = try Controller(rig)
    #expect(try restarted.hello("anna") != token)
    #expect(rig.playerNames == ["anna"])
    #expect(role("anna", in: rig) == "player")
    restarted.send("/pad/1/gain")
    // What it played with is its own still.
    #expect(restarted.received("/pad/1/gain") == [[.float(-6)]])
  }

  @Test("a named program that comes back from another port finds its kit and pads; behind /bye it does not")
  func nextDay() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    _ = try anna.hello("anna")
    anna.send("/pad/1/gain", .float(-6))
    // Its lease ends, and with it its place.
    rig.pass(milliseconds: 1_000_000)
    #expect(rig.playerNames == [])
    let back = try Controller(rig)
    _ = try back.hello("anna")
    #expect(rig.playerNames == ["anna"])
    back.send("/pad/1/gain")
    #expect(back.received("/pad/1/gain") == [[.float(-6)]])
    back.send("/bye")
    let third = try Controller(rig)
    _ = try third.hello("anna")
    third.send("/pad/1/gain")
    #expect(third.received("/pad/1/gain") == [[.float(0)]])
  }

  @Test("who leaves while the full state is on its way ends nothing but that")
  func leavesMeanwhile() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    for _ in 0..<5 {
      anna.send("/hello", .string("anna"))
      anna.send("/bye")
      rig.pass(milliseconds: 500)
    }
    #expect(rig.playerNames == [])
    _ = anna.received()
    anna.send("/ping", .int32(1))
    #expect(anna.received("/pong").count == 1)
  }

  @Test("a server that begins anew goes on with who sent its name, and with who is told what happens")
  func newServer() throws {
    let rig = try EdgeRig()
    let (anna, panel) = (try Controller(rig), try Controller(rig))
    _ = try anna.hello("anna")
    anna.send("/pad/1/gain", .float(-6))
    panel.send("/subscribe", .string("beat"))
    let kept = KeptSenders(rig.senders.text)
    #expect(kept == rig.senders && kept.senders.count == 1 && kept.subscriptions.count == 2)
    // Its edge is new; its room is what it was.
    rig.beginAnew(kept)
    _ = (anna.received(), panel.received())
    rig.pass(milliseconds: 1_200)
    #expect(!panel.received("/beat").isEmpty)
    #expect(!anna.received("/beat").isEmpty)
    anna.send("/pad/1/gain")
    let told = anna.received()
    #expect(told.last == OSCMessage("/pad/1/gain", .float(-6)))
    #expect(told.contains(OSCMessage("/loop/record", .float(0))), "the state comes first: lights may be over")
    #expect(rig.playerNames == ["anna"])
    // What is no such line costs itself alone.
    #expect(KeptSenders("nonsense\nsender\tx\n" + kept.text) == kept)
    #expect(KeptSenders(kept.text.replacing("\t0\t", with: "\t-1\t")) == KeptSenders())
  }

  @Test("a subscription has what is left of its lease, however often a server begins anew")
  func leaseOfTheResumed() throws {
    let rig = try EdgeRig()
    let panel = try Controller(rig)
    panel.send("/subscribe", .string("beat"))
    for _ in 0..<4 {
      rig.pass(milliseconds: 200_000)
      rig.beginAnew(KeptSenders(rig.senders.text))
    }
    _ = panel.received()
    rig.pass(milliseconds: 1_200)
    #expect(!panel.received("/beat").isEmpty)
    rig.pass(milliseconds: 100_000)
    _ = panel.received()
    rig.pass(milliseconds: 1_200)
    #expect(panel.received("/beat").isEmpty)
    #expect(rig.senders.subscriptions.isEmpty)
  }

  @Test("who plays and has asked for nothing back is told once how to; who has asked is not")
  func notSubscribed() throws {
    let rig = try EdgeRig()
    let hand = try Controller(rig)
    func notices(_ controller: Controller) -> [[OSCArgument]] {
      controller.received("/notice").filter { $0.contains(.string("not-subscribed")) }
    }
    hand.send("/pad/1", .float(1))
    #expect(notices(hand).count == 1)
    hand.send("/pad/1", .float(1))
    // Its guest has left, and comes back.
    rig.pass(milliseconds: 120_000)
    hand.send("/pad/1", .float(1))
    try Controller(rig).send("/pad/2", .float(1))
    #expect(notices(hand).isEmpty)
    let asked = try EdgeRig()
    let panel = try Controller(asked)
    panel.send("/subscribe")
    panel.send("/pad/1", .float(1))
    #expect(notices(panel).isEmpty)
  }

  @Test("who may be forged frees no name of a host or of a proven address, and others' after some seconds")
  func forgedRestart() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    let bob = try Controller(rig)
    for (controller, name) in [(anna, "anna"), (bob, "bob")] { controller.send("/hello", .string(name)) }
    anna.send("/cookie", try #require(anna.received("/cookie").first?.first))
    rig.pass(milliseconds: 2_000)
    for controller in [anna, bob] { controller.send("/ping") }
    rig.pass(milliseconds: 4_000)
    let forger = try Controller(rig)
    forger.send("/hello", .string("bob"))
    #expect(rig.playerNames == ["anna", "bob", "bob-2"])
    rig.pass(milliseconds: 3_000)
    let second = try Controller(rig)
    second.send("/hello", .string("anna"))
    #expect(rig.playerNames == ["anna", "bob", "bob-2", "anna-2"])
    try Controller(rig).send("/hello", .string("bob"))
    #expect(rig.playerNames.filter { $0.hasPrefix("bob") }.sorted() == ["bob", "bob-2"])
  }

  // MARK: What is sent there

  @Test(
    "one datagram under a forged address of an attached network brings four times its bytes in ten seconds, not thousands",
    arguments: [OSCMessage("/subscribe"), OSCMessage("/hello", .string("x")), OSCMessage("/sync"), OSCMessage("/kits")])
  func amplification(message: OSCMessage) throws {
    let rig = try EdgeRig(nearness: .attached)
    let victim = try Controller(rig)
    let request = message.encoded()
    victim.send(request)
    var (bytes, packets) = (0, 0)
    for _ in 0..<100 {
      rig.pass(milliseconds: 100)
      let (more, count) = victim.receivedBytes()
      bytes += more
      packets += count
    }
    #expect(packets <= 3, "a handful")
    #expect(bytes + 28 * packets <= 4 * Self.wire(request.count), "\(bytes) bytes for \(request.count)")
  }

  @Test("many ports of a forged address get no more together") func manyPorts() throws {
    let rig = try EdgeRig(nearness: .attached)
    let panel = try Controller(rig)
    let request = OSCMessage("/subscribe", .int32(Int32(panel.socket.localAddress.port))).encoded()
    for port in 0..<20 as Range<UInt16> { rig.take(request, from: .ipv4(127, 0, 0, 1, port: 41_000 + port)) }
    var bytes = 0
    for _ in 0..<100 {
      rig.pass(milliseconds: 100)
      let (more, count) = panel.receivedBytes()
      bytes += more + 28 * count
    }
    #expect(bytes <= 20 * 4 * Self.wire(request.count))
  }

  @Test(
    "a program that subscribes once, knows no cookie and plays has its lights and beats, and all once it has played")
  func touch() throws {
    let rig = try EdgeRig(nearness: .attached)
    let hand = try Controller(rig)
    let panel = try Controller(rig)
    hand.send("/subscribe", .int32(Int32(panel.socket.localAddress.port)))
    // A hit and its release, twice a second, as somebody plays who is in no hurry.
    func play(seconds: Int) -> [OSCMessage] {
      var told: [OSCMessage] = []
      for _ in 0..<seconds * 2 {
        hand.send("/pad/1", .float(1))
        rig.pass(milliseconds: 60)
        hand.send("/pad/1", .float(0))
        rig.pass(milliseconds: 440)
        told += panel.received()
      }
      _ = rig.hits()
      return told
    }
    func counts(_ told: [OSCMessage]) -> (lights: Int, beats: Int, hits: Int, positions: Int) {
      (
        told.count { $0.address == "/pad/1/lit" }, told.count { $0.address == "/beat" },
        told.count { $0.address == "/hit" }, told.count { $0.address == "/position" }
      )
    }
    let first = counts(play(seconds: 5))
    #expect(first.beats >= 5 && first.lights >= 5, "\(first)")
    let then = counts(play(seconds: 10))
    #expect((19...21).contains(then.beats) && (19...21).contains(then.hits) && then.lights >= 38, "\(then)")
    _ = play(seconds: 60)
    let late = counts(play(seconds: 10))
    #expect(late.positions > 50 && (19...21).contains(late.beats), "\(late)")
  }

  @Test("who said hello and plays has the full state in the end, without an echo") func owedState() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    #expect(anna.received().map(\.address).sorted() == ["/cookie", "/welcome"])
    var told: [OSCMessage] = []
    // Four datagrams a second of 44 bytes, sixteenfold from the fifth second on: 2,816 bytes. Hits,
    // receipts, lights and beats take about 700 of them, so the credit for the state has come after
    // 4 + 40,960 / 2,100 = 24 s.
    for _ in 0..<70 {
      anna.send("/pad/1", .float(1))
      rig.pass(milliseconds: 60)
      anna.send("/pad/1", .float(0))
      rig.pass(milliseconds: 440)
      told += anna.received()
    }
    #expect(told.contains { $0.address == "/pad/16/name" })
    _ = rig.hits()
  }

  @Test("the state of a room with many players is more than the credit, and comes whole as it is paid for")
  func stateOfManyPlayers() throws {
    let rig = try EdgeRig(nearness: .attached)
    let names = (1...62).map { "somebody-with-a-name-\($0)" }
    try rig.on { [room = rig.room] in
      room.assumeIsolated { room in
        Result {
          for name in names {
            _ = try room.join(
              PlayerName(name)!, token: name, isGuest: false, isHost: false, at: Frames(48_000),
              origin: .none)
          }
        }
      }
    }.get()
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    var told: [OSCMessage] = []
    func isOver(_ told: [OSCMessage]) -> Bool { told.contains { $0.address == "/buildup/state" } }
    var wasWaiting = false
    var early = 0
    for _ in 0..<120 {
      anna.send("/pad/1", .float(1))
      rig.pass(milliseconds: 60)
      anna.send("/pad/1", .float(0))
      rig.pass(milliseconds: 440)
      var now = anna.received()
      let isBegun = told.contains { $0.address == "/pad/1/name" }
      if isBegun, !isOver(told + now) {
        anna.send("/ping", .int32(7))
        rig.pass(milliseconds: 20)
        let answers = anna.received()
        now += answers
        if answers.contains(where: { $0.address == "/pong" }), !isOver(told + now) { early += 1 }
      }
      wasWaiting = wasWaiting || isBegun && !isOver(told)
      told += now
    }
    #expect(wasWaiting, "it was more than the address had paid for")
    #expect(early > 0, "a request pays for its answer, which does not wait for the state")
    for name in names { #expect(told.contains { $0.address == "/player/\(name)/gain" }, "\(name)") }
    for address in ["/pad/16/name", "/tempo", "/buildup/state"] {
      #expect(told.count { $0.address == address } >= 1, "\(address)")
    }
    _ = rig.hits()
  }

  @Test("the credit that brings the state is enough for it, and is not taken by positions") func stateBytes() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    anna.send("/unsubscribe")
    rig.pass(milliseconds: 100)
    _ = anna.received()
    anna.send("/sync")
    rig.pass(milliseconds: 200)
    let (bytes, packets) = anna.receivedBytes()
    let all = bytes + SendCredit.headerBytes * packets
    #expect(all > 20_000 && all <= SendCredit.stateBytes, "\(all) bytes in \(packets) packets")
    #expect(SendCredit.reserve >= SendCredit.stateBytes && SendCredit.mostCredit > SendCredit.reserve)
  }

  @Test("the echo of the cookie brings the full state and everything after it at once") func echo() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    anna.send("/cookie", try #require(anna.received("/cookie").first?.first))
    #expect(anna.received().contains { $0.address == "/pad/16/name" })
    rig.pass(milliseconds: 1_000)
    #expect((28...31).contains(anna.received("/position").count))
  }
}

extension Controller {
  /// How many bytes in how many packets came since the last look.
  func receivedBytes() -> (bytes: Int, packets: Int) {
    var (bytes, packets) = (0, 0)
    takePackets {
      bytes += $0.count
      packets += 1
    }
    return (bytes, packets)
  }
}

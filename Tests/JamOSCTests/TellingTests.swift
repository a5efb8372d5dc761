import JamCore
import JamNet
import JamRoom
import JamWire
import Synchronization
import Testing

@testable import JamOSC

/// What clients are told of hits, and in which packets.
@Suite struct TellingTests {
  let bot = PlayerName("bot")!

  func hit(_ pad: Int) -> Event { .hit(player: bot, pad: Pad(pad)!, velocity: 1, bar: 1, beat: 1) }
  func on(_ note: Int) -> Event { .note(player: bot, note: note, velocity: 1, bar: 1, beat: 1) }
  func off(_ note: Int) -> Event { .noteOff(player: bot, note: note) }

  /// Tells everybody, as the room does: by its clock, or because of a command.
  func tell(_ events: [Event], _ rig: EdgeRig, origin: Origin = .none) {
    let (edge, room) = (rig.edge, rig.room)
    rig.on { for event in events { edge.room(room, tells: event, to: .everybody, cause: Cause(origin)) } }
  }

  /// A controller that asked for hits alone, with nothing on its way to it.
  func listener(_ rig: EdgeRig, _ topics: String..., host: SocketAddress = .loopback(port: 0)) throws -> Controller {
    let controller = try Controller(rig, host: host)
    controller.send(OSCMessage("/subscribe", topics.map { .string($0) }).encoded())
    rig.pass(milliseconds: 100)
    _ = controller.received()
    return controller
  }

  @Test("everything that a turn tells a client comes in one bundle, and a single message as a message")
  func oneBundle() throws {
    let rig = try EdgeRig()
    let anna = try listener(rig, "hits")
    anna.send("/pad/1", .float(1))
    #expect(anna.packets().map { $0.map(\.address) } == [["/hit", "/receipt"]])
    anna.send("/tempo")
    #expect(anna.packets().map { $0.map(\.address) } == [["/tempo"]])
    anna.bundle(OSCMessage("/pad/1", .float(1)), OSCMessage("/pad/2", .float(1)), OSCMessage("/tempo"))
    let packets = anna.packets()
    #expect(packets.count == 1)
    #expect(packets.first?.map(\.address) == ["/hit", "/receipt", "/hit", "/receipt", "/tempo"])
    _ = rig.hits()
  }

  @Test("an address that is not proven gets each message alone, so that its credit lasts") func unproven() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try listener(rig, "hits")
    anna.send("/pad/1", .float(1))
    tell([hit(1), hit(2), on(60)], rig)
    rig.pass(milliseconds: 50)
    let packets = anna.packets()
    #expect(packets.allSatisfy { $0.count == 1 })
    #expect(packets.flatMap { $0 }.contains { $0.address == "/hit" })
    _ = rig.hits()
  }

  @Test("hits that the room plays are told 30 times a second, each pad once; a hand's are told at once")
  func thinned() throws {
    let rig = try EdgeRig()
    let anna = try listener(rig, "hits")
    let bob = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    var (bundles, fours) = (0, 0)
    // A second of four pads that are hit a thousand times, and one hit by hand.
    for millisecond in 0..<1_000 {
      tell((1...4).map(hit), rig)
      if millisecond == 500 { bob.send("/pad/9", .float(1)) }
      let told = anna.packets()
      let byHand = told.flatMap { $0 }.filter { $0.arguments[1] == .int32(9) }
      #expect(byHand.count == (millisecond == 500 ? 1 : 0))
      rig.pass(milliseconds: 1)
      let packets = anna.packets()
      bundles += packets.count
      fours += packets.count { $0.map { $0.arguments[1] } == (1...4).map { .int32($0) } }
    }
    #expect((29...32).contains(bundles) && bundles == fours, "\(bundles)")
    _ = rig.hits()
  }

  @Test("everybody who wants hits is told of the same ones, and nobody else is") func topics() throws {
    let rig = try EdgeRig()
    let anna = try listener(rig, "hits")
    let bob = try listener(rig, "hits", "beat", host: .ipv4(127, 0, 0, 2))
    let carla = try listener(rig, "state", host: .ipv4(127, 0, 0, 3))
    _ = (anna.received(), bob.received(), carla.received())
    tell((1...16).map(hit), rig)
    rig.pass(milliseconds: 50)
    #expect(anna.received("/hit").count == 16)
    #expect(bob.received("/hit").count == 16)
    #expect(carla.received("/hit").isEmpty)
  }

  @Test("keys are shown as they are at the end of each interval, whoever played them") func keys() throws {
    let rig = try EdgeRig()
    let anna = try listener(rig, "hits")
    // The first is told at once; the rest within the interval.
    tell([on(60)], rig)
    rig.pass(milliseconds: 1)
    tell([off(60), on(61), off(61), on(60), off(60), on(62)], rig)
    rig.pass(milliseconds: 60)
    var lit: Set<OSCArgument> = []
    for message in anna.received() {
      if message.address == "/note" { lit.insert(message.arguments[1]) }
      if message.address == "/note/off" { #expect(lit.remove(message.arguments[1]) != nil) }
    }
    #expect(lit == [.int32(62)])
    // A hand presses a key whose end is still to be told.
    tell([off(62)], rig)
    tell([on(62)], rig, origin: Origin(number: 77))
    rig.pass(milliseconds: 60)
    #expect(anna.received().map(\.address) == ["/note"])
  }

  @Test("a player's keys end before the player is gone") func gone() throws {
    let rig = try EdgeRig()
    let anna = try listener(rig, "hits", "state")
    tell([on(60)], rig)
    rig.pass(milliseconds: 1)
    _ = anna.received()
    tell([off(60), .playerGone(bot)], rig)
    rig.pass(milliseconds: 60)
    let told = anna.received().map(\.address)
    #expect(told.filter { $0.hasPrefix("/note") || $0.hasPrefix("/player") } == ["/note/off", "/player/gone"])
  }

  @Test("a light does not come before the hit that it belongs to") func lights() throws {
    let rig = try EdgeRig()
    let anna = try listener(rig, "hits", "state")
    tell([hit(1)], rig)
    rig.pass(milliseconds: 1)
    tell([hit(2)], rig)
    tell([.value(.padLit(Pad(2)!), .bool(true))], rig)
    rig.pass(milliseconds: 60)
    let told = anna.received().filter { $0.address == "/pad/2/lit" || $0.arguments.dropFirst().first == .int32(2) }
    #expect(told.map(\.address) == ["/hit", "/pad/2/lit"])
  }
}

extension Controller {
  /// The packets that came back since the last look, each with its messages.
  func packets() -> [[OSCMessage]] {
    var packets: [[OSCMessage]] = []
    takePackets {
      var packet = OSCPacket()
      try? packet.decode($0)
      packets.append(packet.elements.map(\.message))
    }
    return packets
  }
}

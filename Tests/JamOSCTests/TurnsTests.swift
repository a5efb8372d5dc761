import JamCore
import JamEngine
import JamNet
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// Whose turn of the room's thread it is.
@Suite struct TurnsTests {
  private static let stranger = SocketAddress.ipv4(127, 0, 0, 9)

  @Test("hits go first: what came from others before them in the same batch is carried out after them")
  func hitsFirst() throws {
    let rig = try EdgeRig()
    let (stranger, player) = (try Controller(rig, host: Self.stranger), try Controller(rig))
    player.send("/pad/1", .float(1))
    stranger.send("/pad/1", .float(1))
    _ = rig.hits()
    for i in 0..<50 { stranger.throwIn(OSCMessage("/pad/\(i % 16 + 1)/gain", .float(-Float(i % 50))).encoded()) }
    player.throwIn(OSCMessage("/pad/2", .float(1)).encoded())
    let order = rig.takeInOrder()
    #expect(order.first == "hit 2")
    #expect(order.count >= 17 && order.dropFirst().allSatisfy { $0 == "setting" })
  }

  @Test("a sender's hit is heard with the setting that it sent before, and not with the one behind") func order() throws
  {
    let rig = try EdgeRig()
    let player = try Controller(rig)
    player.send("/pad/1", .float(1))
    _ = rig.hits()
    player.throwIn(OSCMessage("/pad/1/gain", .float(-12)).encoded())
    player.throwIn(OSCMessage("/pad/1/gain", .float(-24)).encoded())
    player.throwIn(OSCMessage("/pad/1", .float(0.5)).encoded())
    player.throwIn(OSCMessage("/pad/1/gain", .float(0)).encoded())
    let order = rig.takeInOrder()
    #expect(order.first == "setting" && order.suffix(2) == ["hit 1", "setting"])
  }

  @Test("a bundle of patterns is carried out in pieces, each of which is charged, and what is too much is refused")
  func patternsInPieces() throws {
    let rig = try EdgeRig()
    let (stranger, player) = (try Controller(rig, host: Self.stranger), try Controller(rig))
    player.send("/pad/1", .float(1))
    stranger.send("/pad/1", .float(1))
    _ = rig.hits()
    rig.eachCosts(microseconds: 1_000)
    let steps = (0..<20).map { OSCMessage("/step/*/*", .float(Float($0 % 2))) }
    let before = rig.counters.messages.load(ordering: .relaxed)
    stranger.throwIn(OSCPacket.encode(steps, at: .immediate))
    rig.take()
    rig.pass(milliseconds: 2)
    // A whole packet at once would hold up everybody for 20,480 commands.
    #expect(rig.counters.messages.load(ordering: .relaxed) - before <= 2)
    player.throwIn(OSCMessage("/pad/2", .float(1)).encoded())
    rig.take()
    #expect(rig.hits().count == 1)
    rig.eachCosts(microseconds: 0)
    rig.pass(milliseconds: 2_000)
    #expect(rig.counters.messages.load(ordering: .relaxed) - before >= 20)
    // Four of them may be made at once.
    #expect(rig.counters.flooded.load(ordering: .relaxed) >= 14 * 1_024)
  }

  @Test("where its sender may not come in, a pattern is refused once, not for each match") func pattern() throws {
    let rig = try EdgeRig(password: "open")
    let stranger = try Controller(rig, host: Self.stranger)
    stranger.send("/step/*/*", .float(1))
    #expect(stranger.received("/error").count == 1)
    #expect(rig.counters.refused.load(ordering: .relaxed) == 1)
  }

  @Test("a flood of one control's values costs few of them, and the last one arrives") func replaced() throws {
    let rig = try EdgeRig()
    let stranger = try Controller(rig, host: Self.stranger)
    stranger.send("/tempo", .float(100))
    rig.eachCosts(microseconds: 500)
    for i in 1...2_000 {
      stranger.throwIn(OSCMessage("/tempo", .float(100 + Float(i) / 100)).encoded())
      if i % 10 == 0 { rig.pass(milliseconds: 1) }
      if i % 10 == 0 { rig.take() }
    }
    #expect(rig.counters.messages.load(ordering: .relaxed) < 500)
    #expect(rig.counters.replaced.load(ordering: .relaxed) > 1_500)
    rig.pass(milliseconds: 1_000)
    rig.eachCosts(microseconds: 0)
    _ = stranger.received()
    stranger.send("/tempo")
    #expect(stranger.received("/tempo") == [[.float(120)]])
  }

  @Test(
    "sixteen fingers that tell their heights a thousand times a second are thinned, not refused",
    arguments: [false, true], [0.0, 60])
  func fingers(areBundled: Bool, cost: Double) throws {
    let rig = try EdgeRig()
    let player = try Controller(rig)
    for key in 60..<76 { player.send("/key/\(key)", .float(1)) }
    rig.eachCosts(microseconds: cost)
    _ = player.received()
    for i in 1...2_000 {
      let heights = (60..<76).map { OSCMessage("/key/\($0)/y", .float(Float(i) / 4_000)) }
      if areBundled {
        player.throwIn(OSCPacket.encode(heights, at: .immediate))
      } else {
        for height in heights { player.throwIn(height.encoded()) }
      }
      rig.pass(milliseconds: 1)
      rig.take()
    }
    rig.pass(milliseconds: 1_000)
    #expect(player.received("/error") == [])
    #expect(rig.counters.flooded.load(ordering: .relaxed) == 0)
    #expect((rig.counters.replaced.load(ordering: .relaxed) > 0) == (cost > 0))
  }

  @Test("a bundle that is no value of continuous controls alone, or is for later, is carried out as it came")
  func bundles() throws {
    let rig = try EdgeRig()
    let player = try Controller(rig)
    player.send("/ping")
    let (gain, mute) = (OSCMessage("/gain", .float(-3)), OSCMessage("/mute", .int32(1)))
    player.throwIn(OSCMessage("/ping").encoded())
    let before = rig.counters.replaced.load(ordering: .relaxed)
    for _ in 0..<3 { player.throwIn(OSCPacket.encode([gain, mute], at: .immediate)) }
    rig.take()
    #expect(rig.counters.replaced.load(ordering: .relaxed) == before)
    player.throwIn(OSCMessage("/ping").encoded())
    for _ in 0..<3 { player.throwIn(OSCPacket.encode([gain, OSCMessage("/swing", .float(0.5))], at: .immediate)) }
    rig.take()
    // Two wait: the newer one of them is enough.
    #expect(rig.counters.replaced.load(ordering: .relaxed) == before + 1)
  }

  @Test("a value that is refused takes no other's place") func refusedValue() throws {
    let rig = try EdgeRig()
    let player = try Controller(rig)
    player.send("/ping")
    player.throwIn(OSCMessage("/ping").encoded())
    player.throwIn(OSCMessage("/tempo", .float(90)).encoded())
    player.throwIn(OSCMessage("/tempo", .float(91)).encoded())
    player.throwIn(OSCMessage("/tempo", .float(9_000)).encoded())
    rig.take()
    #expect(player.received("/error").count == 1)
    player.send("/tempo")
    #expect(player.received("/tempo") == [[.float(91)]])
  }

  @Test("who takes more than its share is told, dropped and counted; others are served as ever") func share() throws {
    let rig = try EdgeRig()
    let (stranger, player) = (try Controller(rig, host: Self.stranger), try Controller(rig))
    for controller in [stranger, player] { controller.send("/ping") }
    _ = stranger.received()
    rig.eachCosts(microseconds: 1_000)
    // Commands of which each counts.
    for i in 0..<9_000 {
      stranger.throwIn(OSCMessage("/undo").encoded())
      stranger.throwIn(OSCMessage("/redo").encoded())
      guard i % 9 == 8 else { continue }
      rig.take()
      rig.pass(milliseconds: 1)
    }
    #expect(rig.counters.flooded.load(ordering: .relaxed) > 0)
    #expect(stranger.received("/error").contains { $0[1].text?.contains("your share") == true })
    // A second's share and the burst, of a millisecond each.
    #expect(rig.counters.messages.load(ordering: .relaxed) < 400)
    let before = rig.frame
    player.throwIn(OSCMessage("/pad/2", .float(1)).encoded())
    player.throwIn(OSCMessage("/tempo", .float(97)).encoded())
    rig.take()
    #expect(rig.hits() == [EdgeRig.Hit(pad: 2, frame: before + 240, bus: 1)])
    player.send("/tempo")
    #expect(player.received("/tempo") == [[.float(97)]])
  }

  @Test("many ports of one address have one share together") func site() throws {
    let rig = try EdgeRig()
    rig.eachCosts(microseconds: 1_000)
    let bytes = OSCMessage("/undo").encoded()
    for port in 1...1_500 as ClosedRange<UInt16> { rig.take(bytes, from: Self.stranger.with(port: port)) }
    #expect(rig.counters.messages.load(ordering: .relaxed) <= 152)
    // An IPv6 network of 64 bits is one address.
    #expect(SocketAddress(host: "2001:db8::1")?.site == SocketAddress(host: "2001:db8::2:1")?.site)
    #expect(SocketAddress(host: "2001:db8:0:1::1")?.site != SocketAddress(host: "2001:db8::1")?.site)
  }

  @Test("a room is told in pieces, and what its asker sent behind the question comes behind the answer")
  func pieces() throws {
    let rig = try EdgeRig()
    let (asker, player) = (try Controller(rig, host: Self.stranger), try Controller(rig))
    for controller in [asker, player] { controller.send("/ping") }
    _ = asker.received()
    rig.eachCosts(microseconds: 15_000)
    asker.throwIn(OSCMessage("/sync").encoded())
    asker.throwIn(OSCMessage("/ping", .int32(5)).encoded())
    asker.throwIn(OSCMessage("/pad/3", .float(1)).encoded())
    rig.take()
    // Its hits do not wait for the answer.
    #expect(rig.hits().map(\.pad) == [3])
    let first = asker.received()
    #expect(!first.contains { $0.address == "/lock" || $0.address == "/pong" })
    // Meanwhile others play, and so does the asker.
    player.send("/pad/1", .float(1))
    #expect(rig.hits().map(\.pad) == [1])
    rig.eachCosts(microseconds: 0)
    rig.pass(milliseconds: 1_000)
    let rest = asker.received().map(\.address)
    #expect(rest.contains("/lock"))
    #expect(rest.last == "/pong" || rest.firstIndex(of: "/pong")! > rest.firstIndex(of: "/lock")!)
    #expect(Set((first.map(\.address) + rest)).isSuperset(of: ["/host", "/kit", "/pad/16/gain", "/tempo"]))
  }

  @Test("what changes while a room is told in pieces is not followed by what it was before")
  func overtaken() throws {
    let rig = try EdgeRig()
    let (asker, player) = (try Controller(rig, host: Self.stranger), try Controller(rig))
    player.send("/ping")
    asker.send("/subscribe", .string("state"))
    rig.pass(milliseconds: 500)
    // The tempo is in about the fiftieth piece: thirty-four come at once, the others every eighteen milliseconds.
    for turns in 0..<60 {
      rig.eachCosts(microseconds: 2_500)
      _ = asker.received()
      let bpm = OSCArgument.float(90 + Float(turns))
      asker.throwIn(OSCMessage("/sync").encoded())
      // A question that waits for its answer behind the room.
      if turns % 4 == 0 { asker.throwIn(OSCMessage("/tempo").encoded()) }
      rig.take()
      rig.pass(milliseconds: Double(turns) * 6)
      player.send("/tempo", bpm)
      rig.pass(milliseconds: 40)
      rig.eachCosts(microseconds: 0)
      rig.pass(milliseconds: 600)
      #expect(asker.received("/tempo").last == [bpm], "after \(turns) turns")
    }
  }

  @Test("what a connection sent before its end is carried out") func closing() async throws {
    let rig = try EdgeRig()
    let stream = StreamTests()
    let channel = try await stream.connect(to: rig)
    rig.eachCosts(microseconds: 60_000)
    let packets = (1...10).map { OSCMessage("/chat", .string("\($0)")).encoded() }
    try await channel.writeInbound(ByteBuffer(bytes: packets.flatMap { Framing.lengthPrefix.frame($0) }))
    rig.on {}
    try await channel.close()
    rig.on {}
    rig.pass(milliseconds: 10_000)
    #expect(rig.counters.messages.load(ordering: .relaxed) == 10)
    #expect(rig.counters.connections.load(ordering: .relaxed) == 0)
  }

  @Test("a tempo that finds the way to the engine full is sent again, the newest one alone") func owedTempo() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    _ = rig.hits()
    rig.on { [ring = rig.parts.commands.ring] in
      while ring.push(EngineCommand(sequence: 0, frame: .zero, action: .hush(false))) {}
    }
    anna.send("/tempo", .float(150))
    anna.send("/tempo", .float(160))
    #expect(rig.maps() == [])
    rig.pass(milliseconds: 1)
    #expect(rig.maps().count == 1)
    rig.pass(milliseconds: 5)
    #expect(rig.maps() == [])
    anna.send("/tempo", .float(170))
    #expect(rig.maps().count == 1)
  }
}

extension EdgeRig {
  /// The revisions of the tempo maps that the engine was sent.
  func maps() -> [UInt64] {
    var revisions: [UInt64] = []
    while let command = parts.commands.ring.pop() {
      if case .tempoMap(_, let revision) = command.action { revisions.append(revision) }
    }
    return revisions
  }

  /// Takes in what the clients sent, and says in which order the room carried it out.
  func takeInOrder() -> [String] {
    take()
    var order: [String] = []
    while let command = parts.commands.ring.pop() {
      switch command.action {
      case .start(let start):
        start.use.release()
        order.append("hit \(start.pad.number)")
      default: order.append("setting")
      }
    }
    return order
  }
}

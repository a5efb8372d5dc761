import JamCore
import JamNet
import JamWire
import Testing

@testable import JamOSC

/// Lights for senders that play and asked for nothing.
@Suite struct UnaskedLightsTests {
  private func ports(_ rig: EdgeRig) -> [UInt16] {
    rig.on { [edge = rig.edge] in edge.feedback.subscribers.keys.map(\.peer.port).sorted() }
  }

  @Test("who plays and asks for nothing gets its lights at the port that it sends from, and no more than lights")
  func lights() throws {
    let rig = try EdgeRig()
    let hand = try Controller(rig)
    hand.send("/pad/1", .float(1))
    rig.pass(milliseconds: 1_000)
    let told = hand.received()
    #expect(told.contains { $0.address == "/pad/1/lit" })
    #expect(!told.contains { ["/hit", "/beat", "/position", "/receipt", "/pad/16/name"].contains($0.address) })
    // Every message would cost more.
    let isWatched = rig.on { [edge = rig.edge] in edge.feedback.isWatched }
    #expect(!isWatched)
    _ = rig.hits()
  }

  @Test("lights that are on already come at once, and nothing comes of those that are off") func present() throws {
    let rig = try EdgeRig()
    let other = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try other.hello("ann")
    other.send("/play")
    rig.pass(milliseconds: 200)
    let hand = try Controller(rig)
    hand.send("/swing")
    rig.pass(milliseconds: 100)
    let told = hand.received()
    #expect(told.contains { $0.address == "/play" && $0.arguments.first?.number == 1 })
    let lights = told.filter { $0.address.hasPrefix("/kit/") }
    #expect(lights.count == 1 && lights.first?.arguments == [.float(1)])
    #expect(!told.contains { ["/loop/play", "/pad/1/lit", "/scene/1", "/buildup"].contains($0.address) })
    // Another port of the host that takes the lights over is dark, too.
    rig.pass(milliseconds: 2_100)
    let next = try Controller(rig)
    next.send("/swing")
    rig.pass(milliseconds: 100)
    #expect(next.received("/play").count == 1)
    _ = rig.hits()
  }

  @Test("a host that says /unsubscribe, or asks for other feedback, gets no lights unasked") func asked() throws {
    let rig = try EdgeRig()
    let hand = try Controller(rig)
    hand.send("/pad/1", .float(1))
    #expect(ports(rig).count == 1)
    hand.send("/unsubscribe")
    #expect(ports(rig) == [])
    try Controller(rig).send("/pad/2", .float(1))
    #expect(ports(rig) == [])
    let other = try EdgeRig()
    let panel = try Controller(other)
    panel.send("/pad/1", .float(1))
    panel.send("/subscribe", .string("beat"))
    other.pass(milliseconds: 1_000)
    _ = panel.received()
    panel.send("/pad/1", .float(1))
    other.pass(milliseconds: 100)
    #expect(panel.received("/pad/1/lit").isEmpty)
    for rig in [rig, other] { _ = rig.hits() }
  }

  @Test("of ports that each send one message, one gets lights, and another one after some silence")
  func oneOfMany() throws {
    let rig = try EdgeRig()
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    for port in 41_000..<41_100 as Range<UInt16> { rig.take(hit, from: .loopback(port: port)) }
    #expect(ports(rig) == [41_000])
    rig.pass(milliseconds: 2_100)
    rig.take(hit, from: .loopback(port: 41_200))
    #expect(ports(rig) == [41_200])
    rig.pass(milliseconds: 70_000)
    #expect(ports(rig) == [])
    _ = rig.hits()
  }

  @Test("an address that may be forged gets no more than four times the bytes that came from it") func paid() throws {
    let rig = try EdgeRig(nearness: .attached)
    let victim = try Controller(rig)
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    victim.send(hit)
    rig.pass(milliseconds: 2_000)
    let (bytes, packets) = victim.receivedBytes()
    #expect(bytes + 28 * packets <= 4 * (hit.count + 28))
    _ = rig.hits()
  }

  @Test("an address elsewhere gets none") func elsewhere() throws {
    let rig = try EdgeRig(isAttached: false)
    try Controller(rig).send("/pad/1", .float(1))
    #expect(ports(rig) == [])
    _ = rig.hits()
  }

  @Test("a host that announces a port gets lights there, too") func announced() throws {
    let rig = try EdgeRig(nearness: .attached)
    let tablet = SocketAddress.ipv4(192, 0, 2, 7)
    rig.on { [edge = rig.edge] in
      edge.controllers.sockets = [.anyIPv4(port: 8_000)]
      edge.controllers.found.replace(with: [FoundController(name: "iPad", addresses: [tablet.with(port: 9_000)])])
    }
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    rig.take(hit, from: tablet.with(port: 50_001))
    #expect(ports(rig) == [9_000, 50_001])
    // A neighbour's address is none of its own.
    rig.take(hit, from: .ipv4(192, 0, 2, 8, port: 50_002))
    #expect(ports(rig) == [9_000, 50_001, 50_002])
    _ = rig.hits()
  }

  @Test("who says hello afterwards has a whole subscription") func hello() throws {
    let rig = try EdgeRig()
    let hand = try Controller(rig)
    hand.send("/pad/1", .float(1))
    try hand.hello("anna")
    rig.pass(milliseconds: 1_000)
    #expect(hand.received("/beat").count >= 1)
    _ = rig.hits()
  }

  @Test("where the port with lights has fallen silent, another one that still plays gets them") func another() throws {
    let rig = try EdgeRig()
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    for port in [41_000, 41_001] as [UInt16] { rig.take(hit, from: .loopback(port: port)) }
    #expect(ports(rig) == [41_000])
    for _ in 0..<6 {
      rig.pass(milliseconds: 500)
      rig.take(hit, from: .loopback(port: 41_001))
    }
    #expect(ports(rig) == [41_001])
    _ = rig.hits()
  }

  @Test("no more than 128 hosts get lights unasked, and one whose lights have ended leaves its place")
  func bounded() throws {
    let rig = try EdgeRig(nearness: .attached)
    let question = OSCMessage("/tempo").encoded()
    for host in 0..<160 as Range<UInt8> {
      rig.take(question, from: .ipv4(192, 0, 2, host, port: 9_000))
      // A room has 32 guests; those that were silent make place for others.
      if host % 32 == 31 { rig.pass(milliseconds: 6_000) }
    }
    #expect(ports(rig).count == UnaskedHosts.most)
    rig.on { [edge = rig.edge] in for key in edge.feedback.subscribers.keys { edge.feedback.remove(key) } }
    rig.pass(milliseconds: 6_000)
    rig.take(question, from: .ipv4(192, 0, 3, 1, port: 9_001))
    #expect(ports(rig) == [9_001])
  }
}

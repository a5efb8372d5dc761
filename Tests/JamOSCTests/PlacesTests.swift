import JamCore
import JamNet
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// Places and connections, and who holds them.
@Suite struct PlacesTests {
  private func hello(_ name: String) -> [UInt8] { OSCMessage("/hello", .string(name)).encoded() }

  @Test("64 datagrams of one address take no more places than one address may have, from 64 ports or under 64 names")
  func oneAddress() throws {
    for isSameName in [true, false] {
      let rig = try EdgeRig()
      for port in 0..<64 as Range<UInt16> {
        rig.take(hello(isSameName ? "eve" : "eve\(port)"), from: .ipv4(10, 0, 0, 9, port: 20_000 + port))
      }
      #expect(rig.playerNames.count == 8)
      for port in 0..<64 as Range<UInt16> {
        rig.take(hello("local\(port)"), from: .ipv4(127, 0, 0, 9, port: 20_000 + port))
      }
      #expect(rig.playerNames.count == 8 + 32)
      try Controller(rig).hello("anna")
      // Whoever was heard once, and may be forged, is gone before a minute is over.
      rig.pass(milliseconds: 50_000)
      #expect(!rig.playerNames.contains { $0.hasPrefix("eve") })
    }
  }

  @Test("players who vanished over UDP keep no newcomer out of a full room") func churn() throws {
    let rig = try EdgeRig()
    for host in 1...64 as ClosedRange<UInt8> { rig.take(hello("p\(host)"), from: .ipv4(127, 0, 1, host, port: 9_000)) }
    #expect(rig.playerNames.count == 64)
    let anna = try Controller(rig)
    anna.send("/hello", .string("anna"))
    #expect(anna.received("/error").first?[1].text?.contains("is full") == true)
    // They play on: nobody of them goes.
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    for _ in 0..<4 {
      rig.pass(milliseconds: 10_000)
      for host in 2...64 as ClosedRange<UInt8> { rig.take(hit, from: .ipv4(127, 0, 1, host, port: 9_000)) }
      _ = rig.hits()
    }
    try anna.hello("anna")
    #expect(rig.playerNames.count == 64 && !rig.playerNames.contains("p1"))
    let bob = try Controller(rig)
    bob.send("/hello", .string("bob"))
    #expect(bob.received("/error").first?[1].text?.contains("is full") == true)
  }

  @Test("who is kicked pushes nobody out of a full room") func kickedInFullRoom() throws {
    let rig = try EdgeRig()
    let host = try Controller(rig)
    try host.hello("host")
    host.send("/host", .string("word"))
    let bob = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try bob.hello("bob")
    host.send("/player/bob/kick", .int32(3_600))
    #expect(bob.received("/kicked") == [[.string("host"), .int32(3_600)]])
    for number in 1...63 as ClosedRange<UInt8> {
      rig.take(hello("p\(number)"), from: .ipv4(127, 0, 1, number, port: 9_000))
    }
    rig.pass(milliseconds: 40_000)
    bob.send("/hello", .string("bill"))
    let refusal = try #require(bob.received("/error").first?[1].text)
    #expect(refusal.contains("/player/bob/admit") && refusal.contains("60 min"))
    #expect(rig.playerNames.count == 64)
  }

  @Test("a button's press kicks for ten minutes, its release does nothing") func button() throws {
    let rig = try EdgeRig()
    let host = try Controller(rig)
    try host.hello("host")
    host.send("/host", .string("word"))
    let bob = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try bob.hello("bob")
    host.send("/player/bob/kick", .float(0))
    #expect(rig.playerNames == ["host", "bob"])
    host.send("/player/bob/kick", .float(1))
    #expect(bob.received("/kicked") == [[.string("host"), .int32(600)]])
  }

  // MARK: Connections

  private func connect(to rig: EdgeRig, _ number: Int) async throws -> NIOAsyncTestingChannel {
    let channel = try await NIOAsyncTestingChannel { channel in
      try channel.pipeline.syncOperations.addHandler(StreamHandler(thread: rig.thread, edge: rig.edge))
    }
    rig.add(channel)
    try await channel.connect(to: .init(ipAddress: "127.0.\(number / 64).1", port: 10_000 + number)).get()
    rig.on {}
    return channel
  }

  private func send(_ message: OSCMessage, on channel: NIOAsyncTestingChannel, of rig: EdgeRig) async throws {
    try await channel.writeInbound(ByteBuffer(bytes: Framing.lengthPrefix.frame(message.encoded())))
    rig.on {}
  }

  @Test("1,024 connections that pinged keep nobody out: the longest idle of the address with the most goes")
  func taken() async throws {
    let rig = try EdgeRig()
    var channels: [NIOAsyncTestingChannel] = []
    for number in 0..<OSCEdge.mostConnections {
      let channel = try await connect(to: rig, number)
      try await send(number == 3 ? OSCMessage("/hello", .string("anna")) : OSCMessage("/ping"), on: channel, of: rig)
      channels.append(channel)
    }
    #expect(!channels.contains { !$0.isActive })
    rig.pass(milliseconds: 1_000)
    for (number, channel) in channels.enumerated() where number > 64 {
      try await send(OSCMessage("/tempo"), on: channel, of: rig)
    }
    let newcomer = try await connect(to: rig, 5_000)
    try await send(OSCMessage("/hello", .string("bob")), on: newcomer, of: rig)
    #expect(Set(rig.playerNames).isSuperset(of: ["anna", "bob"]))
    let closed = channels.indices.filter { !channels[$0].isActive }
    #expect(closed == [64])
    #expect(rig.counters.connections.load(ordering: .relaxed) == OSCEdge.mostConnections)
  }

  // MARK: Guests

  /// Who is a host in the room, in the order of their places.
  private func hosts(_ rig: EdgeRig) -> [String] {
    rig.on { [room = rig.room] in
      room.assumeIsolated { room in
        (0..<64).compactMap { room.player(PlayerID(index: $0)) }.filter(\.isHost).map(\.name.text)
      }
    }
  }

  @Test(
    "each connection without a name has a guest of its own, who leaves with it: one's host word makes no other a host")
  func guestOfConnection() async throws {
    let rig = try EdgeRig()
    let hit = OSCMessage("/pad/1", .float(1))
    let first = try await connect(to: rig, 0)
    let second = try await connect(to: rig, 1)
    for channel in [first, second] { try await send(hit, on: channel, of: rig) }
    rig.take(hit.encoded(), from: .ipv4(127, 0, 0, 1, port: 9_000))
    #expect(rig.hits().map(\.bus) == [0, 1, 2])
    try await send(OSCMessage("/host", .string("word")), on: first, of: rig)
    #expect(hosts(rig) == ["guest-127.0.0.1"])
    for (number, message) in [
      OSCMessage("/lock", .string("tempo")), OSCMessage("/player/guest-127.0.0.1-2/role", .string("host")),
    ].enumerated() {
      try await send(message, on: second, of: rig)
      rig.take(message.encoded(), from: .ipv4(127, 0, 0, 1, port: 9_001 + UInt16(number)))
    }
    #expect(hosts(rig) == ["guest-127.0.0.1"])
    // A name takes the guest's place, as over UDP.
    try await send(OSCMessage("/hello", .string("anna")), on: first, of: rig)
    #expect(hosts(rig) == ["anna"])
    try await second.close()
    rig.on {}
    #expect(rig.playerNames == ["anna", "guest-127.0.0.1-3"])
  }

  @Test("connections without a name have half of the guests' places, where they are of one address")
  func guestsOfOneAddress() async throws {
    let rig = try EdgeRig()
    for number in 0..<20 {
      try await send(OSCMessage("/pad/1", .float(1)), on: connect(to: rig, number), of: rig)
    }
    #expect(rig.playerNames.count == 16)
  }

  /// A packet from each of the addresses.
  private func flood(_ rig: EdgeRig, _ packet: [UInt8], from peers: [JamNet.SocketAddress]) {
    rig.on { [edge = rig.edge, now = rig.time] in
      packet.withUnsafeBytes {
        for peer in peers { edge.received(Datagram(bytes: $0, path: NetworkPath(peer: peer), arrival: now), on: 0) }
      }
    }
  }

  @Test("forged senders that fill every place keep no newcomer out, and nobody who has a name goes")
  func forgedSenders() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    let forged = (0..<20_000).map { (number: Int) -> JamNet.SocketAddress in
      let bytes = [number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
      return JamNet.SocketAddress.ipv4(10, bytes[0], bytes[1], bytes[2], port: 9_000)
    }
    let pauses = stride(from: 0, to: forged.count, by: 2_000)
    for start in pauses {
      flood(rig, OSCMessage("/ping", .int32(1)).encoded(), from: Array(forged[start..<start + 2_000]))
      rig.pass(milliseconds: 400)
    }
    let known = SenderTable.mostEndpoints
    #expect(rig.counters.endpoints.load(ordering: .relaxed) == known)
    for number in 1...20 {
      let newcomer = try Controller(rig, host: .ipv4(127, 0, 3, UInt8(number)))
      newcomer.send("/ping", .int32(7))
      #expect(newcomer.received("/pong").count == 1)
    }
    anna.send("/pad/1", .float(1))
    #expect(anna.received("/error").isEmpty && rig.playerNames == ["anna"])
    let sites: Int = rig.on { [edge = rig.edge] in edge.table.sites.count }
    #expect(sites <= 2 * known + 1)
  }

  /// A sender and its site, for as long as anybody keeps them.
  private final class Kept: @unchecked Sendable {
    // Unchecked: read on the room thread, or when it has ended.
    weak var sender: Endpoint?
    weak var site: Site?

    func find(in rig: EdgeRig) {
      rig.on { [self, edge = rig.edge] in
        sender = edge.table.endpoints.values.first
        site = edge.table.sites.values.first
      }
    }

    var isNobody: Bool { sender == nil && site == nil }
  }

  @Test("a sender that fell silent is let go of, with its site, once others came") func silentSenders() throws {
    let rig = try EdgeRig()
    let kept = Kept()
    let ping = OSCMessage("/ping", .int32(1)).encoded()
    rig.take(ping, from: .ipv4(10, 0, 0, 1, port: 9_000))
    kept.find(in: rig)
    rig.on { #expect(kept.sender != nil && kept.site != nil) }
    rig.pass(milliseconds: 70_000)
    rig.on { [edge = rig.edge] in #expect(edge.table.endpoints.isEmpty && edge.table.sites.isEmpty) }
    // The edge's order of arrival drops those who left only when it has grown long.
    for third in 0..<10 as Range<UInt8> {
      flood(rig, ping, from: (0..<200 as Range<UInt8>).map { .ipv4(10, 1, third, $0, port: 9_000) })
      rig.pass(milliseconds: 70_000)
    }
    rig.on { #expect(kept.isNobody) }
  }

  @Test("an edge that ends lets go of its senders, also of those who play and wait") func endOfEdge() throws {
    let kept = Kept()
    do {
      let rig = try EdgeRig()
      rig.take(hello("anna"), from: .ipv4(127, 0, 0, 2, port: 9_000))
      kept.find(in: rig)
      rig.on { [edge = rig.edge] in edge.backlog.wake(kept.sender!) }
      rig.on { #expect(kept.sender?.memberships.count == 1 && kept.site?.waiting.count == 1) }
    }
    #expect(kept.isNobody)
  }

  @Test("garbage takes nobody's place, and a site whose ports are all taken gives the oldest one's to a newcomer")
  func ports() throws {
    let rig = try EdgeRig()
    let ports = (0..<2_100).map { JamNet.SocketAddress.ipv4(127, 0, 0, 9, port: 10_000 + UInt16($0)) }
    flood(rig, OSCMessage("/ping", .int32(1)).encoded(), from: ports)
    let known = rig.counters.endpoints.load(ordering: .relaxed)
    #expect(known == SenderTable.mostEndpointsPerSite)
    let before = rig.counters.flooded.load(ordering: .relaxed)
    flood(rig, Array("xxxxxxxxxxxx".utf8), from: ports.map { $0.with(port: $0.port + 5_000) })
    #expect(rig.counters.flooded.load(ordering: .relaxed) - before == 2_100)
    let newcomer = try Controller(rig, host: .ipv4(127, 0, 0, 9))
    newcomer.send("/ping", .int32(7))
    #expect(newcomer.received("/pong").count == 1)
    #expect(rig.counters.endpoints.load(ordering: .relaxed) == known)
  }

  @Test("the log says what a host ordered for later once it has come, and who has which name")
  func later() throws {
    let notes = Notes()
    let rig = try EdgeRig(log: notes)
    let anna = try Controller(rig)
    try anna.hello("anna")
    anna.send("/host", .string("word"))
    let bob = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try bob.hello("anna")
    bob.send("/hello", .string("bob"))
    let carl = try Controller(rig, host: .ipv4(127, 0, 0, 3))
    try carl.hello("carl")
    anna.bundle(OSCMessage("/player/bob/kick", .int32(60)), at: rig.tag(500))
    anna.bundle(OSCMessage("/player/carl/role", .string("host")), at: rig.tag(500))
    func told() -> [String] {
      notes.events.withLock { $0 }.map { event in
        let words = event.fields.filter { ["player", "was", "by"].contains($0.key) }.map { "\($0.value)" }
        return "\(event.kind.rawValue) \(words.joined(separator: " "))"
      }
    }
    let joined = [
      #"player.joined text("anna")"#, #"host.granted text("anna")"#, #"player.joined text("anna-2")"#,
      #"player.renamed text("bob") text("anna-2")"#, #"player.joined text("carl")"#,
    ]
    #expect(told() == joined)
    rig.pass(milliseconds: 1_000)
    let later = [#"player.kicked text("bob") text("anna")"#, #"host.granted text("carl") text("anna")"#]
    #expect(told() == joined + later)
  }

  @Test("the log says whom a host made a host, once, and who did it") func grantedByHost() throws {
    let notes = Notes()
    let rig = try EdgeRig(log: notes)
    let anna = try Controller(rig)
    try anna.hello("anna")
    let bob = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try bob.hello("bob")
    bob.send("/player/anna/role", .string("host"))
    anna.send("/host", .string("word"))
    for role in ["listener", "host", "host"] { anna.send("/player/bob/role", .string(role)) }
    let granted = notes.events.withLock { $0 }.filter { $0.kind == .hostGranted }
    #expect(granted.count == 2)
    let fields = Dictionary(uniqueKeysWithValues: granted.last?.fields.map { ($0.key, $0.value) } ?? [])
    #expect(
      fields == ["room": .text("main"), "player": .text("bob"), "by": .text("anna"), "address": .text("127.0.0.1")])
  }

  @Test("the guest of a loopback address stays host from port to port")
  func guestOfLoopback() throws {
    let rig = try EdgeRig()
    let messages = [
      OSCMessage("/host", .string("word")), OSCMessage("/lock", .string("tempo")), OSCMessage("/tempo", .float(99)),
    ]
    for (number, message) in messages.enumerated() {
      rig.take(message.encoded(), from: .ipv4(127, 0, 0, 1, port: 9_000 + UInt16(number)))
    }
    #expect(hosts(rig) == ["guest-127.0.0.1"])
    let listener = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    listener.send("/tempo")
    #expect(listener.received("/tempo") == [[.float(99)]])
  }

  @Test("over UDP from elsewhere the host word wants a name first, also where the address has proven itself")
  func namelessHost() throws {
    let rig = try EdgeRig(nearness: .attached)
    let anna = try Controller(rig)
    for _ in 0..<4 { anna.send("/host", .string("word")) }
    let cookie = try #require(anna.received("/cookie").first?.first)
    anna.send("/cookie", cookie)
    #expect(anna.received("/error").last?[1].text?.contains("say /hello with your name first") == true)
    #expect(hosts(rig).isEmpty)
    anna.send("/hello", .string("anna"))
    anna.send("/host", .string("word"))
    #expect(hosts(rig) == ["anna"])
  }
}

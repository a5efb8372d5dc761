import JamCore
import JamNet
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// TCP connections on a clock that the test steps.
@Suite struct StreamTests {
  let ping = OSCMessage("/ping", .int32(7)).encoded()

  /// A connection to the rig, opened.
  func connect(to rig: EdgeRig, port: Int = 50_000) async throws -> NIOAsyncTestingChannel {
    let channel = try await NIOAsyncTestingChannel { channel in
      try channel.pipeline.syncOperations.addHandler(StreamHandler(thread: rig.thread, edge: rig.edge))
    }
    rig.add(channel)
    try await channel.connect(to: .init(ipAddress: "127.0.0.1", port: port)).get()
    rig.on {}
    return channel
  }

  /// Everything that was written to the peer, taken apart as `framing` has it.
  func received(_ channel: NIOAsyncTestingChannel, _ framing: Framing) async throws -> [OSCMessage] {
    await channel.testingEventLoop.run()
    var decoder = FrameDecoder()
    var packet = OSCPacket()
    var messages: [OSCMessage] = []
    while let buffer = try await channel.readOutbound(as: ByteBuffer.self) {
      try Array(buffer.readableBytesView).withUnsafeBytes { bytes in
        try decoder.receive(bytes) {
          try? packet.decode($0)
          messages += packet.elements.map(\.message)
        }
      }
    }
    #expect(decoder.framing == nil || decoder.framing == framing)
    return messages
  }

  @Test(
    "a frame that is not finished within 10 s ends its connection, with a reason",
    arguments: [
      Framing.lengthPrefix, .slip,
    ])
  func unfinishedFrame(framing: Framing) async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    let half = framing.frame(ping).dropLast(3)
    try await channel.writeInbound(ByteBuffer(bytes: framing.frame(ping) + half))
    rig.pass(milliseconds: 9_000)
    #expect(try await received(channel, framing).map(\.address) == ["/pong"])
    // A byte now and then does not make it a new frame.
    try await channel.writeInbound(ByteBuffer(bytes: [1]))
    rig.pass(milliseconds: 2_000)
    let answer = try await received(channel, framing).first
    #expect(answer?.address == "/error")
    #expect(answer?.arguments[1].text?.contains("was not finished within 10 s") == true)
    #expect(!channel.isActive)
    #expect(rig.counters.unfinished.load(ordering: .relaxed) == 1)
    rig.on {}
    #expect(rig.counters.connections.load(ordering: .relaxed) == 0)
  }

  @Test("whose connection ends is away for a minute, with its pads let go, and back by its token") func away()
    async throws
  {
    let rig = try EdgeRig()
    let watcher = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    try watcher.hello("bob")
    func send(_ message: OSCMessage, on channel: NIOAsyncTestingChannel) async throws {
      try await channel.writeInbound(ByteBuffer(bytes: Framing.lengthPrefix.frame(message.encoded())))
      rig.on {}
    }
    let first = try await connect(to: rig)
    try await send(OSCMessage("/hello", .string("anna")), on: first)
    let welcome = try #require(try await received(first, .lengthPrefix).first { $0.address == "/welcome" })
    let token = try #require(welcome.arguments.last?.text)
    try await send(OSCMessage("/pad/1/mode", .string("gate")), on: first)
    try await send(OSCMessage("/pad/1", .float(1)), on: first)
    #expect(rig.releases() == 0)
    _ = watcher.received()
    try await first.close().get()
    rig.on {}
    rig.pass(milliseconds: 50)
    #expect(rig.releases() == 1)
    #expect(watcher.received("/player/away") == [[.string("anna"), .int32(1)]])
    #expect(rig.playerNames == ["bob", "anna"])
    watcher.send("/sync")
    #expect(watcher.received("/player/away") == [[.string("anna"), .int32(1)]])

    let second = try await connect(to: rig, port: 50_001)
    try await send(OSCMessage("/hello", .string("anna"), .string(""), .string(""), .string(token)), on: second)
    #expect(watcher.received("/player/away") == [[.string("anna"), .int32(0)]])
    try await second.close().get()
    rig.on {}
    rig.pass(milliseconds: 61_000)
    #expect(rig.playerNames == ["bob"])
  }

  @Test("in a full room, who has been away longest makes room for a newcomer, but not in the first seconds") func full()
    async throws
  {
    let rig = try EdgeRig()
    func hello(_ name: String, on channel: NIOAsyncTestingChannel) async throws -> [OSCMessage] {
      let message = OSCMessage("/hello", .string(name))
      try await channel.writeInbound(ByteBuffer(bytes: Framing.lengthPrefix.frame(message.encoded())))
      rig.on {}
      return try await received(channel, .lengthPrefix)
    }
    var channels: [NIOAsyncTestingChannel] = []
    for i in 0..<Limits.standard.playersPerRoom {
      let channel = try await connect(to: rig, port: 50_000 + i)
      #expect(try await hello("one\(i)", on: channel).contains { $0.address == "/welcome" })
      channels.append(channel)
    }
    for i in [7, 3] {
      try await channels[i].close().get()
      rig.on {}
      rig.pass(milliseconds: 3_000)
    }
    let newcomer = try await connect(to: rig, port: 51_000)
    // The first has been away for six seconds, the other for three.
    #expect(try await hello("new", on: newcomer).contains { $0.address == "/welcome" })
    #expect(!rig.playerNames.contains("one7") && rig.playerNames.contains("one3"))
    let next = try await connect(to: rig, port: 51_001)
    let answer = try await hello("next", on: next)
    #expect(answer.contains { $0.address == "/error" && $0.arguments[1].text?.contains("is full") == true })
    rig.pass(milliseconds: 2_500)
    #expect(try await hello("next", on: next).contains { $0.address == "/welcome" })
    #expect(!rig.playerNames.contains("one3") && rig.playerNames.contains("one0"))
  }

  @Test("a player that is on another connection by then stays when an old one ends") func elsewhere() async throws {
    let rig = try EdgeRig()
    func hello(on channel: NIOAsyncTestingChannel, token: String) async throws -> String {
      let message = OSCMessage("/hello", .string("anna"), .string(""), .string(""), .string(token))
      try await channel.writeInbound(ByteBuffer(bytes: Framing.lengthPrefix.frame(message.encoded())))
      rig.on {}
      let welcome = try #require(try await received(channel, .lengthPrefix).first { $0.address == "/welcome" })
      return try #require(welcome.arguments.last?.text)
    }
    let first = try await connect(to: rig)
    let token = try await hello(on: first, token: "")
    let second = try await connect(to: rig, port: 50_001)
    #expect(try await hello(on: second, token: token) == token)
    // As after a network went away: the server learns of the old connection's end last.
    try await first.close().get()
    rig.on {}
    rig.pass(milliseconds: 61_000)
    #expect(rig.playerNames == ["anna"])
  }

  @Test("what was heard comes over TCP too", arguments: [Framing.lengthPrefix, .slip])
  func heard(framing: Framing) async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    func send(_ bytes: [UInt8]) async throws {
      try await channel.writeInbound(ByteBuffer(bytes: framing.frame(bytes)))
      rig.on {}
    }
    try await send(OSCMessage("/hello", .string("far")).encoded())
    try await send(OSCMessage("/timing", .string("heard")).encoded())
    rig.pass(milliseconds: 1_000)
    let hit = OSCMessage("/pad/1", .float(1))
    try await send(OSCPacket.encode([OSCMessage("/heard", .int64(rig.frame - 4_800)), hit]))
    #expect(rig.hits().map(\.frame) == [rig.frame + 240])
    let receipt = try await received(channel, framing).first { $0.address == "/receipt" }
    #expect(receipt?.arguments.last == .float(-105))
  }

  @Test(
    "a connection that sends a bundle, even an empty one, gets bundles from then on",
    arguments: [Framing.lengthPrefix, .slip])
  func bundles(framing: Framing) async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    /// How many of the packets that came are bundles, and how many messages.
    func packets() async throws -> (bundles: Int, messages: Int) {
      await channel.testingEventLoop.run()
      var decoder = FrameDecoder()
      var (bundles, messages) = (0, 0)
      while let buffer = try await channel.readOutbound(as: ByteBuffer.self) {
        try Array(buffer.readableBytesView).withUnsafeBytes { bytes in
          try decoder.receive(bytes) { if $0.first == UInt8(ascii: "#") { bundles += 1 } else { messages += 1 } }
        }
      }
      return (bundles, messages)
    }
    func send(_ packet: [UInt8]) async throws {
      try await channel.writeInbound(ByteBuffer(bytes: framing.frame(packet)))
      rig.on {}
      rig.pass(milliseconds: 1_000)
    }
    try await send(OSCMessage("/hello", .string("anna")).encoded())
    let first = try await packets()
    #expect(first.bundles == 0 && first.messages > 100, "\(first)")
    try await send(OSCPacket.encode([]))
    try await send(OSCMessage("/sync").encoded())
    #expect(try await packets().bundles > 0)
  }

  @Test("a connection between two frames lives as long as it likes") func betweenFrames() async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    try await channel.writeInbound(ByteBuffer(bytes: Framing.lengthPrefix.frame(ping)))
    rig.pass(milliseconds: 3_600_000)
    _ = try await received(channel, .lengthPrefix)
    #expect(channel.isActive)
    #expect(rig.counters.unfinished.load(ordering: .relaxed) == 0)
  }

  @Test("one connection more than a host may hold is refused and counted") func tooManyConnections() async throws {
    let rig = try EdgeRig()
    var channels: [NIOAsyncTestingChannel] = []
    for port in 0..<OSCEdge.mostConnectionsPerHost { channels.append(try await connect(to: rig, port: 40_000 + port)) }
    #expect(rig.counters.refusedConnections.load(ordering: .relaxed) == 0)
    let channel = try await connect(to: rig)
    await channel.testingEventLoop.run()
    #expect(!channel.isActive)
    #expect(rig.counters.refusedConnections.load(ordering: .relaxed) == 1)
    #expect(rig.counters.connections.load(ordering: .relaxed) == OSCEdge.mostConnectionsPerHost)
  }

  @Test("empty frames are answered by errors, and not by ever more of them") func emptyFrames() async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    try await channel.writeInbound(ByteBuffer(repeating: 0, count: 400))
    rig.on {}
    let answers = try await received(channel, .lengthPrefix)
    #expect(answers.first?.arguments[1] == .string("the packet is empty"))
    #expect(answers.count <= 20)
    #expect(channel.isActive)
  }
}

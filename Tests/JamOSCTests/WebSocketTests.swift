import JamCore
import JamNet
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// WebSockets behind their handshake, on a clock that the test steps.
@Suite struct WebSocketTests {
  let ping = OSCMessage("/ping", .int32(7)).encoded()

  static func frame(_ opcode: UInt8, _ payload: [UInt8] = [], isLast: Bool = true) -> ByteBuffer {
    let mask: [UInt8] = [9, 8, 7, 6]
    var bytes = [opcode | (isLast ? 0x80 : 0)]
    bytes +=
      payload.count < 126
      ? [0x80 | UInt8(payload.count)] : [0xfe, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    return ByteBuffer(bytes: bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] })
  }

  func connect(to rig: EdgeRig, _ caller: OSCCaller = OSCCaller(peer: .loopback(port: 50_000))) async throws
    -> NIOAsyncTestingChannel
  {
    let channel = NIOAsyncTestingChannel()
    rig.add(channel)
    try await channel.connect(to: .init(ipAddress: "127.0.0.1", port: 50_000)).get()
    let (thread, edge) = (rig.thread, rig.edge)
    try await channel.testingEventLoop.executeInContext {
      let handler = WebSocketHandler(thread: thread, edge: edge, caller: caller)
      try channel.pipeline.syncOperations.addHandler(handler)
    }
    rig.on {}
    return channel
  }

  struct Frame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    var closeCode: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
  }

  /// Every frame that was written to the peer.
  func frames(_ channel: NIOAsyncTestingChannel) async throws -> [Frame] {
    await channel.testingEventLoop.run()
    var bytes: [UInt8] = []
    while let buffer = try await channel.readOutbound(as: ByteBuffer.self) { bytes += Array(buffer.readableBytesView) }
    var frames: [Frame] = []
    var rest = bytes[...]
    while rest.count >= 2 {
      let first = rest.removeFirst()
      var count = Int(rest.removeFirst())
      if count == 126 { count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst()) }
      frames.append(Frame(opcode: first & 0x0f, payload: Array(rest.prefix(count))))
      #expect(first & 0x80 != 0)
      rest = rest.dropFirst(count)
    }
    #expect(rest.isEmpty)
    return frames
  }

  func messages(_ channel: NIOAsyncTestingChannel) async throws -> [OSCMessage] {
    try await frames(channel).filter { $0.opcode == 2 }.flatMap { frame in
      var packet = OSCPacket()
      frame.payload.withUnsafeBytes { try? packet.decode($0, limit: 65_536) }
      return packet.elements.map(\.message)
    }
  }

  @Test("a packet in a binary message is answered in one, fragments put together, control frames between them")
  func packets() async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    try await channel.writeInbound(Self.frame(2, ping))
    rig.on {}
    #expect(try await messages(channel).map(\.address) == ["/pong"])
    let other = OSCMessage("/ping", .int32(8)).encoded()
    try await channel.writeInbound(Self.frame(2, Array(other.prefix(5)), isLast: false))
    try await channel.writeInbound(Self.frame(9, [1, 2]))
    try await channel.writeInbound(Self.frame(0, Array(other.dropFirst(5))))
    rig.on {}
    let frames = try await frames(channel)
    #expect(frames.first == Frame(opcode: 10, payload: [1, 2]))
    #expect(frames.map(\.opcode) == [10, 2])
  }

  @Test("hello is welcomed into the room that the address named")
  func room() async throws {
    let rig = try EdgeRig()
    let attic = OSCCaller(peer: .loopback(port: 50_000), room: PlayerName("attic"))
    let channel = try await connect(to: rig, attic)
    try await channel.writeInbound(Self.frame(2, OSCMessage("/hello", .string("ann")).encoded()))
    rig.on {}
    let welcome = try await messages(channel).first { $0.address == "/welcome" }
    #expect(welcome?.arguments.first == .string("attic"))
    #expect(rig.playerNames.isEmpty)
  }

  @Test("nobody is a host by where the connection comes from, this machine's own included")
  func nobodyIsHostByPlace() async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig, OSCCaller(peer: .loopback(port: 50_000)))
    try await channel.writeInbound(Self.frame(2, OSCMessage("/hello", .string("ann")).encoded()))
    rig.on {}
    let isHost = rig.on { [room = rig.room] in
      room.assumeIsolated { room in room.player(named: PlayerName("ann")!).flatMap { room.player($0)?.isHost } }
    }
    #expect(isHost == false)
    try await channel.writeInbound(Self.frame(2, OSCMessage("/host", .string("word")).encoded()))
    rig.on {}
    let host = try await messages(channel).last { $0.address == "/host" }
    #expect(host?.arguments.first?.number == 1 || host?.arguments.first == .true)
  }

  @Test("a password of the address lets in; without it /password does")
  func password() async throws {
    let rig = try EdgeRig(password: "sesame")
    let knowing = try await connect(to: rig, OSCCaller(peer: .loopback(port: 50_001), password: "sesame"))
    try await knowing.writeInbound(Self.frame(2, OSCMessage("/hello", .string("ann")).encoded()))
    let asking = try await connect(to: rig)
    try await asking.writeInbound(Self.frame(2, OSCMessage("/hello", .string("rob")).encoded()))
    rig.on {}
    #expect(try await messages(knowing).contains { $0.address == "/welcome" })
    #expect(try await messages(asking).map(\.address) == ["/error"])
    try await asking.writeInbound(Self.frame(2, OSCMessage("/password", .string("sesame")).encoded()))
    try await asking.writeInbound(Self.frame(2, OSCMessage("/hello", .string("bob")).encoded()))
    rig.on {}
    #expect(try await messages(asking).contains { $0.address == "/welcome" })
  }

  @Test(
    "text, too long messages and malformed frames are closed with their reason",
    arguments: [
      (Self.frame(1, [65]), 1_003), (ByteBuffer(bytes: [0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 1]), 1_009),
      (ByteBuffer(bytes: [0x82, 1]), 1_002),
    ])
  func faults(bytes: ByteBuffer, code: Int) async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    try await channel.writeInbound(bytes)
    #expect(try await frames(channel).map(\.closeCode) == [code])
    // What comes now is thrown away, and nothing follows a close.
    _ = try? await channel.writeInbound(Self.frame(2, ping))
    rig.on {}
    #expect(try await frames(channel).isEmpty)
    await channel.testingEventLoop.advanceTime(by: .seconds(3))
    #expect(!channel.isActive)
    rig.on {}
    #expect(rig.counters.connections.load(ordering: .relaxed) == 0)
  }

  @Test("a close is answered with its own code, and ends the connection")
  func close() async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    try await channel.writeInbound(Self.frame(8, [0x03, 0xe9]))
    #expect(try await frames(channel).map(\.closeCode) == [1_001])
    #expect(!channel.isActive)
    rig.on {}
    #expect(rig.counters.connections.load(ordering: .relaxed) == 0)
  }

  @Test("a frame that is not finished within 10 s ends its connection, with a reason")
  func unfinished() async throws {
    let rig = try EdgeRig()
    let channel = try await connect(to: rig)
    try await channel.writeInbound(ByteBuffer(bytes: [0x82, 0x90, 1, 2]))
    rig.pass(milliseconds: 10_600)
    let answers = try await frames(channel)
    #expect(answers.map(\.opcode) == [2, 8])
    #expect(answers.last?.closeCode == 1_008)
    #expect(!channel.isActive)
    #expect(rig.counters.unfinished.load(ordering: .relaxed) == 1)
  }

  @Test("one connection more than a host may hold is told to come back later")
  func tooMany() async throws {
    let rig = try EdgeRig()
    var channels: [NIOAsyncTestingChannel] = []
    for _ in 0..<OSCEdge.mostConnectionsPerHost { channels.append(try await connect(to: rig)) }
    let channel = try await connect(to: rig)
    #expect(try await frames(channel).map(\.closeCode) == [1_013])
    #expect(!channel.isActive)
    #expect(rig.counters.refusedConnections.load(ordering: .relaxed) == 1)
  }
}

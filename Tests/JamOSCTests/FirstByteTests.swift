import JamCore
import JamNet
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// The first byte of a TCP connection tells OSC from HTTP.
@Suite struct FirstByteTests {
  /// The handler that HTTP would add: keeps what comes.
  final class Catcher: ChannelInboundHandler, @unchecked Sendable {
    // Unchecked: the test waits for the event loop.
    typealias InboundIn = ByteBuffer
    var bytes: [UInt8] = []
    var isActive = false
    var isOver = false
    func channelActive(context: ChannelHandlerContext) { isActive = true }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      bytes += Array(unwrapInboundIn(data).readableBytesView)
    }
    func channelInactive(context: ChannelHandlerContext) { isOver = true }
  }

  private struct Refused: Error {}

  private func connect(
    to rig: EdgeRig, isWelcome: Bool = true, _ catcher: Catcher?
  ) async throws -> NIOAsyncTestingChannel {
    let channel = try await NIOAsyncTestingChannel { channel in
      let ingress = StreamIngress(thread: rig.thread, edge: rig.edge)
      try channel.pipeline.syncOperations.addHandler(
        StreamHandler(
          ingress, isWelcome: { isWelcome },
          handOver: { channel in
            guard let catcher else { throw Refused() }
            try channel.pipeline.syncOperations.addHandler(catcher)
          }))
    }
    rig.add(channel)
    try await channel.connect(to: .init(ipAddress: "127.0.0.1", port: 50_000)).get()
    rig.on {}
    return channel
  }

  private func connections(_ rig: EdgeRig) -> Int {
    rig.on {}
    return rig.counters.connections.load(ordering: .relaxed)
  }

  @Test(
    "a method begins HTTP: all bytes go to its handlers, and the edge has the connection no more",
    arguments: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"])
  func http(_ method: String) async throws {
    let rig = try EdgeRig()
    let catcher = Catcher()
    let channel = try await connect(to: rig, catcher)
    #expect(connections(rig) == 1)
    try await channel.writeInbound(ByteBuffer(string: String(method.prefix(1))))
    try await channel.writeInbound(ByteBuffer(string: "\(method.dropFirst()) / HTTP/1.1\r\n\r\n"))
    #expect(String(decoding: catcher.bytes, as: UTF8.self) == "\(method) / HTTP/1.1\r\n\r\n")
    #expect(catcher.isActive)
    #expect(connections(rig) == 0)
    // The edge's limits on OSC connections do not end it.
    rig.pass(milliseconds: 70_000)
    #expect(channel.isActive)
    #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    try await channel.close()
    #expect(catcher.isOver)
  }

  @Test(
    "any other first byte is OSC",
    arguments: [Framing.lengthPrefix, .slip])
  func osc(_ framing: Framing) async throws {
    let rig = try EdgeRig()
    let catcher = Catcher()
    let channel = try await connect(to: rig, catcher)
    try await channel.writeInbound(ByteBuffer(bytes: framing.frame(OSCMessage("/ping", .int32(7)).encoded())))
    rig.on {}
    await channel.testingEventLoop.run()
    #expect(try await channel.readOutbound(as: ByteBuffer.self) != nil)
    #expect(catcher.bytes.isEmpty)
    #expect(connections(rig) == 1)
    // A G later on is a byte like others.
    try await channel.writeInbound(ByteBuffer(string: "G"))
    #expect(catcher.bytes.isEmpty)
  }

  @Test("where nobody takes HTTP, or its places are taken, the connection ends")
  func refused() async throws {
    let rig = try EdgeRig()
    let full = try await connect(to: rig, nil)
    try await full.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
    #expect(!full.isActive)
    #expect(connections(rig) == 0)
    let alone = try await connect(to: rig, isWelcome: false, Catcher())
    try await alone.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
    rig.pass(milliseconds: 100)
    #expect(rig.counters.refused.load(ordering: .relaxed) > 0)
  }
}

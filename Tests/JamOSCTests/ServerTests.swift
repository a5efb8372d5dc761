import JamCore
import JamNet
import JamWire
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

@testable import JamOSC

@Suite struct ServerTests {
  let ping = OSCMessage("/ping", .int32(7)).encoded()

  @Test("TCP is answered in the framing that it uses", arguments: [Framing.lengthPrefix, .slip])
  func framings(framing: Framing) async throws {
    let testServer = try await TestServer()
    let client = TCPClient(port: testServer.server.port)
    client.send(framing.frame(ping) + framing.frame(OSCMessage("/hello", .string("anna")).encoded()))
    #expect(client.next("/pong")?.arguments.first == .int32(7))
    #expect(client.next("/welcome")?.arguments[1] == .string("anna"))
    try await testServer.stop()
  }

  @Test("half a frame and no more costs nobody else anything") func halfFrames() async throws {
    let testServer = try await TestServer()
    let halves = (0..<20).map { _ in TCPClient(port: testServer.server.port) }
    for half in halves { half.send(Array(Framing.lengthPrefix.frame(ping).dropLast(3))) }
    let client = TCPClient(port: testServer.server.port)
    client.send(Framing.lengthPrefix.frame(ping))
    #expect(client.next("/pong") != nil)
    // The rest may still come.
    halves[3].send(Array(Framing.lengthPrefix.frame(ping).suffix(3)))
    #expect(halves[3].next("/pong") != nil)
    try await testServer.stop()
  }

  @Test("what is no OSC on TCP gets a reason and the end of its connection") func garbage() async throws {
    let testServer = try await TestServer()
    let client = TCPClient(port: testServer.server.port)
    client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    #expect(client.next("/error")?.arguments[1].text?.contains("no packet's length") == true)
    #expect(client.next() == nil)
    try await testServer.stop()
  }

  @Test("what waits for a reader is bounded; what is more is dropped, and too much of that ends the connection")
  func boundedQueue() throws {
    let channel = EmbeddedChannel()
    try channel.connect(to: .init(unixDomainSocketPath: "/test")).wait()
    let connection = StreamConnection(channel: channel, peer: .none, at: HostTime(nanoseconds: 0))
    let packet = [UInt8](repeating: 1, count: 1_020)
    let taken = (0..<300).map { _ in connection.put(packet) }
    #expect(taken.count { $0 } == StreamConnection.mostWaitingBytes / 1_024)
    connection.flush()
    channel.embeddedEventLoop.run()
    #expect(connection.put(packet))
    for _ in 0..<300 { _ = connection.put(packet) }
    #expect(channel.isActive)
    for _ in 0...StreamConnection.mostRefused { _ = connection.put(packet) }
    channel.embeddedEventLoop.run()
    #expect(!channel.isActive)
  }

  @Test("a connection that stops in the middle of a packet, or never speaks, is found out") func stuck() {
    let channel = EmbeddedChannel()
    defer { _ = try? channel.finish() }
    let connection = StreamConnection(channel: channel, peer: .none, at: HostTime(nanoseconds: 0))
    func after(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1_000) }
    #expect(connection.stuck(at: after(59)) == nil)
    #expect(connection.stuck(at: after(61)) == .mute)
    connection.heard(packets: 1, halfPacketBytes: 0, at: after(59))
    #expect(connection.stuck(at: after(10_000)) == nil)
    connection.heard(packets: 0, halfPacketBytes: 3, at: after(10_000))
    connection.heard(packets: 0, halfPacketBytes: 5, at: after(10_008))
    #expect(connection.stuck(at: after(10_009)) == nil)
    #expect(connection.stuck(at: after(10_011)) == .inFrame(bytes: 5))
  }

  @Test("a reader that never reads costs the others nothing") func slowReader() async throws {
    let testServer = try await TestServer()
    let slow = TCPClient(port: testServer.server.port, receiveBufferBytes: 4_096)
    let sync = Framing.lengthPrefix.frame(OSCMessage("/sync").encoded())
    slow.send(Framing.lengthPrefix.frame(OSCMessage("/hello", .string("slow")).encoded()))
    // Each is answered by some four kilobytes.
    for _ in 0..<3_000 { slow.send(sync) }
    let client = TCPClient(port: testServer.server.port)
    client.send(Framing.lengthPrefix.frame(ping))
    #expect(client.next("/pong") != nil)
    try await testServer.stop()
  }

  @Test("a flood over TCP ends before the room") func flood() async throws {
    let testServer = try await TestServer()
    let flooder = TCPClient(port: testServer.server.port)
    let hit = Framing.slip.frame(OSCMessage("/pad/1", .float(1)).encoded())
    let block = [UInt8]((0..<1_000).flatMap { _ in hit })
    for _ in 0..<120 { flooder.send(block) }
    #expect(flooder.next("/error")?.arguments[1].text?.contains("send fewer") == true)
    let client = TCPClient(port: testServer.server.port)
    client.send(Framing.lengthPrefix.frame(ping))
    #expect(client.next("/pong") != nil)
    #expect(testServer.server.counters.flooded.load(ordering: .relaxed) > 10_000)
    try await testServer.stop()
  }

  @Test("UDP is answered on IPv4 and IPv6 alike, on one port") func bothFamilies() async throws {
    let testServer = try await TestServer([.anyIPv4(port: 0), .anyIPv6(port: 0)])
    for host in ["127.0.0.1", "::1"] {
      let address = try #require(SocketAddress(host: host))
      let socket = try DatagramSocket(binding: address)
      let server = address.with(port: testServer.server.port)
      _ = ping.withUnsafeBytes { socket.send($0, along: NetworkPath(peer: server)) }
      let (peer, message) = try #require(await answer(socket))
      #expect(peer == server)
      #expect(message.address == "/pong")
    }
    try await testServer.stop()
  }

  /// The first datagram that comes back.
  func answer(_ socket: DatagramSocket) async throws -> (SocketAddress, OSCMessage)? {
    let receiver = DatagramReceiver()
    for _ in 0..<5_000 {
      var found: (SocketAddress, OSCMessage)?
      _ = receiver.receive(from: socket) { datagram in
        var packet = OSCPacket()
        try? packet.decode(datagram.bytes)
        found = packet.elements.first.map { (datagram.path.peer, $0.message) }
      }
      if let found { return found }
      try await Task.sleep(for: .milliseconds(1))
    }
    return nil
  }

  @Test("a port in use is named once, with what to do") func portInUse() async throws {
    let first = try DatagramSocket(binding: .loopback(port: 0))
    let text = await #expect(throws: OSCServerError.self) { _ = try await TestServer([first.localAddress]) }?
      .description
    let port = first.localAddress.port
    #expect(
      text == "cannot listen for OSC over UDP: port \(port) is in use on 127.0.0.1; choose another with --osc HOST:PORT"
    )
  }

  @Test("a port in use for TCP alone reads the same") func portInUseForTCP() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var (port, text): (UInt16, String?) = (0, nil)
    // Somebody else may have the port of that number over UDP: then another one.
    for _ in 0..<100 where text?.contains("over UDP") ?? true {
      let taken = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
      port = UInt16(try #require(taken.localAddress?.port))
      let asked = port
      text = await #expect(throws: OSCServerError.self) { _ = try await TestServer([.loopback(port: asked)]) }?
        .description
      try await taken.close()
    }
    #expect(
      text == "cannot listen for OSC over TCP: port \(port) is in use on 127.0.0.1; choose another with --osc HOST:PORT"
    )
    try await group.shutdownGracefully()
  }
}

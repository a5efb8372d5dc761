import JamCore
import JamNet
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// Parcels and whoever sends them, with sockets and connections of the test's own.
@Suite struct ParcelTests {
  let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 1_790_000_000_000_000_000)
  let counters = OSCCounters()
  let server: DatagramSocket
  let first: DatagramSocket
  let second: DatagramSocket

  init() throws {
    server = try DatagramSocket(binding: .loopback(port: 0))
    first = try DatagramSocket(binding: .loopback(port: 0))
    second = try DatagramSocket(binding: .loopback(port: 0))
  }

  func way(_ socket: DatagramSocket) -> Transport {
    .datagram(socket: 0, path: NetworkPath(peer: socket.localAddress))
  }

  /// The packets that have come, each with its messages.
  func packets(_ socket: DatagramSocket) -> [[OSCMessage]] {
    let receiver = DatagramReceiver(capacity: 256)
    var packets: [[OSCMessage]] = []
    while receiver.receive(
      from: socket,
      { datagram in
        var packet = OSCPacket()
        try? packet.decode(datagram.bytes)
        packets.append(packet.elements.map(\.message))
      }) > 0
    {}
    return packets
  }

  func add(_ text: Int?, to way: Transport, of parcel: Parcel, goesAlone: Bool = false) throws {
    #expect(parcel.add(.tell(try #require(text), goesAlone: goesAlone), to: way))
  }

  @Test("each destination gets its texts in their order, in one bundle; a single message goes as such")
  func order() throws {
    let parcel = Parcel()
    let messages = (0..<6).map { OSCMessage("/m", .int32($0)) }
    for (index, message) in messages.enumerated() {
      let text = parcel.write(message.encoded())
      try add(text, to: way(first), of: parcel)
      if index == 4 { try add(text, to: way(second), of: parcel) }
    }
    ParcelSender(sockets: [server], counters: counters).send(parcel)
    #expect(packets(first) == [messages])
    #expect(packets(second) == [[messages[4]]])
    #expect(parcel.isEmpty)
  }

  @Test("bundles are taken apart and share one, but for those with a moment of their own") func bundles() throws {
    let parcel = Parcel()
    let position = Event.position(bar: 1, beat: 2, phase: 0.5, bpm: 120)
    let next = Event.nextBeat(bar: 1, beat: 3, bpm: 120, at: HostTime(nanoseconds: 5_000_000_000))
    let chat = OSCMessage("/chat", .string("anna"), .string("hi"))
    try add(parcel.write(chat.encoded()), to: way(first), of: parcel)
    try add(parcel.write(position, clock: clock), to: way(first), of: parcel)
    try add(parcel.write(next, clock: clock), to: way(first), of: parcel)
    try add(parcel.write(OSCPacket.encode([chat, chat])), to: way(first), of: parcel)
    ParcelSender(sockets: [server], counters: counters).send(parcel)
    let addresses = packets(first).map { $0.map(\.address) }
    #expect(
      addresses == [
        ["/chat", "/position", "/position/bar", "/position/beat", "/position/phase"], ["/beat/next"],
        ["/chat", "/chat"],
      ])
  }

  @Test("bundles fit into a datagram on every network, and many events are encoded once for all") func size() throws {
    let parcel = Parcel()
    let hits = (0..<300).map { index in
      Event.hit(player: PlayerName("p\(index)")!, pad: Pad(1)!, velocity: 1, bar: 1, beat: 1)
    }
    let text = parcel.write(.together(hits), clock: clock, isDispensable: true)
    for socket in [first, second] { try add(text, to: way(socket), of: parcel) }
    ParcelSender(sockets: [server], counters: counters).send(parcel)
    for socket in [first, second] {
      let packets = packets(socket)
      #expect(packets.flatMap { $0 }.count == 300 && packets.count < 20)
      for packet in packets { #expect(OSCPacket.encode(packet).count <= ParcelSender.mostBytes) }
    }
  }

  @Test("messages that go alone share no bundle, and keep their places") func alone() throws {
    let parcel = Parcel()
    let message = OSCMessage("/m", .int32(1)).encoded()
    for goesAlone in [false, true, true, false, false] {
      try add(parcel.write(message), to: way(first), of: parcel, goesAlone: goesAlone)
    }
    ParcelSender(sockets: [server], counters: counters).send(parcel)
    #expect(packets(first).map(\.count) == [1, 1, 1, 2])
  }

  @Test("a full parcel drops dispensable texts first, and takes no more than so much") func full() {
    let parcel = Parcel()
    let packet = OSCMessage("/m", .string(String(repeating: "x", count: 1_000))).encoded()
    var (dispensable, others) = (0, 0)
    func add(_ text: Int?) -> Bool {
      text.map { parcel.add(.tell($0, goesAlone: false), to: way(first)) } ?? false
    }
    while add(parcel.write(packet, isDispensable: true)) { dispensable += 1 }
    #expect(parcel.isCrowded)
    while add(parcel.write(packet)) { others += 1 }
    #expect(others > dispensable * 9 / 10)
    #expect(parcel.bytes.count < Parcel.mostWeight + 2_000)
    parcel.removeAll()
    #expect(!parcel.isCrowded && parcel.write(packet, isDispensable: true) != nil)
  }

  @Test("a connection that takes nothing costs nobody else, and misses dispensable messages first") func slow() throws {
    let dam = Dam()
    let slow = EmbeddedChannel(handler: dam)
    let quick = EmbeddedChannel()
    defer {
      dam.open()
      for channel in [slow, quick] { _ = try? channel.finish() }
    }
    let connections = [slow, quick].map { StreamConnection(channel: $0, peer: .none, at: HostTime(nanoseconds: 0)) }
    for channel in [slow, quick] { try channel.connect(to: .init(unixDomainSocketPath: "/test")).wait() }
    let sender = ParcelSender(sockets: [], counters: counters)
    let parcel = Parcel()
    let long = OSCMessage("/meter", .string(String(repeating: "x", count: 2_000))).encoded()
    for index in 0..<200 as Range<Int32> {
      let needed = OSCMessage("/needed", .int32(index), .string(String(repeating: "x", count: 500))).encoded()
      let texts = [parcel.write(long, isDispensable: true), parcel.write(needed)]
      for connection in connections { for text in texts { try add(text, to: .stream(connection), of: parcel) } }
      sender.send(parcel)
      quick.embeddedEventLoop.run()
    }
    var read: [ByteBuffer] = []
    while let buffer = try quick.readOutbound(as: ByteBuffer.self) { read.append(buffer) }
    let all = try messages(in: read)
    #expect(all.count == 400)
    let some = try messages(in: dam.written)
    let needed = some.filter { $0.address == "/needed" }
    #expect(needed.map(\.arguments[0]) == (0..<200).map { OSCArgument.int32($0) })
    let dropped = 200 - some.count { $0.address == "/meter" }
    #expect(dropped > 100)
    #expect(counters.unsent.load(ordering: .relaxed) == UInt64(dropped))
  }

  @Test("a TCP connection gets messages alone until it has sent a bundle, and a WebSocket bundles at once")
  func singleMessages() throws {
    func packets(_ framing: Framing, after bundle: Bool = false) throws -> [[String]] {
      let channel = EmbeddedChannel()
      defer { _ = try? channel.finish() }
      try channel.connect(to: .init(unixDomainSocketPath: "/test")).wait()
      let connection = StreamConnection(channel: channel, peer: .none, framing: framing, at: HostTime(nanoseconds: 0))
      if bundle { connection.sentBundle() }
      let parcel = Parcel()
      let position = Event.position(bar: 1, beat: 2, phase: 0.5, bpm: 120)
      let next = Event.nextBeat(bar: 1, beat: 3, bpm: 120, at: HostTime(nanoseconds: 5_000_000_000))
      let chat = OSCMessage("/chat", .string("anna"), .string("hi")).encoded()
      for text in [
        parcel.write(chat), parcel.write(position, clock: clock), parcel.write(next, clock: clock), parcel.write(chat),
      ] { try add(text, to: .stream(connection), of: parcel) }
      ParcelSender(sockets: [], counters: counters).send(parcel)
      var all: [[String]] = []
      var packet = OSCPacket()
      func take(_ bytes: UnsafeRawBufferPointer) {
        try? packet.decode(bytes, limit: 65_536)
        all.append((bytes.first == UInt8(ascii: "#") ? ["#bundle"] : []) + packet.elements.map(\.message.address))
      }
      var (frames, binary) = (FrameDecoder(), ClientFrames())
      while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
        try Array(buffer.readableBytesView).withUnsafeBytes { bytes in
          if framing == .webSocket { binary.receive(bytes, take) } else { try frames.receive(bytes, take) }
        }
      }
      return all
    }
    let alone = [
      ["/chat"], ["/position"], ["/position/bar"], ["/position/beat"], ["/position/phase"], ["/chat"],
    ]
    let bundled = [
      ["#bundle", "/chat", "/position", "/position/bar", "/position/beat", "/position/phase"],
      ["#bundle", "/beat/next"], ["/chat"],
    ]
    for framing in [Framing.lengthPrefix, .slip] {
      #expect(try packets(framing) == alone)
      #expect(try packets(framing, after: true) == bundled)
    }
    #expect(try packets(.webSocket) == bundled)
  }

  /// Takes apart unmasked binary messages of a WebSocket, as a browser does.
  private struct ClientFrames {
    func receive(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
      var position = 0
      while position + 2 <= bytes.count {
        let short = Int(bytes[position + 1])
        let isLong = short == 126
        let start = position + (isLong ? 4 : 2)
        let size = isLong ? Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]) : short
        body(UnsafeRawBufferPointer(rebasing: bytes[Range(from: start, to: start + size)]))
        position = start + size
      }
    }
  }

  @Test("a connection ends after everything that it was sent before") func closing() throws {
    let channel = EmbeddedChannel()
    try channel.connect(to: .init(unixDomainSocketPath: "/test")).wait()
    let connection = StreamConnection(channel: channel, peer: .none, at: HostTime(nanoseconds: 0))
    let parcel = Parcel()
    try add(parcel.write(OSCMessage("/m").encoded()), to: .stream(connection), of: parcel)
    #expect(parcel.add(.close(.policy), to: .stream(connection)))
    ParcelSender(sockets: [], counters: counters).send(parcel)
    let read = try #require(try channel.readOutbound(as: ByteBuffer.self))
    #expect(try messages(in: [read]).map(\.address) == ["/m"])
    channel.embeddedEventLoop.run()
    #expect(!channel.isActive)
  }

  func messages(in buffers: [ByteBuffer]) throws -> [OSCMessage] {
    var decoder = FrameDecoder()
    var packet = OSCPacket()
    var messages: [OSCMessage] = []
    for buffer in buffers {
      try Array(buffer.readableBytesView).withUnsafeBytes { bytes in
        try decoder.receive(bytes) {
          try? packet.decode($0, limit: 65_536)
          messages += packet.elements.map(\.message)
        }
      }
    }
    return messages
  }

  // MARK: The thread

  func fill(_ parcel: Parcel, _ number: Int32) throws {
    try add(parcel.write(OSCMessage("/m", .int32(number)).encoded()), to: way(first), of: parcel)
  }

  func numbers() -> [OSCArgument] { packets(first).flatMap { $0 }.map(\.arguments[0]) }

  @Test("while everything is under way, the room thread keeps its parcel and does not wait; the end sends all of it")
  func handover() throws {
    let thread = TellThread(sockets: [server], counters: counters)
    var parcel = thread.first
    var number: Int32 = 0
    // Nothing runs yet, so nothing comes back.
    while true {
      try fill(parcel, number)
      number += 1
      guard let next = thread.exchange(parcel) else { break }
      #expect(next.isEmpty)
      parcel = next
    }
    #expect(number == 4 && numbers().isEmpty)
    thread.start(priority: 0)
    thread.stop()
    #expect(numbers() == [.int32(0), .int32(1), .int32(2)])
    // After its end, the room thread sends what it tells.
    try fill(parcel, 4)
    #expect(thread.exchange(parcel) != nil)
    #expect(numbers() == [.int32(3), .int32(4)])
  }

  @Test("the thread sends in order whatever it is handed") func runs() throws {
    let thread = TellThread(sockets: [server], counters: counters)
    thread.start(priority: 0)
    var parcel = thread.first
    for number in 0..<100 as Range<Int32> {
      try fill(parcel, number)
      if let next = thread.exchange(parcel) { parcel = next }
    }
    while !parcel.isEmpty { if let next = thread.exchange(parcel) { parcel = next } }
    thread.stop()
    #expect(numbers() == (0..<100).map { .int32($0) })
  }
}

/// Holds whatever is written to its channel.
private final class Dam: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  private(set) var written: [ByteBuffer] = []
  private var promises: [EventLoopPromise<Void>] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    written.append(unwrapOutboundIn(data))
    if let promise { promises.append(promise) }
  }

  func flush(context: ChannelHandlerContext) {}

  func open() {
    for promise in promises { promise.succeed(()) }
    promises = []
  }
}

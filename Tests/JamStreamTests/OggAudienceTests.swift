import Glibc
import JamCore
import JamListen
import JamRealtime
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import JamStream

/// Both ends of a connection, as `socketpair` makes them, or TCP over loopback.
struct Connection {
  let server: Int32
  let client: Int32

  init() {
    var ends: [Int32] = [0, 0]
    let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    precondition(result == 0)
    server = ends[0]
    client = ends[1]
  }

  /// - Parameter receiveBufferBytes: the client's.
  init(tcpWithReceiveBufferBytes receiveBufferBytes: Int32) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var bytes = receiveBufferBytes
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = client
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) | listen(listener, 1) | getsockname(listener, $0, &size) | connect(client, $0, size)
      }
    }
    precondition(result == 0)
    server = accept(listener, nil, nil)
  }

  /// What the client has got so far; nil where the server closed.
  func read() -> [UInt8]? {
    var all: [UInt8] = []
    while true {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count == 0 { return nil }
      if count < 0 { return errno == EAGAIN ? all : nil }
      all += bytes.prefix(count)
    }
  }

  /// What the client gets until the server closes.
  func readToTheEnd() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(client, &bytes, bytes.count, 0)
      guard count > 0 else { return all }
      all += bytes.prefix(count)
    }
  }
}

struct OggAudienceTests {
  private let identity = OggIdentity(serial: 5, title: "main", lookahead: Frames(312), beginsWithEncoder: true)

  /// Page `sequence` of the stream, 100 ms, as the listener gets it that joined at page `first`.
  private func page(_ sequence: UInt32, joinedAt first: UInt32? = nil, bytes: Int = 1_700) -> AudioPage {
    var page = OggPage()
    let packet = [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: bytes)
    _ = packet.withUnsafeBytes { page.append($0) }
    let granule = Int64(sequence + 1 - (first ?? 0)) * 4_800
    let number = first.map { sequence - $0 + 2 } ?? sequence
    return AudioPage(
      bytes: page.finish(granule: granule, serial: 5, sequence: number), sequence: number, granule: Frames(granule),
      length: Frames(4_800))
  }

  @Test("a listener gets the headers, then every page from the one on that came after it, numbered from its own start")
  func joining() {
    var audience = PageAudience(identity)
    let early = Connection()
    let late = Connection()
    audience.join(early.server)
    _ = audience.send(page(0))
    audience.join(late.server)
    _ = audience.send(page(1))
    #expect(
      early.read() == identity.headers(joiningAt: 0) + page(0, joinedAt: 0).bytes + page(1, joinedAt: 0).bytes)
    #expect(late.read() == identity.headers(joiningAt: 1) + page(1, joinedAt: 1).bytes)
    #expect(audience.end(by: .now) == 2)
    #expect(early.readToTheEnd() == last(4, granule: 10_560))
    #expect(late.readToTheEnd() == last(3, granule: 5_760))
  }

  /// The page that ends a listener's stream: 20 ms of silence, and the flag (RFC 3533 §6, field 3).
  private func last(_ number: UInt32, granule: Int64) -> [UInt8] {
    var page = OggPage()
    _ = [UInt8]([0xfc, 0xff, 0xfe]).withUnsafeBytes { page.append($0) }
    return page.finish(flags: 4, granule: granule, serial: 5, sequence: number)
  }

  @Test("a listener that is behind when the server stops gets what it missed, and the end", .timeLimit(.minutes(1)))
  func behindAtTheEnd() {
    var audience = PageAudience(identity)
    let slow = Connection()
    audience.join(slow.server)
    for sequence in UInt32(0)..<100 { #expect(audience.send(page(sequence, bytes: 8_000)).count == 0) }
    let got = Mutex<[UInt8]>([])
    let reader = RealtimeThread(name: "reader")
    reader.start {
      let bytes = slow.readToTheEnd()
      got.withLock { $0 = bytes }
    }
    #expect(audience.end(by: HostTime.now.advanced(byMilliseconds: 20_000)) == 1)
    reader.join()
    let bytes = got.withLock { $0 }
    var demuxer = OggDemuxer()
    #expect(demuxer.receive(bytes).count == 2 + 100 + 1)
    #expect(demuxer.missingPages == 0)
    #expect(Array(bytes.suffix(31)) == last(102, granule: 480_960))
  }

  @Test("a listener that takes nothing holds the end up no longer than it may, one that heard nothing not at all")
  func stuckAtTheEnd() {
    var audience = PageAudience(identity)
    let (stuck, fresh) = (Connection(), Connection())
    defer { close(stuck.client) }
    audience.join(stuck.server)
    for sequence in UInt32(0)..<100 { #expect(audience.send(page(sequence, bytes: 8_000)).count == 0) }
    audience.join(fresh.server)
    #expect(audience.end(by: HostTime.now.advanced(byMilliseconds: 20)) == 2)
    #expect(audience.count == 0)
    #expect(fresh.readToTheEnd().isEmpty)
  }

  @Test("a listener that never reads is dropped and counted, and the others get every page all the while")
  func stalled() {
    var audience = PageAudience(identity)
    let stalled = Connection()
    let lively = [Connection(), Connection()]
    audience.join(lively[0].server)
    audience.join(stalled.server)
    audience.join(lively[1].server)
    var departures = PageAudience.Departures()
    var got = [[UInt8]](repeating: [], count: 2)
    var sequence: UInt32 = 2
    while departures.count == 0, sequence < 2_000 {
      let now = audience.send(page(sequence))
      departures.stalled += now.stalled
      departures.left += now.left
      for i in 0..<2 { got[i] += lively[i].read() ?? [] }
      sequence += 1
    }
    #expect(departures == PageAudience.Departures(left: 0, stalled: 1))
    #expect(audience.count == 2)
    for i in 0..<2 {
      var demuxer = OggDemuxer()
      #expect(demuxer.receive(got[i]).count == 2 + Int(sequence - 2))
      #expect(demuxer.missingPages == 0)
    }
  }

  @Test("a listener that never reads has stalled too where the kernel gives it up first", .timeLimit(.minutes(1)))
  func stalledInTheKernel() {
    var audience = PageAudience(identity, patienceMilliseconds: 100)
    let stalled = Connection(tcpWithReceiveBufferBytes: 4_096)
    defer { close(stalled.client) }
    audience.join(stalled.server)
    var departures = PageAudience.Departures()
    // No more pages than are kept, so that it cannot fall off their end; it is the kernel's clock that has to pass.
    for sequence in UInt32(2)..<34 where departures.count == 0 {
      departures = audience.send(page(sequence, bytes: 60_000))
      if sequence > 6 { usleep(50_000) }
    }
    #expect(departures == PageAudience.Departures(left: 0, stalled: 1))
  }

  @Test("a listener that is slow for a while misses nothing")
  func slow() {
    var audience = PageAudience(identity)
    let slow = Connection()
    audience.join(slow.server)
    var got: [UInt8] = []
    // As much as is kept, on top of what the kernel holds.
    for sequence in UInt32(2)..<34 { #expect(audience.send(page(sequence, bytes: 8_000)).count == 0) }
    got += slow.read() ?? []
    for sequence in UInt32(34)..<40 {
      #expect(audience.send(page(sequence, bytes: 8_000)).count == 0)
      got += slow.read() ?? []
    }
    var demuxer = OggDemuxer()
    #expect(demuxer.receive(got).count == 2 + 38)
    #expect(demuxer.missingPages == 0)
  }

  @Test("a listener that pauses for 30 s misses nothing, and one that pauses for longer is dropped")
  func pausing() {
    var audience = PageAudience(identity)
    let (paused, gone) = (Connection(), Connection())
    defer { close(gone.client) }
    audience.join(paused.server)
    audience.join(gone.server)
    var sequence: UInt32 = 2
    // 100 ms each, on top of what the kernel holds.
    while sequence < 302 {
      #expect(audience.send(page(sequence, bytes: 8_000)).count == 0)
      sequence += 1
    }
    var demuxer = OggDemuxer()
    var packets = 0
    var departures = PageAudience.Departures()
    while sequence < 402 {
      packets += demuxer.receive(paused.read() ?? []).count
      let now = audience.send(page(sequence, bytes: 8_000))
      departures.left += now.left
      departures.stalled += now.stalled
      sequence += 1
    }
    packets += demuxer.receive(paused.read() ?? []).count
    #expect(packets == 2 + 400)
    #expect(demuxer.missingPages == 0)
    #expect(departures == PageAudience.Departures(left: 0, stalled: 1))
  }

  @Test("a listener that closes is found out by the next page")
  func leaving() {
    var audience = PageAudience(identity)
    let one = Connection()
    audience.join(one.server)
    _ = audience.send(page(2))
    close(one.client)
    let departures = audience.send(page(3))
    #expect(departures == PageAudience.Departures(left: 1, stalled: 0))
    #expect(audience.count == 0)
  }

  private func stage() -> (tape: HandTape, room: RoomStreams, fanout: PageFanout, mount: OggMount) {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)))
    let fanout = PageFanout()
    return (tape, room, fanout, OggMount(room: room, fanout: fanout))
  }

  @Test("silence is sent at the full rate, at a megabit where a browser plays along, and decodes to the same")
  func filled() throws {
    let (tape, room, fanout, mount) = stage()
    let (plain, prompt) = (Connection(), Connection())
    try mount.admit().attach(descriptor: plain.server)
    try mount.admit(filling: .prompt).attach(descriptor: prompt.server)
    #expect(room.encoderStatistics.count == 1, "one encoder for both")
    room.encode()
    var bytes: [[UInt8]] = [[], []]
    for i in 0..<50 {
      if i < 25 { tape.write(960) } else { tape.write(960, tones) }
      room.encode()
      _ = fanout.work()
      bytes[0] += plain.read() ?? []
      bytes[1] += prompt.read() ?? []
    }
    let packets = bytes.map { bytes in
      var demuxer = OggDemuxer()
      return Array(demuxer.receive(bytes).dropFirst(2))
    }
    #expect(packets[0].count == 50 && packets[1].count == 50)
    // A second of each: 128 kbit, and a megabit.
    #expect(packets[0].allSatisfy { $0.bytes.count >= 320 } && packets[1].allSatisfy { $0.bytes.count == 2_560 })
    let sounds = try packets.map { packets in
      var decoder = try OpusDecoder()
      var pcm = [Float](repeating: 0, count: 2 * 960)
      var sound: [Float] = []
      for packet in packets {
        let frames = try packet.bytes.withUnsafeBytes { bytes in
          try pcm.withUnsafeMutableBufferPointer { try decoder.decode(bytes, into: $0) }
        }
        sound += pcm.prefix(2 * frames)
      }
      return sound
    }
    #expect(sounds[0] == sounds[1])
    #expect(sounds[0].contains { abs($0) > 0.1 })
    for connection in [plain, prompt] { close(connection.client) }
    // That they are gone shows with the next pages.
    for _ in 0..<5 {
      tape.write(960, tones)
      room.encode()
    }
    _ = fanout.work()
    #expect(fanout.statistics.listeners == 0 && room.encoderStatistics.isEmpty)
  }

  @Test("from the mix to a listener's Ogg: one encoder, whole pages, the right pre-skip; gone with the last listener")
  func mount() throws {
    let (tape, room, fanout, mount) = stage()
    let first = Connection()
    try mount.admit().attach(descriptor: first.server)
    #expect(room.encoderStatistics.map(\.profile) == [.ogg])
    room.encode()
    for _ in 0..<20 {
      tape.write(960, tones)
      room.encode()
      _ = fanout.work()
    }
    let second = Connection()
    try mount.admit().attach(descriptor: second.server)
    for _ in 0..<20 {
      tape.write(960, tones)
      room.encode()
      _ = fanout.work()
    }
    for (connection, packets, preSkip) in [(first, 40, 312), (second, 20, 3_840)] {
      var demuxer = OggDemuxer()
      let got = demuxer.receive(connection.read() ?? [])
      #expect(got.count == 2 + packets)
      #expect(OggOpusHeader.preSkip(of: got[0].bytes) == preSkip)
      #expect(got[1].bytes.starts(with: "OpusTags".utf8))
      #expect(got.last?.granule == Int64(packets) * 960)
      #expect(demuxer.missingPages == 0)
    }
    #expect(fanout.statistics.listeners == 2)
    close(first.client)
    close(second.client)
    for _ in 0..<5 {
      tape.write(960, tones)
      room.encode()
    }
    _ = fanout.work()
    #expect(fanout.statistics.listeners == 0)
    #expect(fanout.statistics.left == 2)
    #expect(room.encode() == false)
  }

  @Test("when the fan-out stops, each listener's stream ends with the mark of its end", .timeLimit(.minutes(1)))
  func stopping() throws {
    let (tape, room, fanout, mount) = stage()
    let listeners = [Connection(), Connection()]
    for listener in listeners { try mount.admit().attach(descriptor: listener.server) }
    fanout.start()
    room.encode()
    #expect(comesTrue { fanout.statistics.listeners == 2 })
    for _ in 0..<20 {
      tape.write(960, tones)
      room.encode()
    }
    fanout.stop()
    for listener in listeners {
      let bytes = listener.readToTheEnd()
      var demuxer = OggDemuxer()
      let packets = demuxer.receive(bytes)
      #expect(packets.count == 2 + 20 + 1 && packets.last?.granule == 20_160)
      #expect(demuxer.missingPages == 0 && demuxer.damagedPages == 0)
      let page = Array(bytes.suffix(31))
      #expect(page.count == 31 && page.starts(with: "OggS".utf8) && page[5] == 4)
    }
    #expect(room.listenerCount == 0)
  }

  @Test("a place that is never taken is given back")
  func unused() throws {
    let (_, room, _, mount) = stage()
    do { _ = try mount.admit() }
    #expect(room.listenerCount == 0)
    #expect(room.encoderStatistics.isEmpty)
  }

  @Test("a connection is taken over from its channel behind what was written there", .timeLimit(.minutes(1)))
  func takeover() throws {
    let (tape, room, fanout, mount) = stage()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let server = try ServerBootstrap(group: group).childChannelInitializer { $0.pipeline.addHandler(Greeter(mount)) }
      .bind(host: "127.0.0.1", port: 0).wait()
    let port = try #require(server.localAddress?.port)
    let client = try ClientBootstrap(group: group).channelInitializer { $0.pipeline.addHandler(Collector()) }
      .connect(host: "127.0.0.1", port: port).wait()
    try #require(comesTrue { room.listenerCount > 0 })
    var got: [UInt8] = []
    let isHeard = try comesTrue {
      tape.write(4_800, tones)
      room.encode()
      _ = fanout.work()
      got = try client.pipeline.handler(type: Collector.self).map { $0.bytes }.wait()
      return got.count >= 400
    }
    try #require(isHeard)
    #expect(got.starts(with: "HEADOggS".utf8))
    var demuxer = OggDemuxer()
    let packets = demuxer.receive(got.dropFirst(4))
    #expect(packets.count >= 2 + 5)
    #expect(demuxer.missingPages == 0)
    try client.close().wait()
    let hasLeft = comesTrue {
      tape.write(4_800)
      room.encode()
      _ = fanout.work()
      return room.listenerCount == 0
    }
    #expect(hasLeft)
    try server.close().wait()
  }
}

/// Writes a head and hands the connection over, as the web server does.
private final class Greeter: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  private let mount: OggMount

  init(_ mount: OggMount) { self.mount = mount }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    channel.writeAndFlush(ByteBuffer(string: "HEAD")).whenSuccess { [mount] in
      // What cannot be attached shows as a connection without pages.
      try? mount.admit().attach(channel)
    }
  }
}

/// Keeps what came.
private final class Collector: ChannelInboundHandler, @unchecked Sendable {
  // Unchecked: read on the event loop alone.
  typealias InboundIn = ByteBuffer
  var bytes: [UInt8] = []

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes += unwrapInboundIn(data).readableBytesView
  }
}

import Glibc
import JamCore
import JamRealtime
import NIOCore
import NIOEmbedded
import Testing

@testable import JamStream

/// Both ends of a connection, as `socketpair` makes them.
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
}

struct OggAudienceTests {
  private let identity = OggIdentity(serial: 5, title: "main", lookahead: Frames(312), beginsWithEncoder: true)

  private func page(_ sequence: UInt32, bytes: Int = 1_700) -> AudioPage {
    var page = OggPage()
    let packet = [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: bytes)
    _ = packet.withUnsafeBytes { page.append($0) }
    return AudioPage(
      bytes: page.finish(granule: Int64(sequence) * 4_800, serial: 5, sequence: sequence), sequence: sequence)
  }

  @Test("a listener gets the headers, then every page from the one on that came after it")
  func joining() {
    var audience = PageAudience(identity)
    let early = Connection()
    let late = Connection()
    audience.join(early.server)
    _ = audience.send(page(2))
    audience.join(late.server)
    _ = audience.send(page(3))
    #expect(early.read() == identity.headers(before: 2) + page(2).bytes + page(3).bytes)
    #expect(late.read() == identity.headers(before: 3) + page(3).bytes)
    #expect(audience.end() == 2)
    #expect(early.read() == nil)
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

  private func house() -> (tape: HandTape, room: RoomStreams, fanout: PageFanout, mount: OggMount) {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)))
    let fanout = PageFanout()
    return (tape, room, fanout, OggMount(room: room, fanout: fanout))
  }

  @Test("from the mix to a listener's Ogg: one encoder, whole pages, the right pre-skip; gone with the last listener")
  func mount() throws {
    let (tape, room, fanout, mount) = house()
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
      #expect(got.last?.granule == 40 * 960)
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

  @Test("a place that is never taken is given back")
  func unused() throws {
    let (_, room, _, mount) = house()
    do { _ = try mount.admit() }
    #expect(room.listenerCount == 0)
    #expect(room.encoderStatistics.isEmpty)
  }

  @Test("a channel that is no socket is refused and left alone")
  func embedded() throws {
    let (_, room, _, mount) = house()
    let channel = EmbeddedChannel()
    do {
      let listener = try mount.admit()
      #expect(throws: StreamError.self) { try listener.attach(channel) }
    }
    #expect(channel.isActive == false || channel.isWritable)
    #expect(room.listenerCount == 0)
    _ = try channel.finish()
  }
}

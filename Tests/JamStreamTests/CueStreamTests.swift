import JamCore
import JamRealtime
import Synchronization
import Testing

@testable import JamStream

struct CueStreamTests {
  private func room(_ tape: HandTape, limits: Limits = .standard) -> RoomStreams {
    RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), limits: limits)
  }

  private func owner(_ name: String) -> CueOwner { CueOwner(name: PlayerName(name)!, token: "token-\(name)") }

  /// Keeps what a room would be told.
  private final class Told: Sendable {
    private let all = Mutex<[OpenStreams]>([])
    func take(_ open: OpenStreams) { all.withLock { $0.append(open) } }
    var count: Int { all.withLock { $0.count } }
    var newest: OpenStreams? { all.withLock { $0.max { $0.revision < $1.revision } } }
  }

  @Test("listeners of one player's cue with one profile share an encoder; click=1 beside it changes nothing")
  func sharing() throws {
    let room = room(HandTape())
    let sink = CountingSink()
    let first = try room.open(StreamProfile.rtp.cueing(owner("ann")), for: sink)
    let clicked = try StreamProfile.rtp.applying([("click", "1"), ("player", "ann"), ("token", "x")])
    #expect(try room.open(clicked.cueing(owner("ann")), for: sink) === first)
    // The same player under another name is the same player.
    let renamed = CueOwner(name: PlayerName("anna")!, token: "token-ann")
    #expect(try room.open(StreamProfile.rtp.cueing(renamed), for: sink) === first)
    let other = try room.open(StreamProfile.rtp.cueing(owner("bob")), for: sink)
    let ogg = try room.open(StreamProfile.ogg.cueing(owner("ann")), for: sink)
    #expect(other !== first && ogg !== first)
    #expect(other.cue != first.cue && ogg.cue == first.cue)
    #expect(try room.open(.rtp, for: sink) !== first)
    #expect(room.encoderStatistics.count == 4)
    #expect(!room.encoderStatistics.contains { $0.profile.query.contains("token") })
  }

  @Test("a room encodes sixteen cues and refuses the next, until one ends; the mix is always to be had")
  func sixteen() throws {
    let room = room(HandTape())
    let sink = CountingSink()
    let streams = try (1...16).map { try room.open(StreamProfile.rtp.cueing(owner("p\($0 % 5)\($0)")), for: sink) }
    #expect(Set(streams.map { $0.cue?.number }).count == 16)
    #expect(throws: StreamError.cues(limit: 16)) { try room.open(StreamProfile.rtp.cueing(owner("late")), for: sink) }
    #expect(throws: StreamError.cues(limit: 16)) { try room.open(StreamProfile.ogg.cueing(owner("p11")), for: sink) }
    #expect(try room.open(StreamProfile.rtp.cueing(owner("p11")), for: sink) === streams[0])
    _ = try room.open(.rtp, for: sink)
    room.close(streams[3], for: sink)
    let next = try room.open(StreamProfile.rtp.cueing(owner("late")), for: sink)
    // The place is taken anew: who heard it before cannot hear the new player.
    #expect(next.cue?.number == streams[3].cue?.number && next.cue?.ticket != streams[3].cue?.ticket)
  }

  @Test("a player's cue without its own hits is another one, and the room is told which is which")
  func withoutOwn() throws {
    let room = room(HandTape())
    let told = Told()
    room.whenChanged(told.take)
    let sink = CountingSink()
    var without = owner("ann")
    without.isWithoutOwn = true
    let whole = try room.open(StreamProfile.rtp.cueing(owner("ann")), for: sink)
    let less = try room.open(StreamProfile.rtp.cueing(without), for: sink)
    #expect(less !== whole && less.cue != whole.cue)
    #expect(
      told.newest?.cues == [
        OpenStreams.Cue(number: 0, ticket: 1, token: "token-ann"),
        OpenStreams.Cue(number: 1, ticket: 2, token: "token-ann", isWithoutOwn: true),
      ])
    let queries = room.encoderStatistics.map(\.profile.query)
    #expect(queries.count { $0.hasSuffix("&player=ann&without=me") } == 1)
    room.close(whole, for: sink)
    #expect(told.newest?.cues.map(\.isWithoutOwn) == [true])
  }

  @Test("a stream without own hits is silent until its cue is rendered, and never the mix")
  func silentAtFirst() throws {
    let tape = HandTape()
    let room = room(tape)
    var without = owner("ann")
    without.isWithoutOwn = true
    let stream = try room.open(StreamProfile.rtp.cueing(without), for: CountingSink())
    let place = try #require(stream.cue)
    room.encode()
    func play(_ cue: Float) throws -> Double {
      let from = tape.tape.end.count
      for _ in 0..<40 {
        for i in 0..<240 { tape.tape.nextCue(Int(place.number))[i] = i % 48 < 24 ? cue : -cue }
        tape.write(120) { frame in frame % 24 < 12 ? (0.5, 0.5, 0) : (-0.5, -0.5, 0) }
        room.encode()
      }
      return try energy(of: stream, from: from)
    }
    #expect(try play(0.5) < 1e-3)
    tape.tape.openCue(Int(place.number), ticket: place.ticket)
    _ = try play(0)
    #expect(try play(0.5) > 10)
    tape.tape.closeCue(Int(place.number))
    _ = try play(0.5)
    #expect(try play(0.5) < 1e-3)
  }

  /// The energy of what a listener of the stream hears from `first` on, but for what rings on from
  /// before.
  private func energy(of stream: EncodedStream, from first: Int64) throws -> Double {
    var decoder = try OpusDecoder()
    let pcm = UnsafeMutableBufferPointer<Float>.allocate(capacity: 5_760 * 2)
    defer { pcm.deallocate() }
    var sum = 0.0
    for packet in stream.tape.packets {
      let count = try packet.bytes.withUnsafeBytes { try decoder.decode($0, into: pcm) }
      guard packet.header.firstFrame.count >= first + 960 else { continue }
      for i in 0..<count * 2 { sum += Double(pcm[i] * pcm[i]) }
    }
    return sum
  }

  @Test("the room is told of each cue and of the click as they come and go, and of nothing else")
  func told() throws {
    let room = room(HandTape())
    let told = Told()
    room.whenChanged(told.take)
    #expect(told.newest == OpenStreams(revision: 1))
    let sink = CountingSink()
    _ = try room.open(.rtp, for: sink)
    #expect(told.count == 1)
    let ann = try room.open(StreamProfile.rtp.cueing(owner("ann")), for: sink)
    #expect(told.newest?.cues == [OpenStreams.Cue(number: 0, ticket: 1, token: "token-ann")])
    #expect(try room.open(StreamProfile.rtp.cueing(owner("ann")), for: sink) === ann)
    #expect(told.count == 2)
    var profile = StreamProfile.rtp
    profile.hasClick = true
    let click = try room.open(profile, for: sink)
    #expect(told.newest?.carriesClick == true)
    room.close(click, for: sink)
    #expect(told.newest?.carriesClick == false && told.newest?.cues.count == 1)
    room.close(ann, for: sink)
    #expect(told.newest?.cues.count == 1, "one listener is left")
    room.close(ann, for: sink)
    #expect(told.newest?.cues.isEmpty == true)
  }

  @Test("a cue stream is the mix until the engine makes the cue, then the cue, and the mix again when it closes")
  func source() throws {
    let tape = HandTape()
    let room = room(tape)
    let sink = CountingSink()
    let stream = try room.open(StreamProfile.rtp.cueing(owner("ann")), for: sink)
    let place = try #require(stream.cue)
    room.encode()
    func play(_ mix: Float, _ cue: Float?) {
      for _ in 0..<40 {
        if let cue { for i in 0..<240 { tape.tape.nextCue(Int(place.number))[i] = i % 48 < 24 ? cue : -cue } }
        tape.write(120) { frame in frame % 24 < 12 ? (mix, mix, 0.9) : (-mix, -mix, 0.9) }
        room.encode()
      }
    }
    func packets(from first: Int64) throws -> Double { try energy(of: stream, from: first) }
    play(0, nil)
    #expect(try packets(from: 0) < 1e-3)
    // Somebody else's ticket is as good as none.
    tape.tape.openCue(Int(place.number), ticket: place.ticket + 1)
    var from = tape.tape.end.count
    play(0, 0.5)
    #expect(try packets(from: from) < 1e-3)
    tape.tape.openCue(Int(place.number), ticket: place.ticket)
    from = tape.tape.end.count
    play(0, 0.5)
    #expect(try packets(from: from) > 10)
    tape.tape.closeCue(Int(place.number))
    play(0, nil)
    from = tape.tape.end.count
    play(0, nil)
    #expect(try packets(from: from) < 1e-3)
    from = tape.tape.end.count
    play(0.5, nil)
    #expect(try packets(from: from) > 10)
    #expect(stream.skippedFrames.load(ordering: .relaxed) == 0)
  }
}

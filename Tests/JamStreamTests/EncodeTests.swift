import JamCore
import JamRealtime
import TestSupport
import Testing

@testable import JamStream

struct EncodeTests {
  private func room(_ tape: HandTape, limits: Limits = .standard) -> RoomStreams {
    RoomStreams(
      room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)), limits: limits)
  }

  @Test(
    "what is decoded is what was mixed, later by exactly the lookahead", arguments: StreamProfile.FrameLength.allCases)
  func roundTrip(frame: StreamProfile.FrameLength) throws {
    let tape = HandTape()
    tape.write(1_200, tones)
    let room = room(tape)
    let stream = try room.open(
      StreamProfile(application: .lowDelay, frame: frame, bitrate: .kbit256), for: CountingSink())
    #expect(stream.lookahead == Frames(120))
    room.encode()
    // In steps, as an engine renders; all stays on the packet tape.
    for _ in 0..<30 {
      tape.write(960, tones)
      room.encode()
    }
    let packets = stream.tape.packets
    #expect(packets.count == min(30 * 960 / frame.rawValue, packets.count))
    var decoder = try OpusDecoder()
    let pcm = UnsafeMutableBufferPointer<Float>.allocate(capacity: 5_760 * 2)
    defer { pcm.deallocate() }
    var error = 0.0
    var signal = 0.0
    for (n, packet) in packets.enumerated() {
      let count = try packet.bytes.withUnsafeBytes { try decoder.decode($0, into: pcm) }
      #expect(count == frame.rawValue)
      // The decoder begins cold where the oldest packets are no longer there.
      guard n > 12 else { continue }
      for i in 0..<count {
        let expected = tones(packet.header.firstFrame.count + Int64(i) - 120)
        let left = Double(pcm[i * 2] - expected.0)
        let right = Double(pcm[i * 2 + 1] - expected.1)
        error += left * left + right * right
        signal += Double(expected.0 * expected.0 + expected.1 * expected.1)
      }
    }
    #expect(signal > 0)
    // −20 dB: a shift by one frame alone would cost −24 dB at 1 kHz, a swapped channel 0 dB.
    #expect(error < signal * 0.01)
  }

  @Test("an encoder starts at the live edge, and its packets follow without a gap")
  func liveEdge() throws {
    let tape = HandTape()
    tape.write(12_000)
    let room = room(tape)
    let stream = try room.open(.rtp, for: CountingSink())
    room.encode()
    #expect(stream.tape.end == 0)
    tape.write(480)
    room.encode()
    #expect(stream.tape.packets.map(\.header.firstFrame) == [Frames(12_000), Frames(12_240)])
  }

  @Test("equal profiles share one encoder, which goes with its last listener")
  func sharing() throws {
    let tape = HandTape()
    let room = room(tape)
    let a = CountingSink()
    let b = CountingSink()
    let first = try room.open(.rtp, for: a)
    let second = try room.open(.rtp, for: b)
    let other = try room.open(.ogg, for: b)
    #expect(first === second)
    #expect(first !== other)
    #expect(room.encoderStatistics.count == 2)
    #expect(room.listenerCount == 3)
    tape.write(960)
    #expect(room.encode())
    tape.write(960)
    #expect(room.encode())
    #expect(a.calls == 1)
    #expect(b.calls == 2)
    room.close(first, for: a)
    room.close(second, for: b)
    #expect(room.encoderStatistics.map(\.profile) == [.ogg])
    room.close(other, for: b)
    #expect(room.encode() == false)
    let again = try room.open(.rtp, for: a)
    #expect(again !== first)
    // A late goodbye of the old encoder's listener does not touch the new one.
    room.close(first, for: a)
    #expect(room.listenerCount == 1)
  }

  @Test("a full room refuses, with its limit in the text")
  func full() throws {
    var limits = Limits.standard
    limits.listenersPerRoom = 2
    let room = room(HandTape(), limits: limits)
    let sink = CountingSink()
    _ = try room.open(.rtp, for: sink)
    _ = try room.open(.rtp, for: sink)
    #expect(throws: StreamError.listeners(limit: 2)) { try room.open(.ogg, for: sink) }
    room.close()
    #expect(throws: StreamError.closed) { try room.open(.ogg, for: sink) }
  }

  @Test("an encoder that was kept waiting too long goes to the live edge and counts what it missed")
  func late() throws {
    let tape = HandTape()
    let room = room(tape)
    let stream = try room.open(.rtp, for: CountingSink())
    room.encode()
    tape.write(24_000)
    room.encode()
    #expect(stream.tape.end == 0)
    #expect(room.encoderStatistics[0].skippedFrames == Frames(24_000))
    tape.write(240)
    room.encode()
    #expect(stream.tape.packets.map(\.header.firstFrame) == [Frames(24_000)])
  }

  @Test("the click is in the streams that ask for it and in no other")
  func click() throws {
    let tape = HandTape()
    let room = room(tape)
    let sink = CountingSink()
    let plain = try room.open(.rtp, for: sink)
    var profile = StreamProfile.rtp
    profile.hasClick = true
    let clicked = try room.open(profile, for: sink)
    room.encode()
    for _ in 0..<50 {
      tape.write(240) { frame in (0, 0, tones(frame).1) }
      room.encode()
    }
    #expect(try energy(plain) < 1e-6)
    #expect(try energy(clicked) > 1)
  }

  private func energy(_ stream: EncodedStream) throws -> Double {
    var decoder = try OpusDecoder()
    let pcm = UnsafeMutableBufferPointer<Float>.allocate(capacity: 5_760 * 2)
    defer { pcm.deallocate() }
    var sum = 0.0
    for packet in stream.tape.packets {
      let count = try packet.bytes.withUnsafeBytes { try decoder.decode($0, into: pcm) }
      for i in 0..<count * 2 { sum += Double(pcm[i] * pcm[i]) }
    }
    return sum
  }

  @Test("no packet is longer than its place on the tape, whatever is encoded")
  func noise() throws {
    for application in [StreamProfile.Application.lowDelay, .audio] {
      for frame in StreamProfile.FrameLength.allCases {
        for bitrate in StreamProfile.Bitrate.allCases {
          let tape = HandTape()
          let room = room(tape)
          let profile = StreamProfile(application: application, frame: frame, bitrate: bitrate)
          let stream = try room.open(profile, for: CountingSink())
          room.encode()
          var random = RunSeed.numbers()
          for burst in 0..<8 {
            tape.write(2_400) { _ in
              burst % 2 == 0 ? (0, 0, 0) : (.random(in: -1...1, using: &random), .random(in: -1...1, using: &random), 0)
            }
            room.encode()
          }
          let statistics = room.encoderStatistics[0]
          #expect(statistics.failures == 0)
          #expect(statistics.packets == UInt64(8 * 2_400 / frame.rawValue))
          // Constrained VBR: the mean stays near what was asked for.
          let mean = Double(statistics.bytes) * 8 / (8 * 0.05)
          #expect(mean < Double(bitrate.rawValue) * 1.4)
          #expect(stream.tape.packets.allSatisfy { $0.header.byteCount <= profile.maximumPacketBytes })
        }
      }
    }
  }

  @Test("the encode thread encodes what a worker announces, and sleeps while nobody listens")
  func thread() throws {
    let tape = HandTape()
    let room = room(tape)
    let encoder = EncodeThread()
    encoder.add(room)
    encoder.start(priority: 0)
    defer { encoder.stop() }
    let stream = try room.open(.rtp, for: CountingSink())
    // The worker goes on until the encoder has followed; no time is asserted.
    while stream.tape.end < 4 {
      tape.write(120)
      encoder.wake.raise()
    }
    #expect(stream.tape.packets.count >= 4)
  }
}

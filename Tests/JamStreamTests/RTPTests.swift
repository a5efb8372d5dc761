import JamCore
import JamNet
import JamRealtime
import Testing

@testable import JamStream

struct RTPTests {
  @Test("the header is RFC 3550's, byte for byte")
  func header() {
    var bytes = [UInt8](repeating: 0xee, count: 12)
    let header = RTPHeader(sequence: 0x1234, timestamp: 0xdead_beef, ssrc: 0x0102_0304)
    bytes.withUnsafeMutableBytes { header.write(to: $0.baseAddress!) }
    #expect(bytes == hex("80 60 1234 deadbeef 01020304"))
    bytes += [1, 2, 3]
    bytes.withUnsafeBytes { raw in
      let packet = RTPPacket(raw)
      #expect(packet?.header == header)
      #expect(packet.map { Array($0.payload) } == [1, 2, 3])
    }
  }

  @Test("contributing sources, an extension and padding are stepped over")
  func extras() {
    let bytes = hex("b1 e0 0001 00000002 00000003 aaaaaaaa bede 0001 11223344 c0ffee 00 00 03")
    bytes.withUnsafeBytes { raw in
      let packet = RTPPacket(raw)
      #expect(packet.map { Array($0.payload) } == hex("c0ffee"))
      #expect(packet?.header.isMarked == true)
      #expect(packet?.header.payloadType == 96)
    }
  }

  @Test("what is no RTP packet is none, however it is cut or claims to go on")
  func garbage() {
    let whole = hex("b1 e0 0001 00000002 00000003 aaaaaaaa bede 0001 11223344 c0ffee 00 00 03")
    for length in 0..<24 { whole.prefix(length).withUnsafeBytes { #expect(RTPPacket($0) == nil) } }
    for bad in [
      hex("00 60 0001 00000002 00000003 01"), hex("80 c8 0006 00000002 00000003 01"),
      hex("8f 60 0001 00000002 00000003 01"), hex("90 60 0001 00000002 00000003 bede ffff 01"),
      hex("a0 60 0001 00000002 00000003 01 09"), hex("a0 60 0001 00000002 00000003 01 00"),
    ] {
      bad.withUnsafeBytes { #expect(RTPPacket($0) == nil) }
    }
  }

  @Test("packets carry the room's frame less the lookahead, and go on where the numbers wrap")
  func packets() throws {
    let tape = HandTape()
    tape.write(24_000)
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)))
    let source = try room.open(.rtp, for: CountingSink())
    room.encode()
    var stream = RTPStream(room: room, source: source, ssrc: 9, sequence: 0xffff, name: "bandshell")
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_000, alignment: 16)
    defer { memory.deallocate() }
    let nothing = stream.nextPacket(into: memory.baseAddress!)
    #expect(nothing == nil)
    tape.write(480)
    room.encode()
    var seen: [RTPHeader] = []
    while case .packet(let bytes)? = stream.nextPacket(into: memory.baseAddress!) {
      let packet = RTPPacket(UnsafeRawBufferPointer(rebasing: memory.prefix(bytes)))
      packet.map { seen.append($0.header) }
    }
    #expect(
      seen == [
        RTPHeader(sequence: 0xffff, timestamp: 23_880, ssrc: 9), RTPHeader(sequence: 0, timestamp: 24_120, ssrc: 9),
      ])
  }

  @Test("a sender that was kept waiting skips, and the gap shows in the sequence numbers")
  func skipping() throws {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)))
    let source = try room.open(.rtp, for: CountingSink())
    room.encode()
    var stream = RTPStream(room: room, source: source, ssrc: 9, sequence: 100, name: "bandshell")
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_000, alignment: 16)
    defer { memory.deallocate() }
    for _ in 0..<100 {
      tape.write(240)
      room.encode()
    }
    guard case .skipped(let count)? = stream.nextPacket(into: memory.baseAddress!) else {
      Issue.record("nothing was skipped")
      return
    }
    #expect(count == 100)
    tape.write(240)
    room.encode()
    guard case .packet(let bytes)? = stream.nextPacket(into: memory.baseAddress!) else {
      Issue.record("no packet after the gap")
      return
    }
    #expect(RTPPacket(UnsafeRawBufferPointer(rebasing: memory.prefix(bytes)))?.header.sequence == 200)
  }

  @Test("a sender report maps the room's frames to the server's clock")
  func report() throws {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: HostTime(nanoseconds: 500)))
    let source = try room.open(.rtp, for: CountingSink())
    let stream = RTPStream(room: room, source: source, ssrc: 0xabcd_ef01, sequence: 0, name: "hall")
    let clock = WallClock(offsetNanoseconds: 1_700_000_000_000_000_000)
    let report = stream.report(at: HostTime(nanoseconds: 2_000_000_500), clock: clock)
    // 96,000 frames after the origin.
    let time = ntpHex(NTPTime(unixNanoseconds: 1_700_000_002_000_000_500))
    let expected = hex(
      "80c8 0006 abcdef01 \(time) 00017700 00000000 00000000 81ca 0003 abcdef01 0104 68616c6c 0000")
    #expect(report.bytes == expected)
    let goodbye = stream.goodbye(at: HostTime(nanoseconds: 2_000_000_500), clock: clock)
    #expect(goodbye.bytes == report.bytes + hex("81cb 0001 abcdef01"))
  }

  private func ntpHex(_ time: NTPTime) -> String {
    let digits = String(time.bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test("NTP and Unix time agree to the nanosecond")
  func ntp() {
    #expect(NTPTime(unixNanoseconds: 0).bits == 2_208_988_800 << 32)
    for nanoseconds: Int64 in [1, 999_999_999, 1_700_000_000_123_456_789, 1_000_000_000] {
      #expect(NTPTime(unixNanoseconds: nanoseconds).unixNanoseconds == nanoseconds)
    }
    #expect(NTPTime(bits: 0x1234_5678_9abc_def0).middle == 0x5678_9abc)
  }
}

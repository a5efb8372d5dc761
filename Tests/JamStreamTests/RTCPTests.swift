import JamCore
import Testing

@testable import JamStream

struct RTCPTests {
  private let block = RTCPPacket.ReportBlock(
    ssrc: 0x1122_3344, fractionLost: 25, lostPackets: -2, highestSequence: 0x0001_fffe, jitter: 96,
    lastReport: 0xaabb_ccdd, delaySinceLastReport: 65_536)

  @Test("a receiver's compound is RFC 3550's, byte for byte, and reads back")
  func receiverReport() {
    var compound = RTCPCompound(receiverReport: [block], ssrc: 0x0a0b_0c0d, name: "me")
    compound.appendBye(ssrc: 0x0a0b_0c0d)
    #expect(
      compound.bytes
        == hex(
          """
          81c9 0007 0a0b0c0d 11223344 19fffffe 0001fffe 00000060 aabbccdd 00010000
          81ca 0003 0a0b0c0d 01026d65 00000000 81cb 0001 0a0b0c0d
          """))
    compound.bytes.withUnsafeBytes { raw in
      #expect(
        RTCPPacket.compound(raw) == [
          .receiverReport(ssrc: 0x0a0b_0c0d, [block]), .other(type: 202), .bye([0x0a0b_0c0d]),
        ])
    }
  }

  @Test("a sender's report reads back")
  func senderReport() {
    let info = RTCPPacket.SenderInfo(
      time: NTPTime(bits: 0x1122_3344_5566_7788), timestamp: 5, packetCount: 6, byteCount: 7)
    let compound = RTCPCompound(senderReport: info, ssrc: 8, name: String(repeating: "ä", count: 300))
    #expect(compound.bytes.count % 4 == 0)
    compound.bytes.withUnsafeBytes { raw in
      #expect(RTCPPacket.compound(raw)?.first == .senderReport(ssrc: 8, info, []))
    }
  }

  @Test("an SDES item always ends in a zero, whatever its length", arguments: 0...9)
  func sourceDescription(length: Int) {
    let compound = RTCPCompound(receiverReport: [], ssrc: 1, name: String(repeating: "x", count: length))
    #expect(compound.bytes.count % 4 == 0)
    #expect(compound.bytes.last == 0)
    compound.bytes.withUnsafeBytes { #expect(RTCPPacket.compound($0)?.count == 2) }
  }

  @Test("garbage is no compound")
  func garbage() {
    for bad in [
      hex(""), hex("80"), hex("81c9 0007 0a0b0c0d"), hex("81cb 0001 0a0b0c0d"), hex("01c9 0001 0a0b0c0d"),
      hex("80c9 ffff 0a0b0c0d"), hex("80c8 0001 0a0b0c0d"), hex("9fc9 0001 0a0b0c0d"), hex("a0c9 0001 0a0b0c0d"),
      hex("80c9 0001 0a0b0c0d 8fcb 0001 0a0b0c0d"), hex("80c9 0001 0a0b0c0d 80"),
    ] {
      bad.withUnsafeBytes { #expect(RTCPPacket.compound($0) == nil) }
    }
  }

  @Test("random bytes never crash the readers, and what they read adds up")
  func fuzz() {
    var state: UInt64 = 0x1234_5678
    var (compounds, packets, sounds) = (0, 0, 0)
    func random() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    for round in 0..<20_000 {
      var bytes = (0..<Int(random() % 96)).map { _ in random() }
      if round % 2 == 0, bytes.count >= 4 {
        bytes[0] = 0x80 | bytes[0] & 0x1f
        bytes[1] = 200 + bytes[1] % 8
        bytes[2] = 0
        bytes[3] %= 24
        if round % 4 == 0 {
          // A whole packet with few blocks, and half of the time another one behind it.
          bytes.removeLast(bytes.count % 4)
          bytes[0] &= 0x83
          bytes[3] = UInt8(bytes.count / 4 - 1)
          if round % 8 == 0 { bytes += [0x80, 203, 0, 0] }
        }
      }
      bytes.withUnsafeBytes { raw in
        if let read = RTCPPacket.compound(raw) {
          compounds += 1
          #expect(read.count == lengths(of: bytes)?.count && (200...201).contains(bytes[1]), "\(bytes)")
          #expect(RTCPPacket.compound(raw, mayBeReduced: true) == read, "\(bytes)")
          // Both kinds come on one port: none is taken for the other.
          #expect(RTPPacket(raw) == nil, "\(bytes)")
        }
        if let packet = RTPPacket(raw) {
          packets += 1
          #expect(packet.payload.count <= raw.count - RTPHeader.byteCount - Int(bytes[0] & 0xf) * 4, "\(bytes)")
          var header = [UInt8](repeating: 0, count: RTPHeader.byteCount)
          header.withUnsafeMutableBytes { packet.header.write(to: $0.baseAddress!) }
          #expect(header[1...] == bytes[1..<RTPHeader.byteCount], "\(bytes)")
        }
        if let frames = OpusDecoder.frames(in: raw) {
          sounds += 1
          // 2.5 to 120 ms (RFC 6716 §3.2).
          #expect((120...5_760).contains(frames.count) && frames.count % 120 == 0, "\(bytes)")
        }
      }
    }
    // Each reader had something to read.
    #expect(compounds > 20 && packets > 20 && sounds > 20, "\(compounds), \(packets), \(sounds)")
  }

  /// How long each packet of a compound says that it is; nil where they do not add up.
  private func lengths(of bytes: [UInt8]) -> [Int]? {
    var lengths: [Int] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= 4 else { return nil }
      let length = (Int(rest[rest.startIndex + 2]) << 8 + Int(rest[rest.startIndex + 3]) + 1) * 4
      guard length <= rest.count else { return nil }
      lengths.append(length)
      rest = rest.dropFirst(length)
    }
    return lengths
  }

  @Test("the round trip is what is left of the time, and nonsense is none")
  func roundTrip() {
    let received = NTPTime(bits: 0x0000_0010_0000_0000)
    var block = RTCPPacket.ReportBlock(ssrc: 1)
    #expect(RTPStream.roundTripMilliseconds(block, received: received) == nil)
    block.lastReport = 0x000f_8000
    block.delaySinceLastReport = 0x4000
    #expect(RTPStream.roundTripMilliseconds(block, received: received) == 250)
    block.delaySinceLastReport = 0x0002_0000
    #expect(RTPStream.roundTripMilliseconds(block, received: received) == nil)
  }
}

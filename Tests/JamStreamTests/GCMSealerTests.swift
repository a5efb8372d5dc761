import Testing

@testable import JamStream

/// What OpenSSL seals here, libsrtp2 opens there.
@Suite struct GCMSealerTests {
  private static let keys = SRTPKeys(
    profile: .aesGCM, own: (0..<28).map { UInt8($0) }, peer: (0..<28).map { UInt8(200 - $0) })
  private let sender: SRTPSession
  private let receiver: SRTPSession

  init() throws {
    sender = try SRTPSession(GCMSealerTests.keys)
    var mirrored = GCMSealerTests.keys
    swap(&mirrored.own, &mirrored.peer)
    receiver = try SRTPSession(mirrored)
  }

  private func packet(number: Int, payload: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: RTPHeader.byteCount)
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      RTPHeader(
        payloadType: 111, sequence: UInt16(truncatingIfNeeded: number), timestamp: UInt32(number * 960),
        ssrc: 0xdead_beef
      ).write(to: base)
    }
    return bytes + payload
  }

  private func seal(_ packet: [UInt8], number: Int) throws -> [UInt8] {
    var bytes = packet + [UInt8](repeating: 0, count: SRTPSession.trailerBytes)
    let count = bytes.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.flatMap { sender.protect($0, count: packet.count, rollover: UInt32(number >> 16)) }
    }
    return Array(bytes[..<(try #require(count))])
  }

  private func open(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBytes { receiver.open($0) } }

  @Test func aStreamIsOpenedOverWraps() throws {
    for number in stride(from: 0, through: 140_000, by: 31) {
      let plain = packet(number: number, payload: (0..<320).map { UInt8(truncatingIfNeeded: $0 * 7 + number) })
      let sealed = try seal(plain, number: number)
      #expect(sealed.count == plain.count + GCMSealer.tagBytes)
      #expect(sealed[12..<28] != plain[12..<28])
      #expect(open(sealed) == plain, "number \(number)")
    }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 1_200]) func anyLengthIsOpened(_ count: Int) throws {
    let plain = packet(number: 5, payload: [UInt8](repeating: 0xA5, count: count))
    #expect(open(try seal(plain, number: 5)) == plain)
  }

  @Test(arguments: [2, 8, 12, 40]) func whatWasChangedOnItsWayIsNotOpened(_ place: Int) throws {
    var sealed = try seal(packet(number: 9, payload: [UInt8](repeating: 1, count: 20)), number: 9)
    sealed[place] ^= 1
    #expect(open(sealed) == nil)
  }

  @Test func aPacketIsSentAgainAsItWas() throws {
    let plain = packet(number: 9, payload: [1, 2, 3])
    #expect(try seal(plain, number: 9) == seal(plain, number: 9))
    #expect(try seal(plain, number: 9) != seal(packet(number: 9, payload: [1, 2, 4]), number: 9))
  }

  @Test func aPacketWithoutAWholeHeaderIsRefused() throws {
    let sealer = try GCMSealer(masterKey: GCMSealerTests.keys.own)
    var bytes = [UInt8](repeating: 0, count: 40)
    #expect(bytes.withUnsafeMutableBytes { $0.baseAddress.flatMap { sealer.seal($0, count: 11, rollover: 0) } } == nil)
  }
}

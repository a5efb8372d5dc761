import JamCore
import JamStream
import Testing

@testable import JamListen

struct RTPReceptionTests {
  @Test("a receiver's figures are RFC 3550's: loss, extended sequence, jitter, and the answer to a report")
  func figures() {
    func header(_ sequence: UInt16, _ timestamp: UInt32) -> RTPHeader {
      RTPHeader(sequence: sequence, timestamp: timestamp, ssrc: 7)
    }
    var reception = RTPReception(first: header(65_534, 0))
    // 5 ms apart; 0 and 1 are lost, 2 comes 2 ms late.
    for (sequence, timestamp, time) in [(65_534, 0, 0.0), (65_535, 240, 5), (2, 960, 22), (3, 1_200, 25)] {
      reception.receive(header(UInt16(sequence), UInt32(timestamp)), at: milliseconds(time))
    }
    let info = RTCPPacket.SenderInfo(
      time: NTPTime(bits: 0x0000_0001_8000_0000), timestamp: 0, packetCount: 0, byteCount: 0)
    reception.receive(info, at: milliseconds(30))
    let block = reception.report(at: milliseconds(530))
    #expect(block.ssrc == 7)
    #expect(block.highestSequence == 65_536 + 3)
    #expect(block.lostPackets == 2)
    #expect(block.fractionLost == UInt8(2 * 256 / 6))
    #expect(block.lastReport == 0x0001_8000)
    #expect(block.delaySinceLastReport == 32_768)
    #expect(block.jitter > 0 && block.jitter < 96)
    let calm = reception.report(at: milliseconds(600))
    #expect(calm.fractionLost == 0)
  }
}

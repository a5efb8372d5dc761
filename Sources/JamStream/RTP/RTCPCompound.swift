/// Builds the compounds that we send: a report, our name, and perhaps a goodbye.
///
/// - Source: RFC 3550 §6.1: every compound begins with a report and carries a CNAME.
public struct RTCPCompound: Sendable {
  public private(set) var bytes: [UInt8] = []

  /// A sender's report with no blocks, because we receive nothing.
  public init(senderReport info: RTCPPacket.SenderInfo, ssrc: UInt32, name: String) {
    header(type: RTCPPacket.senderReportType, count: 0, words: 6)
    bytes.append(bigEndian: ssrc)
    bytes.append(bigEndian: info.time.bits)
    bytes.append(bigEndian: info.timestamp)
    bytes.append(bigEndian: info.packetCount)
    bytes.append(bigEndian: info.byteCount)
    sourceDescription(ssrc: ssrc, name: name)
  }

  /// A receiver's report on up to 31 streams.
  public init(receiverReport blocks: [RTCPPacket.ReportBlock], ssrc: UInt32, name: String) {
    let blocks = blocks.prefix(31)
    header(type: RTCPPacket.receiverReportType, count: blocks.count, words: 1 + 6 * blocks.count)
    bytes.append(bigEndian: ssrc)
    for block in blocks {
      bytes.append(bigEndian: block.ssrc)
      bytes.append(bigEndian: UInt32(block.fractionLost) << 24 | UInt32(bitPattern: block.lostPackets) & 0xff_ffff)
      bytes.append(bigEndian: block.highestSequence)
      bytes.append(bigEndian: block.jitter)
      bytes.append(bigEndian: block.lastReport)
      bytes.append(bigEndian: block.delaySinceLastReport)
    }
    sourceDescription(ssrc: ssrc, name: name)
  }

  /// Appends that `ssrc` leaves.
  public mutating func appendBye(ssrc: UInt32) {
    header(type: RTCPPacket.byeType, count: 1, words: 1)
    bytes.append(bigEndian: ssrc)
  }

  /// Asks for packets of the stream `media` again (RFC 4585 §6.2.1).
  public mutating func append(missing numbers: [UInt16], of media: UInt32, from ssrc: UInt32) {
    header(type: RTCPPacket.feedbackType, count: 1, words: 2 + numbers.count)
    bytes.append(bigEndian: ssrc)
    bytes.append(bigEndian: media)
    for number in numbers { bytes.append(bigEndian: UInt32(number) << 16) }
  }

  private mutating func sourceDescription(ssrc: UInt32, name: String) {
    let text = Array(name.utf8.prefix(255))
    // The item's type and length, then at least one zero, up to a word's border (RFC 3550 §6.5).
    let words = 1 + (2 + text.count + 1 + 3) / 4
    header(type: RTCPPacket.sourceDescriptionType, count: 1, words: words)
    let end = bytes.count + words * 4
    bytes.append(bigEndian: ssrc)
    bytes.append(1)
    bytes.append(UInt8(text.count))
    bytes.append(contentsOf: text)
    bytes.append(contentsOf: repeatElement(0, count: end - bytes.count))
  }

  private mutating func header(type: UInt8, count: Int, words: Int) {
    bytes.append(0x80 | UInt8(count))
    bytes.append(type)
    bytes.append(bigEndian: UInt16(words))
  }
}

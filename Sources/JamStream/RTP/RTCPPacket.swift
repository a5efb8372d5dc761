/// One packet of an RTCP compound, as far as we read it.
///
/// - Source: RFC 3550 §6.
public enum RTCPPacket: Hashable, Sendable {
  case senderReport(ssrc: UInt32, SenderInfo, [ReportBlock])
  case receiverReport(ssrc: UInt32, [ReportBlock])
  case bye([UInt32])
  /// Packets of our stream `ssrc` that the receiver misses (RFC 4585 §6.2.1).
  case missing(ssrc: UInt32, [UInt16])
  /// SDES, APP, feedback: well-formed, but not used here.
  case other(type: UInt8)

  /// A sender's report about itself (RFC 3550 §6.4.1).
  public struct SenderInfo: Hashable, Sendable {
    public var time: NTPTime
    /// The same moment on the stream's clock.
    public var timestamp: UInt32
    public var packetCount: UInt32
    public var byteCount: UInt32

    public init(time: NTPTime, timestamp: UInt32, packetCount: UInt32, byteCount: UInt32) {
      self.time = time
      self.timestamp = timestamp
      self.packetCount = packetCount
      self.byteCount = byteCount
    }
  }

  /// A receiver's report about one stream (RFC 3550 §6.4.1).
  public struct ReportBlock: Hashable, Sendable {
    public var ssrc: UInt32
    /// In units of 1/256, since the last report.
    public var fractionLost: UInt8
    /// Packets lost since the beginning, −2²³ … 2²³−1.
    public var lostPackets: Int32
    public var highestSequence: UInt32
    /// In units of the stream's clock.
    public var jitter: UInt32
    /// `NTPTime.middle` of the last sender report; 0 where there was none.
    public var lastReport: UInt32
    /// In units of 1/65,536 s.
    public var delaySinceLastReport: UInt32

    public init(
      ssrc: UInt32, fractionLost: UInt8 = 0, lostPackets: Int32 = 0, highestSequence: UInt32 = 0, jitter: UInt32 = 0,
      lastReport: UInt32 = 0, delaySinceLastReport: UInt32 = 0
    ) {
      self.ssrc = ssrc
      self.fractionLost = fractionLost
      self.lostPackets = lostPackets
      self.highestSequence = highestSequence
      self.jitter = jitter
      self.lastReport = lastReport
      self.delaySinceLastReport = delaySinceLastReport
    }
  }

  static let senderReportType: UInt8 = 200
  static let receiverReportType: UInt8 = 201
  static let sourceDescriptionType: UInt8 = 202
  static let byeType: UInt8 = 203
  static let feedbackType: UInt8 = 205
}

extension RTCPPacket {
  /// Splits a compound into its packets.
  /// - Returns: nil where `bytes` are no valid compound: the first packet must be a report and the
  ///   lengths must add up.
  /// - Parameter mayBeReduced: a single packet of any type is valid, too (RFC 5506).
  /// - Source: RFC 3550 A.2.
  public static func compound(_ bytes: UnsafeRawBufferPointer, mayBeReduced: Bool = false) -> [RTCPPacket]? {
    var reader = ByteReader(bytes)
    var packets: [RTCPPacket] = []
    while reader.remaining > 0 {
      guard let first: UInt8 = reader.integer(), let type: UInt8 = reader.integer(),
        let words: UInt16 = reader.integer(), first >> 6 == 2, let body = reader.slice(Int(words) * 4)
      else { return nil }
      let isPadded = first & 0x20 != 0
      // Only the last packet of a compound may be padded, and the first never is.
      guard !isPadded || (reader.remaining == 0 && !packets.isEmpty) else { return nil }
      guard mayBeReduced || !packets.isEmpty || type == senderReportType || type == receiverReportType else {
        return nil
      }
      guard let packet = RTCPPacket(type: type, count: Int(first & 0x1f), body: body) else { return nil }
      packets.append(packet)
    }
    return packets.isEmpty ? nil : packets
  }

  private init?(type: UInt8, count: Int, body: UnsafeRawBufferPointer) {
    var reader = ByteReader(body)
    switch type {
    case RTCPPacket.senderReportType:
      guard let ssrc: UInt32 = reader.integer(), let time: UInt64 = reader.integer(),
        let timestamp: UInt32 = reader.integer(), let packets: UInt32 = reader.integer(),
        let bytes: UInt32 = reader.integer(), let blocks = RTCPPacket.blocks(count, from: &reader)
      else { return nil }
      let info = SenderInfo(time: NTPTime(bits: time), timestamp: timestamp, packetCount: packets, byteCount: bytes)
      self = .senderReport(ssrc: ssrc, info, blocks)
    case RTCPPacket.receiverReportType:
      guard let ssrc: UInt32 = reader.integer(), let blocks = RTCPPacket.blocks(count, from: &reader) else {
        return nil
      }
      self = .receiverReport(ssrc: ssrc, blocks)
    case RTCPPacket.byeType:
      var sources: [UInt32] = []
      for _ in 0..<count {
        guard let ssrc: UInt32 = reader.integer() else { return nil }
        sources.append(ssrc)
      }
      self = .bye(sources)
    case RTCPPacket.feedbackType where count == 1:
      // The sender of the feedback, the stream, then pairs of a packet number and 16 bits for the
      // packets behind it.
      guard reader.skip(4), let ssrc: UInt32 = reader.integer() else { return nil }
      var missing: [UInt16] = []
      while let first: UInt16 = reader.integer() {
        guard let following: UInt16 = reader.integer(), missing.count < RTCPPacket.mostMissing else { return nil }
        missing.append(first)
        for bit in 0..<16 where following >> UInt16(bit) & 1 == 1 { missing.append(first &+ UInt16(bit + 1)) }
      }
      self = .missing(ssrc: ssrc, missing)
    default:
      self = .other(type: type)
    }
  }

  /// If more packets miss, the sender made a mistake: it would mean that seconds of sound are lost.
  private static let mostMissing = 1_024

  private static func blocks(_ count: Int, from reader: inout ByteReader) -> [ReportBlock]? {
    var blocks: [ReportBlock] = []
    for _ in 0..<count {
      guard let ssrc: UInt32 = reader.integer(), let loss: UInt32 = reader.integer(),
        let highest: UInt32 = reader.integer(), let jitter: UInt32 = reader.integer(),
        let lastReport: UInt32 = reader.integer(), let delay: UInt32 = reader.integer()
      else { return nil }
      blocks.append(
        ReportBlock(
          ssrc: ssrc, fractionLost: UInt8(loss >> 24),
          // A signed number of 24 bits: shifted up and down again.
          lostPackets: Int32(bitPattern: loss << 8) >> 8, highestSequence: highest, jitter: jitter,
          lastReport: lastReport, delaySinceLastReport: delay))
    }
    return blocks
  }
}

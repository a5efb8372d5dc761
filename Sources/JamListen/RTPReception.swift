public import JamCore
public import JamStream

/// A receiver's record of one RTP stream, for its reports: a machine without I/O.
///
/// - Source: RFC 3550 A.1, A.3, A.8.
public struct RTPReception {
  public let ssrc: UInt32
  private let firstSequence: UInt32
  private var highest: UInt32
  private var received: UInt32 = 0
  private var expectedBefore: UInt32 = 0
  private var receivedBefore: UInt32 = 0
  private var lastTransit: Int64?
  private var jitterSixteenths: Int64 = 0
  private var lastReport: (middle: UInt32, arrival: HostTime)?

  public init(first: RTPHeader) {
    ssrc = first.ssrc
    firstSequence = UInt32(first.sequence)
    highest = UInt32(first.sequence)
  }

  /// Counts a packet of the stream.
  public mutating func receive(_ header: RTPHeader, at arrival: HostTime) {
    received &+= 1
    // Sequence numbers wrap: compare the signed difference.
    let step = Int16(bitPattern: header.sequence &- UInt16(truncatingIfNeeded: highest))
    if step > 0 { highest &+= UInt32(step) }
    let arrived = arrival.nanoseconds / 125_000 * 6 + arrival.nanoseconds % 125_000 * 6 / 125_000
    let transit = Int64(Int32(truncatingIfNeeded: arrived &- Int64(header.timestamp)))
    if let lastTransit {
      let difference = abs(Int64(Int32(truncatingIfNeeded: transit &- lastTransit)))
      jitterSixteenths += difference - (jitterSixteenths + 8) >> 4
    }
    lastTransit = transit
  }

  /// Remembers the sender's report, which our next report answers.
  public mutating func receive(_ info: RTCPPacket.SenderInfo, at arrival: HostTime) {
    lastReport = (info.time.middle, arrival)
  }

  public var expectedPackets: UInt32 { highest &- firstSequence &+ 1 }
  /// Lost since the beginning; negative where more came than were sent.
  public var lostPackets: Int64 { Int64(expectedPackets) - Int64(received) }

  /// The next report block.
  public mutating func report(at now: HostTime) -> RTCPPacket.ReportBlock {
    let expected = expectedPackets &- expectedBefore
    let came = received &- receivedBefore
    expectedBefore = expectedPackets
    receivedBefore = received
    let lost = Int64(expected) - Int64(came)
    let fraction = expected == 0 || lost <= 0 ? 0 : UInt8(clamping: lost * 256 / Int64(expected))
    var block = RTCPPacket.ReportBlock(
      ssrc: ssrc, fractionLost: fraction,
      lostPackets: Int32(min(max(lostPackets, -0x80_0000), 0x7f_ffff)), highestSequence: highest,
      jitter: UInt32(clamping: jitterSixteenths >> 4))
    if let lastReport {
      block.lastReport = lastReport.middle
      block.delaySinceLastReport = UInt32(
        clamping: (now.nanoseconds - lastReport.arrival.nanoseconds) * 65_536 / 1_000_000_000)
    }
    return block
  }
}

/// A listener's last report about the stream that reaches it.
///
/// - Source: RFC 3550 §6.4.1.
public struct Reception: Hashable, Sendable {
  /// 0…1, since the report before.
  public var lossFraction: Float
  public var jitterMilliseconds: Float
  /// nil before the listener has seen a report of ours.
  public var roundTripMilliseconds: Float?

  public init(lossFraction: Float, jitterMilliseconds: Float, roundTripMilliseconds: Float? = nil) {
    self.lossFraction = lossFraction
    self.jitterMilliseconds = jitterMilliseconds
    self.roundTripMilliseconds = roundTripMilliseconds
  }

  init(_ block: RTCPPacket.ReportBlock, received: NTPTime) {
    self.init(
      lossFraction: Float(block.fractionLost) / 256, jitterMilliseconds: Float(block.jitter) / 48,
      roundTripMilliseconds: RTPStream.roundTripMilliseconds(block, received: received))
  }
}

/// Statistics of the media port since it opened.
public struct MediaStatistics: Hashable, Sendable {
  /// RTP leases that are in force.
  public var rtpListeners = 0
  /// Datagrams that went out: packets times listeners.
  public var sentDatagrams: UInt64 = 0
  /// Datagrams that the kernel refused.
  public var refusedDatagrams: UInt64 = 0
  /// Packets that were never sent because the media thread came too late.
  public var skippedPackets: UInt64 = 0
  public var expiredLeases: UInt64 = 0
  /// Receiver reports about our streams.
  public var receivedReports: UInt64 = 0
  /// Datagrams from addresses without a lease, and reports about streams that are not ours.
  public var strangers: UInt64 = 0
  /// Datagrams that are no valid RTCP.
  public var malformedDatagrams: UInt64 = 0
  /// The worst loss that a listener reported last, 0…1.
  public var worstLossFraction: Float = 0
  /// The longest round trip that a listener reported last; nil where no listener reported one.
  public var worstRoundTripMilliseconds: Float?
  /// The last report of each RTP listener, up to so many of them.
  public var receptions: [StreamReception] = []
  static let mostReceptions = 256

  public var webRTC = WebRTCStatistics()
  /// Datagrams of WebRTC that went out, checks and reports included.
  public var webRTCDatagrams: UInt64 = 0
  /// WebRTC datagrams that the kernel refused.
  public var refusedWebRTCDatagrams: UInt64 = 0

  public init() {}
}

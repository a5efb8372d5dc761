/// What WebRTC has done since the start.
public struct WebRTCStatistics: Hashable, Sendable {
  /// Listeners that get sound.
  public var listeners = 0
  /// Those that asked and are not connected yet.
  public var connecting = 0
  /// Packets times listeners.
  public var sentPackets: UInt64 = 0
  /// Packets that were never sent because the media thread came too late.
  public var skippedPackets: UInt64 = 0
  /// Sent again because they were missed.
  public var resentPackets: UInt64 = 0
  /// Asked for again, and nowhere any more.
  public var unknownResends: UInt64 = 0
  /// Asked for again by one who asks too often.
  public var refusedResends: UInt64 = 0
  /// Listeners that ended because nothing came from them.
  public var silentListeners: UInt64 = 0
  public var failedHandshakes: UInt64 = 0
  /// DTLS datagrams beyond what may wait.
  public var droppedHandshakes: UInt64 = 0
  public var receivedReports: UInt64 = 0
  /// SRTCP that was forged, damaged or repeated.
  public var refusedReports: UInt64 = 0
  /// STUN and DTLS from those who asked for nothing.
  public var strangers: UInt64 = 0
  public var malformed: UInt64 = 0
  /// Listeners since the start by how their packets are protected.
  public var profiles: [SRTPProfile: Int] = [:]
  /// What each listener reported last, by its number; empty where there are very many.
  public var receptions: [UInt64: Reception] = [:]
  /// The worst of each.
  public var worstLossFraction: Float = 0
  public var worstJitterMilliseconds: Float = 0
  /// nil where nobody told one.
  public var worstRoundTripMilliseconds: Float?

  public init() {}
}

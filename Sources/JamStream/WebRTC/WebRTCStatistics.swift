/// Statistics of WebRTC since the start.
public struct WebRTCStatistics: Hashable, Sendable {
  /// Listeners that get sound.
  public var listeners = 0
  /// Listeners that asked and are not connected yet.
  public var connecting = 0
  /// Packets times listeners.
  public var sentPackets: UInt64 = 0
  /// Packets that were never sent because the media thread came too late.
  public var skippedPackets: UInt64 = 0
  /// Packets that were sent again because a listener missed them.
  public var resentPackets: UInt64 = 0
  /// Packets that were asked for again, but are no longer on the tape.
  public var unknownResends: UInt64 = 0
  /// Packets that were asked for again by a listener that asks too often.
  public var refusedResends: UInt64 = 0
  /// Listeners that ended because nothing came from them.
  public var silentListeners: UInt64 = 0
  public var failedHandshakes: UInt64 = 0
  /// DTLS datagrams that were dropped because too many were waiting.
  public var droppedHandshakes: UInt64 = 0
  public var receivedReports: UInt64 = 0
  /// SRTCP that was forged, damaged or repeated.
  public var refusedReports: UInt64 = 0
  /// STUN and DTLS from addresses that asked for nothing.
  public var strangers: UInt64 = 0
  public var malformed: UInt64 = 0
  /// Listeners since the start by how their packets are protected.
  public var profiles: [SRTPProfile: Int] = [:]
  /// The last report of each listener, by its number; empty where there are very many.
  public var receptions: [UInt64: Reception] = [:]
  /// The worst value of all listeners.
  public var worstLossFraction: Float = 0
  public var worstJitterMilliseconds: Float = 0
  /// nil where no listener reported one.
  public var worstRoundTripMilliseconds: Float?

  public init() {}
}

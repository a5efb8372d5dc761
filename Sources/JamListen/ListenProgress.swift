/// The progress of listening.
public struct ListenProgress: Hashable, Sendable {
  public var seconds = 0.0
  /// The peak since the last call, linear; 1 is full scale.
  public var peak: Float = 0
  /// The time that sound is held here because of jitter.
  public var bufferMilliseconds = 0.0
  /// The time from the mix to here, by the server's clock in its reports. Nil before the first
  /// report, and only correct where both machines' clocks agree.
  public var latencyMilliseconds: Double?
  public var receivedPackets: UInt64 = 0
  public var lostPackets: Int64 = 0
  public var latePackets: UInt64 = 0

  public init() {}

  /// 0…1.
  public var lossFraction: Double {
    let expected = Double(receivedPackets) + Double(max(lostPackets, 0))
    return expected > 0 ? Double(max(lostPackets, 0)) / expected : 0
  }
}

/// How listening goes.
public struct ListenProgress: Hashable, Sendable {
  public var seconds = 0.0
  /// The peak since the last look, linear; 1 is full scale.
  public var peak: Float = 0
  /// How long sound is held here against jitter.
  public var bufferMilliseconds = 0.0
  /// From the mix to here on the server's clock, as its reports tell; nil before the first one, and only true where both
  /// machines' clocks agree.
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

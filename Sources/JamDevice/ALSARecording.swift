/// What was recorded from a device.
public struct ALSARecording: Sendable {
  /// Interleaved, ±1.
  public internal(set) var samples: [Float] = []
  /// 1 or 2.
  public let channels: Int
  /// Frames per second: 48,000 where the device could.
  public let rate: Int
  /// Times that the device had more than it could hold. Each is a gap: what follows it stands where the gap began.
  public internal(set) var overruns = 0
  public internal(set) var end = End.stopped

  /// Why a recording ended.
  public enum End: Hashable, Sendable {
    /// It was told to.
    case stopped
    /// It reached the most frames that it may have.
    case full
    /// The device was unplugged, or failed: what came before is there.
    case failed(DeviceError)
  }

  init(channels: Int, rate: Int) {
    self.channels = channels
    self.rate = rate
  }

  public var frameCount: Int { samples.count / channels }
  /// It ended before it was told to.
  public var endedEarly: Bool { end != .stopped }
}

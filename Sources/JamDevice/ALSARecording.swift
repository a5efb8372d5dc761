/// A recording from a device.
public struct ALSARecording: Sendable {
  /// Interleaved, ±1.
  public internal(set) var samples: [Float] = []
  /// 1 or 2.
  public let channels: Int
  /// Frames per second: 48,000 where the device could.
  public let rate: Int
  /// The number of times that the device had more than it could hold. Each is a gap: the sound
  /// behind it directly follows the sound in front.
  public internal(set) var overruns = 0
  public internal(set) var end = End.stopped

  /// The reason why a recording ended.
  public enum End: Hashable, Sendable {
    /// `stop` was called.
    case stopped
    /// It reached its maximum number of frames.
    case full
    /// The device was unplugged, or failed. The frames before that are kept.
    case failed(DeviceError)
  }

  init(channels: Int, rate: Int) {
    self.channels = channels
    self.rate = rate
  }

  public var frameCount: Int { samples.count / channels }
  /// Whether it ended before `stop` was called.
  public var endedEarly: Bool { end != .stopped }
}

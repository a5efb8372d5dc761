public import JamCore

/// Statistics of one encoder since it started.
public struct EncoderStatistics: Hashable, Sendable {
  public var profile: StreamProfile
  /// The place of a player's cue; nil for the mix.
  public var cue: UInt8?
  public var listeners: Int
  public var packets: UInt64
  public var bytes: UInt64
  /// Frames of the mix that were never encoded because the encode thread came too late.
  public var skippedFrames: Frames
  /// Frames that libopus refused.
  public var failures: UInt64
  /// CPU time.
  public var encodeSeconds: Double
}

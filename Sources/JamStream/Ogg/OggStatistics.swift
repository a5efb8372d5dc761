/// Statistics of the Ogg fan-out since it started.
public struct OggStatistics: Hashable, Sendable {
  public var listeners = 0
  public var sentPages: UInt64 = 0
  public var sentBytes: UInt64 = 0
  /// Listeners that closed their connection.
  public var left: UInt64 = 0
  /// Listeners that were dropped because they took too little: they do not read, or their machine
  /// vanished.
  public var stalled: UInt64 = 0

  public init() {}
}

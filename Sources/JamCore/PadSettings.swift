/// What shapes a pad's sound.
@frozen
public struct PadSettings: Hashable, BitwiseCopyable, Sendable {
  /// dB, −60…12.
  public var gain: Float = 0
  /// −1 (left) … 1 (right), constant power.
  public var pan: Float = 0
  public var mute = false
  /// The group whose members cut each other off: 0 (none) … 8.
  public var choke: UInt8 = 0
  /// Voices that the pad may hold at once, 1…8; 1 cuts itself.
  public var voices: UInt8 = 8
  public var mode: PadMode = .oneShot

  public init() {}
}

/// What a press and a release do.
@frozen
public enum PadMode: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// The sound plays to its end.
  case oneShot
  /// It sounds while the pad is held.
  case gate
}

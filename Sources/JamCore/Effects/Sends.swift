/// How much of a channel goes to the room's delay and reverb, as a kit or an instrument brings it
/// along.
///
/// Thread: any.
public struct Sends: Hashable, Sendable {
  /// 0…1, as `EffectSettings.delaySend` and `reverbSend`.
  public var delay: Float
  public var reverb: Float

  public init(delay: Float = 0, reverb: Float = 0) {
    self.delay = delay
    self.reverb = reverb
  }

  public static let none = Sends()

  /// What a channel has that plays both: the more of each.
  public func joined(with other: Sends) -> Sends {
    Sends(delay: max(delay, other.delay), reverb: max(reverb, other.reverb))
  }
}

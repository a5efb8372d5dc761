/// How much of a channel goes to the room's delay and reverb. A kit or an instrument brings its own
/// sends.
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

  /// The sends of a channel that plays both: the larger value of each.
  public func joined(with other: Sends) -> Sends {
    Sends(delay: max(delay, other.delay), reverb: max(reverb, other.reverb))
  }
}

/// A layer of a loop, as it is told beside its notes.
public struct LoopLayer: Hashable, Sendable {
  public var player: PlayerName
  /// From 1.
  public var number: Int
  public var isMuted: Bool
  /// dB.
  public var gain: Float
  /// Its notes lie on sixteenths: it is a step grid's.
  public var isSteps: Bool

  public init(player: PlayerName, number: Int, isMuted: Bool, gain: Float, isSteps: Bool) {
    self.player = player
    self.number = number
    self.isMuted = isMuted
    self.gain = gain
    self.isSteps = isSteps
  }
}

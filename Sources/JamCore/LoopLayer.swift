/// A layer of a loop, as the room tells it beside the layer's notes.
public struct LoopLayer: Hashable, Sendable {
  public var player: PlayerName
  /// Counted from 1.
  public var number: Int
  public var isMuted: Bool
  /// dB.
  public var gain: Float
  /// Whether the layer is a step grid: its notes lie on sixteenths.
  public var isSteps: Bool

  public init(player: PlayerName, number: Int, isMuted: Bool, gain: Float, isSteps: Bool) {
    self.player = player
    self.number = number
    self.isMuted = isMuted
    self.gain = gain
    self.isSteps = isSteps
  }
}

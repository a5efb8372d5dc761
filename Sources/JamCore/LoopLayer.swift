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
  /// The player whose layer this one is a copy of; and the player who has borrowed this one.
  public var owner: PlayerName?
  public var borrower: PlayerName?

  public init(
    player: PlayerName, number: Int, isMuted: Bool, gain: Float, isSteps: Bool,
    owner: PlayerName? = nil, borrower: PlayerName? = nil
  ) {
    self.player = player
    self.number = number
    self.isMuted = isMuted
    self.gain = gain
    self.isSteps = isSteps
    self.owner = owner
    self.borrower = borrower
  }
}

/// The state of a player's loop, as the room tells everybody.
public struct LoopReport: Hashable, Sendable {
  public var player: PlayerName
  /// A word of `/loop/state`.
  public var state: String
  public var layers: Int
  public var bars: Int
  /// In quarter notes; 0 while there is no loop.
  public var length: Float
  /// The beginning, in counted beats from bar 1. The count assumes that the room always had its
  /// present time signature.
  public var origin: Float
  /// The next change, counted like `origin`: a pass begins or ends, or the loop starts or stops. −1
  /// means that no change is planned.
  public var turn: Float
  /// The action at `turn`, as a `LoopAction`'s word; empty where a pass only ends.
  public var next: String
  /// A number that changes whenever the loop's notes, mutes or levels change. 0 is an empty loop.
  public var mark: Int32

  public init(
    player: PlayerName, state: String, layers: Int, bars: Int, length: Float = 0, origin: Float = 0, turn: Float = -1,
    next: String = "", mark: Int32 = 0
  ) {
    self.player = player
    self.state = state
    self.layers = layers
    self.bars = bars
    self.length = length
    self.origin = origin
    self.turn = turn
    self.next = next
    self.mark = mark
  }

  /// The report for a player whose loop is gone.
  public init(gone player: PlayerName) { self.init(player: player, state: "empty", layers: 0, bars: 0) }
}

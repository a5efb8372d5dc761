/// What everybody is told of somebody's loop.
public struct LoopReport: Hashable, Sendable {
  public var player: PlayerName
  /// In the words of `/loop/state`.
  public var state: String
  public var layers: Int
  public var bars: Int
  /// In quarter notes; 0 while there is no loop.
  public var length: Float
  /// Where it began, in counted beats from bar 1, as if the present time signature had always been the room's.
  public var origin: Float
  /// Where something happens to it next, counted likewise: a pass begins or ends, it plays or stops. −1 is nowhere.
  public var turn: Float
  /// What is to be done there, a `LoopAction`'s word; empty where a pass only ends.
  public var next: String
  /// Another number where its notes, its mutes or its levels are others. 0 is an empty loop.
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

  /// Of a player whose loop is gone.
  public init(gone player: PlayerName) { self.init(player: player, state: "empty", layers: 0, bars: 0) }
}

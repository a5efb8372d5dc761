/// A note of a loop's layer, as it is told.
public struct LoopNote: Hashable, Sendable {
  public var player: PlayerName
  /// From 1.
  public var layer: Int
  /// By which it is changed: no other note of the loop has it.
  public var number: UInt32
  public var pad: Pad
  /// In quarter notes from the loop's beginning.
  public var beat: Float
  public var velocity: Float
  /// How long it is held, in quarter notes; 0 rings out.
  public var length: Float
  /// It comes again after so many quarter notes.
  public var cycle: Float

  public init(
    player: PlayerName, layer: Int, number: UInt32, pad: Pad, beat: Float, velocity: Float, length: Float,
    cycle: Float
  ) {
    self.player = player
    self.layer = layer
    self.number = number
    self.pad = pad
    self.beat = beat
    self.velocity = velocity
    self.length = length
    self.cycle = cycle
  }
}

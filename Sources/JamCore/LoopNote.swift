/// A note of a loop's layer, as the room tells it.
public struct LoopNote: Hashable, Sendable {
  public var player: PlayerName
  /// Counted from 1.
  public var layer: Int
  /// The number for changing the note. No other note of the loop has it.
  public var number: UInt32
  public var pad: Pad
  /// Quarter notes from the loop's beginning.
  public var beat: Float
  public var velocity: Float
  /// How long the note is held, in quarter notes; 0 lets it ring out.
  public var length: Float
  /// The note repeats after so many quarter notes.
  public var cycle: Float
  /// The category of the note's sound, such as `kick`; empty where it has none, as a synthesiser's.
  public var category: String

  public init(
    player: PlayerName, layer: Int, number: UInt32, pad: Pad, beat: Float, velocity: Float, length: Float,
    cycle: Float, category: String = ""
  ) {
    self.player = player
    self.layer = layer
    self.number = number
    self.pad = pad
    self.beat = beat
    self.velocity = velocity
    self.length = length
    self.cycle = cycle
    self.category = category
  }
}

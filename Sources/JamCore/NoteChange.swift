/// What is to become of a note of a layer.
public struct NoteChange: Hashable, Sendable {
  /// As the note was told.
  public var number: UInt32
  /// Where it comes to lie, in quarter notes from the loop's beginning.
  public var beat: Float
  /// 0 takes it away.
  public var velocity: Float
  /// Another pad plays it, as that sounds now; nil is the same one.
  public var pad: Pad?

  public init(number: UInt32, beat: Float, velocity: Float, pad: Pad? = nil) {
    self.number = number
    self.beat = beat
    self.velocity = velocity
    self.pad = pad
  }
}

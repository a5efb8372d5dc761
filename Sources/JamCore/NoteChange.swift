/// A change of a note in a layer.
public struct NoteChange: Hashable, Sendable {
  /// The note's number, as the room told it.
  public var number: UInt32
  /// The new position, in quarter notes from the loop's beginning.
  public var beat: Float
  /// 0 removes the note.
  public var velocity: Float
  /// The pad that plays the note from now on, as that pad sounds now; nil keeps the note's pad.
  public var pad: Pad?

  public init(number: UInt32, beat: Float, velocity: Float, pad: Pad? = nil) {
    self.number = number
    self.beat = beat
    self.velocity = velocity
    self.pad = pad
  }
}

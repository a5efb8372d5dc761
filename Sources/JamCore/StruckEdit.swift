/// What is set in a loop or a block with a velocity, that being left out.
public enum StruckEdit: Hashable, Sendable {
  /// Of the player's step grid.
  case step(Pad, Int)
  /// Of the block of that name.
  case blockStep(String, Pad, Int)
  /// A note that there is in a layer.
  case note(layer: Int, number: UInt32, beat: Float, pad: Pad?)
  /// One more note of a layer.
  case addition(layer: Int, Pad, beat: Float)

  /// - Parameter velocity: 0 takes away.
  public func command(_ velocity: Float) -> Command {
    switch self {
    case .step(let pad, let step): .set(.step(pad, step), .float(velocity))
    case .blockStep(let name, let pad, let step): .setBlockStep(name, pad, step: step, velocity: velocity)
    case .note(let layer, let number, let beat, let pad):
      .changeNote(layer: layer, NoteChange(number: number, beat: beat, velocity: velocity, pad: pad))
    case .addition(let layer, let pad, let beat): .addNote(layer: layer, pad, beat: beat, velocity: velocity)
    }
  }

  /// Whose velocity it is; nil where only the layer knows.
  public var pad: Pad? {
    switch self {
    case .step(let pad, _), .blockStep(_, let pad, _), .addition(_, let pad, _): pad
    case .note(_, _, _, let pad): pad
    }
  }
}

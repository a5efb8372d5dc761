/// An edit that sets a velocity in a loop or a block. The velocity itself is not part of it.
public enum StruckEdit: Hashable, Sendable {
  /// A step of the player's step grid.
  case step(Pad, Int)
  /// A step of the block with that name.
  case blockStep(String, Pad, Int)
  /// An existing note of a layer.
  case note(layer: Int, number: UInt32, beat: Float, pad: Pad?)
  /// A new note of a layer.
  case addition(layer: Int, Pad, beat: Float)

  /// - Parameter velocity: 0 removes the hit.
  public func command(_ velocity: Float) -> Command {
    switch self {
    case .step(let pad, let step): .set(.step(pad, step), .float(velocity))
    case .blockStep(let name, let pad, let step): .setBlockStep(name, pad, step: step, velocity: velocity)
    case .note(let layer, let number, let beat, let pad):
      .changeNote(layer: layer, NoteChange(number: number, beat: beat, velocity: velocity, pad: pad))
    case .addition(let layer, let pad, let beat): .addNote(layer: layer, pad, beat: beat, velocity: velocity)
    }
  }

  /// The pad that the velocity is for; nil where only the layer knows the pad.
  public var pad: Pad? {
    switch self {
    case .step(let pad, _), .blockStep(_, let pad, _), .addition(_, let pad, _): pad
    case .note(_, _, _, let pad): pad
    }
  }
}

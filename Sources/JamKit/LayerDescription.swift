/// The sounds of a pad for one range of velocities, as a `kit.json` names them.
public struct LayerDescription: Hashable, Sendable {
  /// The highest velocity of the layer, 0…1. The layer begins above the one before.
  public var upTo: Float
  /// dB, on top of the pad's, within `gains`.
  public var gain: Float
  /// Paths within the kit's folder; several take turns.
  public var files: [String]
  /// For an instrument: the loop of each file, or an empty list. A loop repeats while its key is
  /// held; nil plays to the file's end.
  public var loops: [SoundLoop?]

  public init(upTo: Float = 1, gain: Float = 0, files: [String], loops: [SoundLoop?] = []) {
    self.upTo = upTo
    self.gain = gain
    self.files = files
    self.loops = loops
  }

  /// The loop of the file of that number.
  func loop(of index: Int) -> SoundLoop? { loops.indices.contains(index) ? loops[index] : nil }

  /// The layer for sounds that were recorded as softly as they were played. A hit counts its
  /// velocity squared. The gain undoes that at the layer's upper end, so that a recorded sound is
  /// as loud as it was played. Below, the layer follows the velocity as any other.
  var asRecorded: LayerDescription {
    var layer = self
    layer.gain = min(gain - Float(2 * PortableMath.decibels(Double(upTo))), Float(Self.gains.upperBound))
    return layer
  }

  /// The range of a layer's gain in a `kit.json`. The upper end undoes the squared velocity of a
  /// hit at 0.1.
  package static let gains = -60.0...40

  /// The number of layers that a pad may have, and of sounds that a layer may have.
  package static let counts = 1...32
}

/// The sounds of a pad for one range of velocities, as a `kit.json` names them.
public struct LayerDescription: Hashable, Sendable {
  /// The highest velocity that the layer takes, 0…1; it begins above the one before.
  public var upTo: Float
  /// dB, on top of the pad's, within `gains`.
  public var gain: Float
  /// Paths within the kit's folder; several take turns.
  public var files: [String]
  /// Of an instrument's files, one for each or none at all: where it goes round while its key is held; nil plays to its end.
  public var loops: [SoundLoop?]

  public init(upTo: Float = 1, gain: Float = 0, files: [String], loops: [SoundLoop?] = []) {
    self.upTo = upTo
    self.gain = gain
    self.files = files
    self.loops = loops
  }

  /// The file of that number with its loop.
  func loop(of index: Int) -> SoundLoop? { loops.indices.contains(index) ? loops[index] : nil }

  /// A hit counts its velocity squared. That is taken back at the layer's upper end, where a sound that was recorded as softly
  /// as it was played is as loud as it should be; below, the layer follows the velocity as any other.
  var asRecorded: LayerDescription {
    var layer = self
    layer.gain = min(gain - Float(2 * PortableMath.decibels(Double(upTo))), Float(Self.gains.upperBound))
    return layer
  }

  /// Of a layer in a `kit.json`: up to what takes back the velocity of a hit at 0.1.
  package static let gains = -60.0...40

  /// How many layers a pad may have, and how many sounds a layer.
  package static let counts = 1...32
}

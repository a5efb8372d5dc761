/// The sounds of a pad for one range of velocities, as a `kit.json` names them.
public struct LayerDescription: Hashable, Sendable {
  /// The highest velocity that the layer takes, 0…1; it begins above the one before.
  public var upTo: Float
  /// dB, on top of the pad's and in the same range (`PadSetting.gain`).
  public var gain: Float
  /// Paths within the kit's folder; several take turns.
  public var files: [String]

  public init(upTo: Float = 1, gain: Float = 0, files: [String]) {
    self.upTo = upTo
    self.gain = gain
    self.files = files
  }

  /// How many layers a pad may have, and how many sounds a layer.
  package static let counts = 1...32
}

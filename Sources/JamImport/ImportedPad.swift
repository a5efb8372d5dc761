internal import JamCore
internal import JamKit

/// One pad of a kit during its import.
struct ImportedPad: Sendable {
  var name: String
  var category: PadCategory
  /// Gains may lie outside their range here. The values that are written lie within it.
  var settings: PadSettings
  /// From the softest to the loudest, at least one.
  var layers: [ImportedLayer]
  /// The name that the source gives the sound.
  var source: String

  init(name: String, category: PadCategory, layers: [ImportedLayer], source: String) {
    self.name = name
    self.category = category
    self.layers = layers
    self.source = source
    settings = PadSettings(defaultsFor: category)
  }

  /// Whether both have the same sounds at the same pitch.
  func soundsLike(_ other: ImportedPad) -> Bool {
    settings.transpose == other.settings.transpose && layers.map(\.sounds) == other.layers.map(\.sounds)
  }
}

/// The sounds of an imported pad for one range of velocities.
struct ImportedLayer: Sendable {
  var upTo: Float = 1
  /// dB; any value, on top of the pad's.
  var gain = 0.0
  /// At least one.
  var sounds: [Sound]
  /// For an instrument: the loop of each sound. Empty for a kit.
  var loops: [SoundLoop?] = []
}

internal import JamCore
internal import JamKit

/// One pad of a kit on its way in.
struct ImportedPad: Sendable {
  var name: String
  var category: PadCategory
  /// Gains may lie outside their range here; what is written does not.
  var settings: PadSettings
  /// From the softest to the loudest, at least one.
  var layers: [ImportedLayer]
  /// What it came from, as the source calls it.
  var source: String

  init(name: String, category: PadCategory, layers: [ImportedLayer], source: String) {
    self.name = name
    self.category = category
    self.layers = layers
    self.source = source
    settings = PadSettings(defaultsFor: category)
  }

  /// Whether both are made of the same sounds at the same pitch.
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
  /// Of an instrument's, one for each of them; empty of a kit's.
  var loops: [SoundLoop?] = []
}

public import JamCore

/// One pad of a `kit.json`.
public struct PadDescription: Hashable, Sendable {
  /// From the softest to the loudest: at least one, `upTo` rising to 1. A pad with a single file
  /// has one layer with it.
  public var layers: [LayerDescription]
  public var name: String
  public var category: PadCategory
  /// As `F# minor` or `C`; nil where the sound has no pitch.
  public var key: String?
  public var settings: PadSettings
  /// How much darker the softest layer is made, in dB; the others evenly less. A single layer
  /// becomes three then.
  public var darker: Float

  /// The first file of the loudest layer. It stands for the pad where only one sound is asked for.
  public var file: String { layers.last?.files.first ?? "" }

  /// A drum that has several layers already is left as it is.
  static func defaultDarker(_ category: PadCategory, layers: Int) -> Float { layers == 1 ? category.defaultDarker : 0 }

  static let darkerRange = 0.0...24

  public init(
    layers: [LayerDescription], name: String, category: PadCategory = .other, key: String? = nil,
    settings: PadSettings? = nil, darker: Float? = nil
  ) {
    self.layers = layers
    self.name = name
    self.category = category
    self.key = key
    self.settings = settings ?? PadSettings(defaultsFor: category)
    self.darker = darker ?? Self.defaultDarker(category, layers: layers.count)
  }

  public init(
    file: String, name: String, category: PadCategory = .other, key: String? = nil, settings: PadSettings? = nil
  ) {
    self.init(layers: [LayerDescription(files: [file])], name: name, category: category, key: key, settings: settings)
  }
}

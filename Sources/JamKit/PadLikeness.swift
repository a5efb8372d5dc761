package import JamCore

/// What makes a pad sound as it does. Two pads with the same likeness are one sound twice; gain and pan make no other one,
/// and neither does how it is held and cut off.
package struct PadLikeness: Hashable {
  private let layers: [[ContentHash]]
  private let start: Float
  private let decay: Float
  private let transpose: Float
  private let stretch: Float

  package init(_ settings: PadSettings, layers: [[ContentHash]]) {
    self.layers = layers
    start = settings.start
    decay = settings.decay
    transpose = settings.transpose
    stretch = settings.stretch
  }
}

package import JamCore

/// The properties that make a pad sound as it does. Two pads with the same likeness sound the same.
/// Gain, pan, and the way a pad is held and cut off do not count.
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

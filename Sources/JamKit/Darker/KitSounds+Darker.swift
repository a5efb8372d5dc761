import JamCore

/// Duller layers for softer hits.
extension KitSounds {
  /// The upper ends (`upTo`) of the three layers that are made from a single one.
  private static let ends: [Float] = [0.4, 0.75, 1]

  /// The layers of all pads, with duller ones where the kit wants them.
  mutating func withDarker(_ layers: [[SoundLayer]], of description: KitDescription) -> [[SoundLayer]] {
    var result = layers
    for (index, pad) in description.pads.enumerated() {
      if let pad { result[index] = withDarker(layers[index], of: pad) }
    }
    return result
  }

  /// The pad's layers with darker sounds: the softest layer is darker by `darker`, the others
  /// evenly less, and the loudest stays as it is.
  ///
  /// A single layer becomes three first. A darker sound is as loud as the original, so that
  /// velocity changes the level as before.
  /// - Returns: `layers` unchanged where the pad wants no darker ones, is silent, or where the
  ///   kit's memory does not suffice.
  private mutating func withDarker(_ layers: [SoundLayer], of pad: PadDescription) -> [SoundLayer] {
    guard pad.darker > 0, let loudest = layers.last else { return layers }
    var result = layers
    if layers.count == 1 {
      result = Self.ends.map { SoundLayer(upTo: $0, gain: loudest.gain, sounds: loudest.sounds) }
    }
    let steps = Float(result.count - 1)
    for index in result.indices.dropLast() {
      let decibels = pad.darker * (1 - Float(index) / steps)
      guard let layer = darker(result[index], by: decibels, as: pad.settings) else { return layers }
      result[index] = layer
    }
    return result
  }

  private mutating func darker(_ layer: SoundLayer, by decibels: Float, as settings: PadSettings) -> SoundLayer? {
    var result = layer
    result.sounds = []
    for sound in layer.sounds {
      guard let made = darker(sound, by: decibels) else { return nil }
      result.sounds.append(made)
    }
    let (plain, dark) = (power(of: layer, as: settings), power(of: result, as: settings))
    guard plain > 0, dark > 0 else { return nil }
    let gain = Double(layer.gain) + PortableMath.decibels((plain / dark).squareRoot())
    result.gain = Float(min(max(gain, LayerDescription.gains.lowerBound), LayerDescription.gains.upperBound))
    return result
  }

  /// The power of the part that the pad plays, all takes together.
  private mutating func power(of layer: SoundLayer, as settings: PadSettings) -> Double {
    // `start` and `decay` count in the stretched sound.
    let perMillisecond = 48 / Double(settings.stretch)
    let start = Frames(Int64(saturating: Double(settings.start) * perMillisecond))
    let length = Frames(Int64(saturating: Double(settings.decay) * perMillisecond))
    var sum = 0.0
    for sound in layer.sounds {
      let end = settings.decay > 0 ? start + length : sound.view.duration
      sum += curve(of: sound).loudest(from: start, to: end)
    }
    return sum
  }
}

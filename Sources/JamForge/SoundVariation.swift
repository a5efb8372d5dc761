internal import JamKit

/// The difference between a sound and another one of its recipe: the same drum, struck again or
/// more softly.
struct SoundVariation: Hashable, Sendable {
  /// Added to every seed: another take.
  var seed = 0
  /// Added to every pitch.
  var cents = 0.0
  /// The force of the blow, 0…1; 1 is the other sound's.
  var force = 1.0

  /// Applies the variation. A softer blow is darker, shorter, less bent and less driven, and has
  /// less of a click.
  func applied(to sound: SoundRecipe) -> SoundRecipe {
    let softness = 1 - force
    var sound = sound
    for index in sound.layers.indices { vary(&sound.layers[index], softness) }
    for index in sound.chain.indices {
      if case .drive(let decibels) = sound.chain[index] { sound.chain[index] = .drive(decibels * (1 - 0.7 * softness)) }
    }
    if softness > 0 {
      // A low-pass, for the softest blow two octaves and a half below the upper end of hearing. Its
      // slope is gentle, so that hats keep their place.
      let hertz = 20_000 * PortableMath.ratio(semitones: -30 * softness)
      sound.chain.append(.filter(FilterRecipe(kind: .low, hertz: Envelope(.hertz, constant: hertz), slope: 6)))
    }
    return sound
  }

  private func vary(_ layer: inout LayerRecipe, _ softness: Double) {
    let ratio = PortableMath.ratio(semitones: cents / 100)
    let time = 1 - 0.3 * softness
    layer.seed += seed
    layer.notes = layer.notes.map { $0 * ratio }
    // A layer that ends within 60 ms is a stick, a beater or a tick.
    if let end = layer.amplitude.audibleEnd, end <= 60 { layer.level -= 15 * softness }
    layer.amplitude = layer.amplitude.scaled(time: time)
    layer.bend = layer.bend.scaled(value: 1 - 0.5 * softness)
    layer.drive = layer.drive.map { $0 * (1 - 0.7 * softness) }
    switch layer.source {
    case .modes(let modes):
      layer.source = .modes(
        modes.map { mode in
          var mode = mode
          mode.decayMilliseconds *= time
          return mode
        })
    case .cluster(let count, let low, let high):
      layer.source = .cluster(count: count, low: low * ratio, high: high * ratio)
    case .fm(let ratio, let index):
      layer.source = .fm(ratio: ratio, index: index.scaled(value: 1 - 0.5 * softness))
    case .sine, .triangle, .saw, .pulse, .noise: break
    }
  }
}

internal import JamCore
internal import JamKit

/// Makes sounds from recipes: the same recipe gives the same bits on every machine.
///
/// Everything runs at twice the engine's rate, so that drive and oscillators do not fold back into
/// the audible band. The rate is halved at the end.
/// Thread: any; not real-time safe.
enum Forge {
  /// Frames per second while synthesising.
  static let rate = 96_000.0

  /// A sound at 48 kHz, with the peak of its recipe, faded at both ends, without offset.
  static func render(_ recipe: SoundRecipe) -> Sound {
    let count = Int(recipe.seconds * rate)
    var sum = StereoBuffer(count: count)
    for layer in recipe.layers { LayerRenderer(layer, count: count).add(to: &sum) }
    for effect in recipe.chain { apply(effect, to: &sum) }
    // Removes frequencies below hearing, and the offset, which would waste headroom.
    filter(&sum, FilterRecipe(kind: .high, hertz: Envelope(.hertz, constant: 18)))
    let planes =
      recipe.isStereo
      ? [Decimator.halved(sum.left), Decimator.halved(sum.right)]
      : [Decimator.halved(zip(sum.left, sum.right).map { ($0 + $1) / 2 })]
    return Finishing.finish(planes, recipe)
  }

  static func apply(_ effect: EffectRecipe, to buffer: inout StereoBuffer) {
    switch effect {
    case .drive(let decibels):
      drive(&buffer, decibels: decibels)
    case .filter(let recipe):
      filter(&buffer, recipe)
    case .delay(let milliseconds, let feedback, let low, let level):
      var delay = Delay(milliseconds: milliseconds, feedback: feedback, low: low)
      delay.add(to: &buffer, gain: PortableMath.gain(level))
    case .reverb(let seconds, let low, let high, let level):
      var reverb = Reverb(seconds: seconds, low: low)
      reverb.add(to: &buffer, high: high, gain: PortableMath.gain(level))
    }
  }

  /// A soft limit; a full-scale value stays at full scale.
  static func drive(_ buffer: inout StereoBuffer, decibels: Double) {
    let gain = PortableMath.gain(decibels)
    let scale = 1 / PortableMath.softLimit(gain)
    buffer.process { left, right, _ in
      left = PortableMath.softLimit(left * gain) * scale
      right = PortableMath.softLimit(right * gain) * scale
    }
  }

  static func filter(_ buffer: inout StereoBuffer, _ recipe: FilterRecipe) {
    var leftFilter = Filter(recipe, count: buffer.count)
    var rightFilter = leftFilter
    buffer.process { left, right, n in
      left = leftFilter.next(left, frame: n)
      right = rightFilter.next(right, frame: n)
    }
  }
}

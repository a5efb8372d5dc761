internal import JamKit

/// A filter of 6, 12 or 24 dB an octave whose frequency may move at every frame.
///
/// - Source: V. Zavalishin, "The Art of VA Filter Design", 2.1.2, chapters 3 and 4 (trapezoidal
///   state variable filter).
struct Filter {
  private let kind: FilterRecipe.Kind
  private let slope: Int
  private let damping: Double
  private let hertz: [Double]
  private var first = Stage()
  private var second = Stage()
  private var lastHertz = -1.0
  private var g = 0.0

  private struct Stage {
    var a = 0.0
    var b = 0.0
  }

  init(_ recipe: FilterRecipe, count: Int) {
    kind = recipe.kind
    slope = recipe.slope
    damping = 1 / recipe.q
    hertz = recipe.hertz.render(count: recipe.hertz.isConstant ? 1 : count)
  }

  mutating func next(_ input: Double, frame: Int) -> Double {
    let hertz = self.hertz[min(frame, self.hertz.count - 1)]
    if hertz != lastHertz {
      lastHertz = hertz
      g = PortableMath.tangent(turns: min(max(hertz, 5), Forge.rate * 0.45) / Forge.rate / 2)
    }
    switch slope {
    case 6: return onePole(input)
    case 24: return twoPole(twoPole(input, &first), &second)
    default: return twoPole(input, &first)
    }
  }

  private mutating func onePole(_ input: Double) -> Double {
    let v = (input - first.a) * g / (1 + g)
    let low = v + first.a
    first.a = low + v
    return kind == .high ? input - low : low
  }

  private func twoPole(_ input: Double, _ stage: inout Stage) -> Double {
    let high = (input - stage.b - (g + damping) * stage.a) / (1 + g * (g + damping))
    let band = g * high + stage.a
    let low = g * band + stage.b
    stage.a = g * high + band
    stage.b = g * band + low
    switch kind {
    case .low: return low
    case .high: return high
    case .band: return band * damping
    case .notch: return low + high
    }
  }
}

internal import JamKit

/// A room: eight delay lines that feed one another, each duller with every turn.
///
/// - Source: J.-M. Jot, A. Chaigne, "Digital delay networks for designing artificial
///   reverberators", AES 1991.
struct Reverb {
  /// Frames at the forge's rate; primes, so that no two echoes coincide for long.
  private static let lengths = [1_009, 1_301, 1_627, 1_999, 2_467, 2_969, 3_461, 4_001]

  private var lines: [[Double]] = lengths.map { Array(repeating: 0, count: $0) }
  private var places = [Int](repeating: 0, count: lengths.count)
  private var lows = [Double](repeating: 0, count: lengths.count)
  private var leftDiffusers = [Diffuser(length: 283), Diffuser(length: 691)]
  private var rightDiffusers = [Diffuser(length: 307), Diffuser(length: 653)]
  private let gains: [Double]
  private let smoothing: Double

  init(seconds: Double, low: Double) {
    gains = Self.lengths.map { PortableMath.gain(-60 * Double($0) / Forge.rate / seconds) }
    let g = PortableMath.tangent(turns: min(low, Forge.rate * 0.45) / Forge.rate / 2)
    smoothing = 2 * g / (1 + 2 * g)
  }

  mutating func add(to buffer: inout StereoBuffer, high: Double, gain: Double) {
    let recipe = FilterRecipe(kind: .high, hertz: Envelope(.hertz, constant: high))
    var leftIn = Filter(recipe, count: 1)
    var rightIn = leftIn
    buffer.process { left, right, n in
      var inLeft = leftIn.next(left, frame: n)
      var inRight = rightIn.next(right, frame: n)
      for k in leftDiffusers.indices {
        inLeft = leftDiffusers[k].next(inLeft)
        inRight = rightDiffusers[k].next(inRight)
      }
      let wet = next(inLeft, inRight)
      left += wet.left * gain
      right += wet.right * gain
    }
  }

  private mutating func next(_ left: Double, _ right: Double) -> (left: Double, right: Double) {
    var sum = 0.0
    for n in 0..<lows.count {
      lows[n] += (lines[n][places[n]] - lows[n]) * smoothing
      sum += lows[n]
    }
    var out = (left: 0.0, right: 0.0)
    // Each line gets its own echo minus a quarter of the sum: the Householder reflection, which
    // keeps the energy.
    for n in 0..<lows.count {
      let isLeft = n % 2 == 0
      let value = lows[n] * gains[n]
      lines[n][places[n]] = (isLeft ? left : right) * 0.5 + (lows[n] - sum * 0.25) * gains[n]
      places[n] = places[n] + 1 == lines[n].count ? 0 : places[n] + 1
      // Signs alternate, so that the direct echoes do not add up.
      let signed = n % 4 < 2 ? value : -value
      if isLeft { out.left += signed } else { out.right += signed }
    }
    return out
  }

  /// Spreads an attack over time without colouring it, so that the first echoes do not flutter.
  private struct Diffuser {
    private var line: [Double]
    private var place = 0

    init(length: Int) { line = Array(repeating: 0, count: length) }

    mutating func next(_ input: Double) -> Double {
      let late = line[place]
      let fed = input + late * 0.6
      line[place] = fed
      place = place + 1 == line.count ? 0 : place + 1
      return late - fed * 0.6
    }
  }
}

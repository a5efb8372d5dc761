internal import JamKit

/// Halves the forge's rate.
enum Decimator {
  /// Taps on either side of the middle one: flat to 20.6 kHz, nothing from 23.4 kHz on.
  private static let reach = 95

  /// A windowed sine cardinal at 22 kHz (Blackman), its sum 1.
  private static let taps: [Double] = {
    let cutoff = 22_000 / Forge.rate
    let taps = (-reach...reach).map { n -> Double in
      let x = Double(n)
      let cardinal = n == 0 ? 2 * cutoff : PortableMath.sine(turns: cutoff * x) / (3.141_592_653_589_793 * x)
      let place = (x + Double(reach)) / Double(2 * reach)
      let window = 0.42 - 0.5 * PortableMath.cosine(turns: place) + 0.08 * PortableMath.cosine(turns: 2 * place)
      return cardinal * window
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }()

  /// Every other value of `input`, without the frequencies that half the rate cannot carry. Nothing
  /// is shifted in time.
  static func halved(_ input: [Double]) -> [Double] {
    let taps = Self.taps
    return (0..<input.count / 2).map { n in
      let middle = n * 2
      let low = max(-reach, -middle)
      let high = min(reach, input.count - 1 - middle)
      var sum = 0.0
      for k in low...high { sum += input[middle + k] * taps[k + reach] }
      return sum
    }
  }
}

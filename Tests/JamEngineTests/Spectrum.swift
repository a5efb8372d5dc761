@testable import JamEngine

/// Measures tones in a stretch of sound.
enum Spectrum {
  /// The peak level of a tone of `hertz`, through a window that leaves 92 dB less of tones 50 Hz away in 4,096 frames.
  static func level(of signal: some Collection<Float>, at hertz: Double) -> Double {
    var (real, imaginary, total) = (0.0, 0.0, 0.0)
    for (i, value) in signal.enumerated() {
      let at = Double(i) / Double(signal.count)
      func cosine(_ turns: Double) -> Double { Polynomial.sine(turns: turns + 0.25) }
      // Blackman and Harris, four terms.
      let weight = 0.35875 - 0.48829 * cosine(at) + 0.14128 * cosine(2 * at) - 0.01168 * cosine(3 * at)
      let turns = hertz / 48_000 * Double(i)
      real += weight * Double(value) * cosine(turns)
      imaginary += weight * Double(value) * Polynomial.sine(turns: turns)
      total += weight
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / total
  }

  /// Where a frequency lies once 48,000 frames a second have folded it.
  static func folded(_ hertz: Double) -> Double {
    let rest = hertz.truncatingRemainder(dividingBy: 48_000)
    return min(rest, 48_000 - rest)
  }

  /// The largest value of what a signal has above 2 kHz: a windowed sinc of 801 taps, steep enough for tones up to 440 Hz.
  static func peakAbove2kHz(_ signal: [Float]) -> Float {
    let half = 400
    let taps = (-half...half).map { n -> Double in
      let at = (Double(n) + Double(half) + 1) / Double(2 * half + 2)
      let window =
        0.35875 - 0.48829 * Polynomial.sine(turns: at + 0.25) + 0.14128 * Polynomial.sine(turns: 2 * at + 0.25)
        - 0.01168 * Polynomial.sine(turns: 3 * at + 0.25)
      let low = n == 0 ? 2 * 2_000 / 48_000.0 : Polynomial.sine(turns: 2_000 / 48_000 * Double(n)) / (.pi * Double(n))
      return (n == 0 ? 1 : 0) - low * window
    }
    var peak = 0.0
    for i in half..<signal.count - half {
      var sum = 0.0
      for n in taps.indices { sum += taps[n] * Double(signal[i + n - half]) }
      peak = max(peak, abs(sum))
    }
    return Float(peak)
  }
}

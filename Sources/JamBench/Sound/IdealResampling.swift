internal import Glibc

/// Resamples a sound as well as possible: 64 zero crossings on either side of each frame, under a
/// Kaiser window of 140 dB.
struct IdealResampling {
  private static let crossings = 64
  private static let steps = 2_048
  /// The cutoff, relative to the lower Nyquist frequency. The window's slope ends below Nyquist, so
  /// that nothing folds.
  private static let passband = 0.925
  private let table: [Float]

  init() {
    func bessel(_ x: Double) -> Double {
      var (sum, term) = (1.0, 1.0)
      for k in 1...60 {
        term *= x / 2 / Double(k) * (x / 2 / Double(k))
        sum += term
      }
      return sum
    }
    let beta = 0.1102 * (140 - 8.7)
    table = (0...Self.crossings * Self.steps + 1).map { i in
      let x = Double(i) / Double(Self.steps)
      let place = x / Double(Self.crossings)
      guard place < 1 else { return 0 }
      let window = bessel(beta * (1 - place * place).squareRoot()) / bessel(beta)
      let turn = Double.pi * x * Self.passband
      return Float((x == 0 ? 1 : sin(turn) / turn) * Self.passband * window)
    }
  }

  /// - Parameter rate: the frames of `source` for each frame of the result.
  func resampled(_ source: UnsafeBufferPointer<Float>, rate: Double, frames: Int) -> [Float] {
    let scale = min(1, 1 / rate)
    let reach = Double(Self.crossings) / scale
    return table.withUnsafeBufferPointer { table in
      (0..<frames).map { n in
        let place = Double(n) * rate
        let first = max(0, Int((place - reach).rounded(.up)))
        let last = min(source.count - 1, Int(place + reach))
        guard first <= last else { return 0 }
        var sum = 0.0
        for m in first...last {
          let x = abs(place - Double(m)) * scale * Double(Self.steps)
          let index = Int(x)
          let weight = table[index] + (table[index + 1] - table[index]) * Float(x - Double(index))
          sum += Double(source[m] * weight)
        }
        return Float(sum * scale)
      }
    }
  }
}

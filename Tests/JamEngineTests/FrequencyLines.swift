@testable import JamEngine

/// The spectrum of a stretch of sound, through a window whose side lobes lie 92 dB down.
struct FrequencyLines {
  /// The peak level of a tone on each line: frames ÷ 2 of them.
  let levels: [Double]
  let hertzPerLine: Double

  /// - Parameter signal: as many frames as a power of two.
  init(_ signal: [Float]) {
    let count = signal.count
    precondition(count > 1 && count & (count - 1) == 0)
    let turn = (0..<count).map { Polynomial.sine(turns: Double($0) / Double(count)) }
    func cosine(_ i: Int) -> Double { turn[(i + count / 4) & (count - 1)] }
    var real = [Double](repeating: 0, count: count)
    var imaginary = [Double](repeating: 0, count: count)
    var total = 0.0
    let shift = count.leadingZeroBitCount + 1
    for i in 0..<count {
      // Blackman and Harris, four terms.
      let weight = 0.35875 - 0.48829 * cosine(i) + 0.14128 * cosine(2 * i) - 0.01168 * cosine(3 * i)
      total += weight
      var reversed = 0
      for bit in 0..<(64 - shift) where i & (1 << bit) != 0 { reversed |= 1 << (63 - shift - bit) }
      real[reversed] = weight * Double(signal[i])
    }
    var half = 1
    while half < count {
      let step = count / (2 * half)
      for block in stride(from: 0, to: count, by: 2 * half) {
        for k in 0..<half {
          let (c, s) = (cosine(k * step), -turn[k * step])
          let (i, j) = (block + k, block + k + half)
          let x = real[j] * c - imaginary[j] * s
          let y = real[j] * s + imaginary[j] * c
          (real[j], imaginary[j]) = (real[i] - x, imaginary[i] - y)
          (real[i], imaginary[i]) = (real[i] + x, imaginary[i] + y)
        }
      }
      half *= 2
    }
    levels = (0..<count / 2).map { 2 * (real[$0] * real[$0] + imaginary[$0] * imaginary[$0]).squareRoot() / total }
    hertzPerLine = 48_000 / Double(count)
  }

  /// Of what lies in 20 Hz…20 kHz beside the partials of `hertz`: the highest level by the highest of all, in dB.
  func highestStray(beside hertz: Double) -> Double {
    var (stray, partial) = (0.0, 0.0)
    for line in levels.indices {
      let at = Double(line) * hertzPerLine
      guard at >= 20, at <= 20_000 else { continue }
      let nearest = (at / hertz).rounded() * hertz
      if nearest > 0, abs(at - nearest) < 5 * hertzPerLine {
        partial = max(partial, levels[line])
      } else if at > 5 * hertzPerLine {
        stray = max(stray, levels[line])
      }
    }
    return FrequencyLines.decibels(stray / partial)
  }

  static func decibels(_ ratio: Double) -> Double { SynthMath.logarithm(max(ratio, 1e-12)) * 6.020_599_913_279_624 }
}

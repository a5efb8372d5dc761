import Glibc

/// What is measured of a signal.
enum Measure {
  static func sine(_ turns: Double) -> Float { Float(sin(2 * Double.pi * turns.truncatingRemainder(dividingBy: 1))) }

  static func cents(_ ratio: Double) -> Double { 1_200 * log2(ratio) }

  /// Of a ratio of powers.
  static func decibels(power: Double) -> Double { 10 * log10(power) }

  /// The frequency of a steady tone, in hertz, by its rising zeros.
  static func frequency(_ signal: ArraySlice<Float>) -> Double {
    var zeros: [Double] = []
    for i in signal.indices.dropFirst() where signal[i - 1] < 0 && signal[i] >= 0 {
      zeros.append(Double(i - 1) + Double(signal[i - 1] / (signal[i - 1] - signal[i])))
    }
    guard let first = zeros.first, let last = zeros.last, last > first else { return 0 }
    return Double(zeros.count - 1) * 48_000 / (last - first)
  }

  /// Where the spectrum peaks within a third of a semitone of `hertz`.
  static func peak(_ signal: ArraySlice<Float>, near hertz: Double) -> Double {
    let windowed = signal.enumerated().map { n, value in
      Double(value) * (0.5 - 0.5 * cos(2 * Double.pi * Double(n) / Double(signal.count)))
    }
    func power(_ cents: Double) -> Double {
      let turn = 2 * Double.pi * hertz * exp2(cents / 1_200) / 48_000
      let (c, s) = (cos(turn), sin(turn))
      var (x, y, re, im) = (1.0, 0.0, 0.0, 0.0)
      for value in windowed {
        re += value * x
        im += value * y
        (x, y) = (x * c - y * s, x * s + y * c)
      }
      return re * re + im * im
    }
    var best = stride(from: -32.0, through: 32, by: 4).max { power($0) < power($1) }!
    for step in [1.0, 0.25, 0.0625] {
      let near = stride(from: best - 4 * step, through: best + 4 * step, by: step)
      best = near.max { power($0) < power($1) }!
    }
    return hertz * exp2(best / 1_200)
  }

  /// The largest second difference: a click is one, whatever it hides in.
  static func bend(_ signal: some BidirectionalCollection<Float>) -> Float {
    let values = Array(signal)
    return values.indices.dropFirst(2).reduce(0) { max($0, abs(values[$1] - 2 * values[$1 - 1] + values[$1 - 2])) }
  }

  static func step(_ signal: some BidirectionalCollection<Float>) -> Float {
    zip(signal, signal.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }
}
